import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../organization/Organization.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class PaymentsUnavailable extends Schema.TaggedError<PaymentsUnavailable>()("PaymentsUnavailable", {
  fault: StoreFault
}) {}

/** Where an organization buys credits or changes its pack. */
export type Offer =
  /** At a seller, who tells the service afterwards (`Ledger.grant`, `Organizations.change`). */
  | { readonly _tag: "Checkout"; readonly url: string }
  /** Nothing is sold here: the operator is asked, and does it from the command line. */
  | { readonly _tag: "AskSupport"; readonly url: string }

/**
 * Buying credits and changing the pack (contract §1, Limits and money).
 *
 * 1. An offer is for the organization alone that it was asked for, and its address is absolute.
 * 2. Asking buys nothing and changes nothing.
 * 3. A seller who is unavailable fails with PaymentsUnavailable.
 */
export class Payments extends Context.Service<
  Payments,
  { readonly offers: (organizationId: OrganizationId) => Effect.Effect<Offer, PaymentsUnavailable> }
>()("coverage/core/port/Payments") {}
