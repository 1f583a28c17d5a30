import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { NcdCode, NcdCodeList } from "../coverage/NcdCode.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class NcdCodesUnavailable extends Schema.TaggedError<NcdCodesUnavailable>()("NcdCodesUnavailable", {
  fault: StoreFault
}) {}

/**
 * The table from national determinations to procedure codes (coverage-domain §2.1, rule 4).
 *
 * 1. `among` gives every row of any of the codes, each policy and code once, by policy id and then code. An
 *    imported row stands before the shipped one of the same policy and code.
 * 2. `save` is one transaction and does to the rows of the list's origin what `reviseNcdCodes` says; rows of
 *    the other origin stay. `written` counts the rows that were written or dropped. The same list twice
 *    writes nothing and leaves the generation of `Snapshots` as it is; any other write makes it grow.
 * 3. An unavailable store fails with NcdCodesUnavailable.
 */
export class NcdCodes extends Context.Service<
  NcdCodes,
  {
    readonly among: (query: {
      readonly codes: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<NcdCode>, NcdCodesUnavailable>
    readonly save: (list: NcdCodeList) => Effect.Effect<{ readonly written: number }, NcdCodesUnavailable>
  }
>()("coverage/core/port/NcdCodes") {}
