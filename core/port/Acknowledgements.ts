import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Acknowledgement } from "../compliance/Acknowledgement.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { PolicyId } from "../coverage/Policy.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class AcknowledgementsUnavailable extends Schema.TaggedError<AcknowledgementsUnavailable>()(
  "AcknowledgementsUnavailable",
  { fault: StoreFault }
) {}

/** What an organization has acknowledged, of the changes it named. */
export interface AcknowledgedChanges {
  /** By this call, in the order named. */
  readonly fresh: ReadonlyArray<Acknowledgement>
  /** Before it, by diff id. */
  readonly earlier: ReadonlyArray<Acknowledgement>
}

/**
 * Who has seen which change (contract §2, Compliance). It knows nothing of changes but their ids, so that the
 * sandbox's fixtures are acknowledged in the same store; which changes there are is `Reviews`' to say.
 *
 * 1. `acknowledge` keeps one acknowledgement for each change that the organization had not acknowledged, and
 *    says which are new; of any number at once over one change one is new, and the others wait for its write.
 * 2. What one organization acknowledged is nothing to another.
 * 3. It joins the write around it.
 * 4. `among` gives the ids of those that the organization has acknowledged.
 * 5. An unavailable store fails with AcknowledgementsUnavailable.
 */
export class Acknowledgements extends Context.Service<
  Acknowledgements,
  {
    /** `changes`: each once. */
    readonly acknowledge: (input: {
      readonly organizationId: OrganizationId
      readonly changes: ReadonlyArray<{ readonly diffId: number; readonly policyId: PolicyId }>
      readonly notes: string | null
      readonly at: IsoTime
    }) => Effect.Effect<AcknowledgedChanges, AcknowledgementsUnavailable>
    readonly among: (input: {
      readonly organizationId: OrganizationId
      readonly diffIds: ReadonlyArray<number>
    }) => Effect.Effect<ReadonlySet<number>, AcknowledgementsUnavailable>
  }
>()("coverage/core/port/Acknowledgements") {}
