import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CodeRecord, CodeSuggestion, CodeSystem } from "../coverage/Code.ts"
import type { CodeTableEdition, ConversionFactorKind } from "../coverage/CodeTable.ts"
import type { IsoDate } from "../coverage/date.ts"
import type { FeeScheduleRow } from "../coverage/FeeScheduleRow.ts"
import type { PolicyListing, PolicyCode } from "./Policies.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class CodesUnavailable extends Schema.TaggedError<CodesUnavailable>()("CodesUnavailable", {
  fault: StoreFault
}) {}

/** A policy that lists a code, and what it says of it. */
export interface CodePolicy {
  readonly listing: PolicyListing
  readonly codeSystem: PolicyCode["codeSystem"]
  readonly disposition: PolicyCode["disposition"]
  readonly source: PolicyCode["source"]
}

/** The fee schedule's row of a code, and the edition that it is of. */
export interface CodeFee extends FeeScheduleRow {
  readonly edition: string
  /** Whose conversion factor it is; absent: the schedule's file does not state it. */
  readonly conversionFactorKind?: ConversionFactorKind
  /** Whether the edition speaks of the day that was asked for; an older one may answer too. */
  readonly judges: boolean
}

/**
 * Medical codes by edition (contract §2, GET /codes/lookup).
 *
 * 1. `find` gives, for each code asked for, every code system's record in force on `asOf`, or the newest
 *    earlier one (so a terminated code is still found), or the first to come; codes are canonical (see
 *    Code.ts) and order is kept.
 * 2. `suggest` gives at most `limit` codes alike in code or description, best first, deterministic.
 * 3. `policies` gives, for each code, the policies in force on `asOf` that list it, by policy id, at most
 *    `limit`.
 * 4. `tables` is what the kernel's `codeTablesOf` makes of the complete files of codes, in the order of their
 *    completion; one completed by another process shows within a second.
 * 5. `fees` gives, for each code that the fee schedule of `asOf` values, its row for the whole service (of no
 *    modifier), by code; the schedule is the one that `tableOn` chooses among those that began by then, and
 *    gives edition and kind of conversion factor.
 * 6. `descriptions` gives, under `system code`, what the documents call each code, else the table's record as
 *    `find` gives it; a code that neither describes is left out, and CPT and CDT codes always are.
 * 7. An unavailable store fails with CodesUnavailable.
 */
export class Codes extends Context.Service<
  Codes,
  {
    readonly find: (query: {
      readonly codes: ReadonlyArray<string>
      readonly codeSystem: CodeSystem | null
      readonly asOf: IsoDate
    }) => Effect.Effect<ReadonlyArray<CodeRecord>, CodesUnavailable>
    readonly suggest: (query: {
      readonly text: string
      readonly codeSystem: CodeSystem | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<CodeSuggestion>, CodesUnavailable>
    readonly policies: (query: {
      readonly codes: ReadonlyArray<string>
      readonly place: {
        readonly jurisdictions: ReadonlyArray<string>
        readonly states: ReadonlyArray<string>
      } | null
      readonly asOf: IsoDate
      readonly limit: number
    }) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<CodePolicy>>, CodesUnavailable>
    readonly tables: Effect.Effect<ReadonlyArray<CodeTableEdition>, CodesUnavailable>
    readonly fees: (query: {
      readonly codes: ReadonlyArray<string>
      readonly asOf: IsoDate
    }) => Effect.Effect<ReadonlyArray<CodeFee>, CodesUnavailable>
    readonly descriptions: (query: {
      readonly codes: ReadonlyArray<string>
      readonly asOf: IsoDate
    }) => Effect.Effect<ReadonlyMap<string, string>, CodesUnavailable>
  }
>()("coverage/core/port/Codes") {}
