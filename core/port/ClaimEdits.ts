import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { MueEdit, PtpEdit } from "../coverage/editTables.ts"
import type { IsoDate } from "../coverage/date.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class ClaimEditsUnavailable extends Schema.TaggedError<ClaimEditsUnavailable>()(
  "ClaimEditsUnavailable",
  { fault: StoreFault }
) {}

/**
 * The NCCI tables (coverage-domain §1.3).
 *
 * 1. `among` gives every pair edit in force on the day (closed days) whose both columns are among the codes,
 *    and of each code and service the unit edits of the service's newest table that begins by that day; each
 *    once, in the order of service, column 1, column 2, or code. A code that this table lists no more has
 *    none.
 * 2. An unavailable store fails with ClaimEditsUnavailable.
 */
export class ClaimEdits extends Context.Service<
  ClaimEdits,
  {
    readonly among: (query: {
      readonly codes: ReadonlyArray<string>
      readonly date: IsoDate
    }) => Effect.Effect<
      { readonly pairs: ReadonlyArray<PtpEdit>; readonly units: ReadonlyArray<MueEdit> },
      ClaimEditsUnavailable
    >
  }
>()("coverage/core/port/ClaimEdits") {}
