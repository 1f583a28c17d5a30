/** What is known of the changes that a bulk acknowledgement names. */
export interface BulkFacts {
  /** Those that exist; of any age, since an older change may be acknowledged too. */
  readonly existing: ReadonlySet<number>
  /** Those this organization had acknowledged before. */
  readonly acknowledged: ReadonlySet<number>
}

/** What a bulk acknowledgement comes to (contract §2, Compliance). */
export type Bulk =
  /** None of the changes exists: VALIDATION_ERROR, and nothing is written. */
  | { readonly _tag: "NoneExists" }
  | {
      readonly _tag: "Folded"
      /** The changes to acknowledge now, each once, in the order submitted; perhaps none. */
      readonly fresh: ReadonlyArray<number>
      readonly answer: BulkAnswer
    }

/** `acknowledged + alreadyAcknowledged + invalidIds.length = total`, which is how many were submitted. */
export interface BulkAnswer {
  readonly acknowledged: number
  /** Acknowledged before, or named earlier in the same list. */
  readonly alreadyAcknowledged: number
  /** As submitted, repeated where they were. */
  readonly invalidIds: ReadonlyArray<number>
  readonly total: number
}

/** Folds the submitted ids in their order, so that a list answers as its ids would one after the other. */
export const foldBulk = (diffIds: ReadonlyArray<number>, facts: BulkFacts): Bulk => {
  const valid = diffIds.filter((diffId) => facts.existing.has(diffId))
  if (valid.length === 0) return { _tag: "NoneExists" }
  const fresh = [...new Set(valid.filter((diffId) => !facts.acknowledged.has(diffId)))]
  return {
    _tag: "Folded",
    fresh,
    answer: {
      acknowledged: fresh.length,
      alreadyAcknowledged: valid.length - fresh.length,
      invalidIds: diffIds.filter((diffId) => !facts.existing.has(diffId)),
      total: diffIds.length
    }
  }
}
