import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Payer } from "../coverage/Payer.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class PayersUnavailable extends Schema.TaggedError<PayersUnavailable>()("PayersUnavailable", {
  fault: StoreFault
}) {}

/**
 * Who pays, and the Medicare jurisdictions of the newest snapshot (contract §2, GET /payers, /jurisdictions).
 *
 * 1. `list` gives every payer that an import named, once, by code, and Medicare always.
 * 2. An import that names a payer again replaces what was said of it.
 * 3. `jurisdictions` gives all of them by jurisdiction code; there are fewer than a hundred. An import by
 *    another process shows within a second.
 * 4. An unavailable store fails with PayersUnavailable.
 */
export class Payers extends Context.Service<
  Payers,
  {
    readonly list: Effect.Effect<ReadonlyArray<Payer>, PayersUnavailable>
    readonly jurisdictions: Effect.Effect<ReadonlyArray<Jurisdiction>, PayersUnavailable>
  }
>()("coverage/core/port/Payers") {}
