import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class JurisdictionsUnavailable extends Schema.TaggedError<JurisdictionsUnavailable>()(
  "JurisdictionsUnavailable",
  { fault: StoreFault }
) {}

/**
 * The Medicare jurisdictions of the newest snapshot (contract §2, GET /jurisdictions).
 *
 * 1. `list` gives all of them by jurisdiction code; there are fewer than a hundred. An import by another
 *    process shows within a second.
 */
export class Jurisdictions extends Context.Service<
  Jurisdictions,
  {
    readonly list: Effect.Effect<ReadonlyArray<Jurisdiction>, JurisdictionsUnavailable>
  }
>()("coverage/core/port/Jurisdictions") {}
