import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IsoTime } from "../coverage/date.ts"
import type { Policy, PolicyId, PolicyType } from "../coverage/Policy.ts"
import type { ChangeType, PolicyChange } from "../coverage/revise.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class ChangesUnavailable extends Schema.TaggedError<ChangesUnavailable>()("ChangesUnavailable", {
  fault: StoreFault
}) {}

/** A change of a policy as it was recorded, with what the policy is called now. */
export interface RecordedChange extends PolicyChange {
  /** Counts up in the order of recording. */
  readonly diffId: number
  readonly policy: Policy
  readonly title: string
  readonly oldVersion: number | null
  readonly newVersion: number
  readonly changedAt: IsoTime
}

export interface ChangesQuery {
  /** Changes at this time or later; null: all. */
  readonly since: IsoTime | null
  readonly policyId: PolicyId | null
  readonly changeType: ChangeType | null
  readonly policyType: PolicyType | null
  /** Changes before this one in the list; null: from the newest. */
  readonly before: number | null
  readonly limit: number
}

/**
 * What changed in the policies (contract §2, GET /policies/changes).
 *
 * 1. `list` gives exactly the changes that the filters admit, newest first (by diff id), at most `limit`;
 *    `next` is the last one's id when more follow. Paging by it gives each that existed throughout once,
 *    while others are written.
 * 2. A store that is away fails with ChangesUnavailable.
 */
export class Changes extends Context.Service<
  Changes,
  {
    readonly list: (
      query: ChangesQuery
    ) => Effect.Effect<
      { readonly changes: ReadonlyArray<RecordedChange>; readonly next: number | null },
      ChangesUnavailable
    >
  }
>()("coverage/core/port/Changes") {}
