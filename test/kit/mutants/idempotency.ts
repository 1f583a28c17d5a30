import type { KeptRecord, Transitions } from "../idempotencyHistories.ts"

/** A record with one planted mistake, made out of a right one; some invariant must notice it. */
export interface IdempotencyMutant {
  readonly says: string
  readonly spoil: (right: Transitions) => Transitions
}

/** The owner of whatever turn there is. */
const anyone = <Owner extends { readonly fence: number }>(record: KeptRecord, owner: Owner): Owner => ({
  ...owner,
  fence: record.fence
})

export const idempotencyMutants: ReadonlyArray<IdempotencyMutant> = [
  {
    says: "completes for an owner whose turn has passed",
    spoil: (right) => ({
      ...right,
      complete: (record, owner) => right.complete(record, anyone(record, owner))
    })
  },
  {
    says: "releases for an owner whose turn has passed",
    spoil: (right) => ({ ...right, release: (record, owner) => right.release(record, anyone(record, owner)) })
  },
  {
    says: "renews for an owner whose turn has passed",
    spoil: (right) => ({ ...right, renew: (record, owner) => right.renew(record, anyone(record, owner)) })
  },
  {
    says: "says that a stale owner completed",
    spoil: (right) => ({
      ...right,
      complete: (record, owner) => ["settled", right.complete(record, owner)[1]]
    })
  },
  {
    says: "takes over one millisecond early",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) => right.begin(record, { ...asked, nowMs: asked.nowMs + 1 })
    })
  },
  {
    says: "never takes over",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) =>
        right.begin(
          record._tag === "Running" ? { ...record, leaseUntilMs: Number.MAX_SAFE_INTEGER } : record,
          asked
        )
    })
  },
  {
    says: "keeps the fence when it takes over",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) => {
        const [begun, next] = right.begin(record, asked)
        return begun._tag === "Execute" && record._tag === "Running"
          ? [
              { ...begun, fence: record.fence },
              { ...next, fence: record.fence }
            ]
          : [begun, next]
      }
    })
  },
  {
    says: "forgets the fence with a release",
    spoil: (right) => ({
      ...right,
      release: (record, owner) => {
        const [settled, next] = right.release(record, owner)
        return settled === "settled" ? [settled, { _tag: "Absent", fence: 0 }] : [settled, next]
      }
    })
  },
  {
    says: "runs another body over a kept answer",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) =>
        right.begin(
          record._tag === "Done" && record.fingerprint !== asked.fingerprint
            ? { _tag: "Absent", fence: record.fence }
            : record,
          asked
        )
    })
  },
  {
    says: "takes every repeat for another body",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) => {
        const [begun, next] = right.begin(record, asked)
        return begun._tag === "InProgress" ? [{ _tag: "Conflict" }, record] : [begun, next]
      }
    })
  },
  {
    says: "lets a repeat renew the lease it waits for",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) => {
        const [begun, next] = right.begin(record, asked)
        return begun._tag === "InProgress" && next._tag === "Running"
          ? [begun, { ...next, leaseUntilMs: asked.nowMs + 5_000 }]
          : [begun, next]
      }
    })
  },
  {
    says: "replays another answer than was committed",
    spoil: (right) => ({
      ...right,
      complete: (record, owner) => right.complete(record, { ...owner, answer: "another" })
    })
  },
  {
    says: "leaves a completed record running",
    spoil: (right) => ({ ...right, complete: (record, owner) => [right.complete(record, owner)[0], record] })
  },
  {
    says: "leases for a minute",
    spoil: (right) => ({
      ...right,
      begin: (record, asked) => {
        const [begun, next] = right.begin(record, asked)
        return begun._tag === "Execute" && next._tag === "Running"
          ? [begun, { ...next, leaseUntilMs: asked.nowMs + 60_000 }]
          : [begun, next]
      }
    })
  }
]
