import { deepStrictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { pairKey, pairsAmong, unitKey, unitsAmong } from "../../core/coverage/editsAmong.ts"
import type { MueEdit, PtpEdit } from "../../core/coverage/editTables.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { day, pairOf, snapshotOf, unitOf } from "./library.ts"
import { anyPair, anyUnit, edgeDays, procedures } from "./libraryArbitraries.ts"
import { withSeed } from "./withSeed.ts"

/** What every store of NCCI edits keeps (core/port/ClaimEdits.ts); each check wants an empty library. */
export const claimEditsLaws: ReadonlyArray<Law<ClaimEdits | Snapshots>> = [
  {
    says: "coverage-domain §1.3 edits among codes are the kernel's of those that were told last",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const kept = { pairs: new Map<string, PtpEdit>(), units: new Map<string, MueEdit>() }
        const batch = fc.record({
          pairs: fc.array(anyPair, { maxLength: 40 }),
          units: fc.array(anyUnit, { maxLength: 30 })
        })
        const edits = yield* ClaimEdits
        for (const { pairs, units } of draw(batch, 6)) {
          yield* keep({ pairs, units })
          for (const edit of pairs) kept.pairs.set(pairKey(edit).join(), edit)
          for (const edit of units) kept.units.set(unitKey(edit).join(), edit)
          for (const codes of draw(fc.subarray([...procedures, "G0283", "NONE"]), 4)) {
            for (const date of edgeDays) {
              const query = { codes, date }
              const expected = {
                pairs: pairsAmong(kept.pairs.values(), query),
                units: unitsAmong(kept.units.values(), query)
              }
              deepStrictEqual(yield* edits.among(query), expected, JSON.stringify(query))
            }
          }
        }
      })
    )
  },
  {
    says: "coverage-domain §1.3 a pair counts from its first to its last day, when both its columns are asked for",
    check: Effect.gen(function* () {
      const pair = pairOf({ deletionDate: day("2021-12-31") })
      yield* keep({ pairs: [pair], units: [] })
      const among = yield* found
      deepStrictEqual(yield* among("2020-01-01"), [pair])
      deepStrictEqual(yield* among("2021-12-31"), [pair])
      deepStrictEqual(yield* among("2019-12-31"), [])
      deepStrictEqual(yield* among("2022-01-01"), [])
      deepStrictEqual(yield* among("2021-01-01", ["E0601"]), [])
      deepStrictEqual(yield* among("2021-01-01", ["E0470", "'", "\0", "E0470", "E0601"]), [pair])
    })
  },
  {
    says: "coverage-domain §1.3 a later table corrects an edit and leaves alone what it does not name",
    check: Effect.gen(function* () {
      const [pair, other] = [pairOf({}), pairOf({ service: "outpatient_hospital", modifierIndicator: 1 })]
      const ended = { ...pair, deletionDate: day("2023-12-31"), modifierIndicator: 9 as const }
      yield* keep({ pairs: [pair, other], units: [] })
      yield* keep({ pairs: [ended], units: [] })
      const among = yield* found
      deepStrictEqual(yield* among("2023-12-31"), [other, ended])
      deepStrictEqual(yield* among("2024-01-01"), [other])
    })
  },
  {
    says: "coverage-domain §1.3 pairs come by service, then column 1, column 2 and effective date",
    check: Effect.gen(function* () {
      const early = pairOf({ column1: "E0470", column2: "E0601" })
      const inOrder = [
        early,
        { ...early, effectiveDate: day("2021-01-01") },
        { ...early, column2: "L8000" },
        { ...early, column1: "E0601", column2: "E0470" }
      ]
      const services = ["outpatient_hospital", "practitioner"] as const
      const expected = services.flatMap((service) => inOrder.map((pair) => ({ ...pair, service })))
      yield* keep({ pairs: expected.toReversed(), units: [] })
      const among = yield* found
      deepStrictEqual(yield* among("2021-01-01", ["L8000", "E0601", "E0470"]), expected)
    })
  },
  {
    says: "coverage-domain §1.3 units are those of the newest table of each service, which replaces the one before",
    check: Effect.gen(function* () {
      const [old, gone] = [unitOf({}), unitOf({ code: "E0470", units: 3 })]
      const next = unitOf({ units: 2, effectiveDate: day("2024-01-01") })
      const supplier = unitOf({ service: "dme_supplier" })
      yield* keep({ pairs: [], units: [old, gone, supplier, next] })
      const { among } = yield* ClaimEdits
      const units = (date: string) =>
        Effect.map(among({ codes: ["E0601", "E0470"], date: day(date) }), (edits) => edits.units)
      deepStrictEqual(yield* units("2019-12-31"), [])
      deepStrictEqual(yield* units("2023-12-31"), [supplier, gone, old])
      deepStrictEqual(yield* units("2024-01-01"), [supplier, next])
    })
  }
]

const keep = (given: { readonly pairs: ReadonlyArray<PtpEdit>; readonly units: ReadonlyArray<MueEdit> }) =>
  Effect.flatMap(Snapshots, ({ save }) =>
    save({ _tag: "Edits", snapshot: snapshotOf({ kind: "ncci_ptp" }), ...given })
  )

const found = Effect.map(
  ClaimEdits,
  (edits) =>
    (date: string, codes: ReadonlyArray<string> = ["E0601", "E0470"]) =>
      Effect.map(edits.among({ codes, date: day(date) }), ({ pairs }) => pairs)
)
