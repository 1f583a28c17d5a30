import { deepStrictEqual, ok } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { rulesAmong } from "../../core/coverage/priorAuth/rules.ts"
import type { PriorAuthContents, PriorAuthRow } from "../../core/coverage/PriorAuthRule.ts"
import { PriorAuthLists } from "../../core/port/PriorAuthLists.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { day } from "./library.ts"
import { withSeed } from "./withSeed.ts"

/** A row that asks everywhere since 2020, unless told otherwise. */
const rowOf = (given: Partial<PriorAuthRow>): PriorAuthRow => ({
  code: "E0193",
  effectiveDate: day("2020-01-01"),
  endDate: null,
  states: "all",
  sites: "all",
  exemption: null,
  sourceUrl: "https://example.org/list",
  ...given
})

const listOf = (given: Partial<PriorAuthContents>): PriorAuthContents => ({
  program: "DMEPOS",
  listAsOf: day("2026-01-01"),
  sourceUrl: "https://example.org/list",
  rows: [rowOf({})],
  ...given
})

const codes = ["E0193", "K0856", "15823", "A0428"] as const

const anyRow = fc
  .record({
    code: fc.constantFrom(...codes),
    effectiveDate: fc.constantFrom("2020-01-01", "2022-07-01").map(day),
    endDate: fc.constantFrom(null, day("2024-12-31")),
    states: fc.constantFrom<PriorAuthRow["states"]>("all", ["CA", "TX"], []),
    sites: fc.constantFrom<PriorAuthRow["sites"]>("all", ["outpatient_hospital"]),
    exemption: fc.constantFrom(null, "none for “small” suppliers", "it's \\ \0 '"),
    withCodes: fc.constantFrom(undefined, ["15823"], ["E0193", "K0001"])
  })
  .map(({ withCodes, ...row }) => rowOf(withCodes === undefined ? row : { ...row, withCodes }))

const anyList = fc
  .record({
    program: fc.constantFrom("DMEPOS", "OPD", "asc"),
    listAsOf: fc.constantFrom("2025-12-31", "2026-01-01", "2026-01-02").map(day),
    rows: fc.array(anyRow, { maxLength: 6 })
  })
  .map(listOf)

/** What every store of lists keeps (core/port/PriorAuthLists.ts); each check wants an empty library. */
export const priorAuthListsLaws: ReadonlyArray<Law<PriorAuthLists | Snapshots>> = [
  {
    says: "coverage-domain §2.1 rules among codes are the kernel's of the lists of the latest day",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const lists = yield* PriorAuthLists
        const kept = new Map<string, PriorAuthContents>()
        for (const [index, contents] of draw(anyList, 12).entries()) {
          const known = kept.get(contents.program)
          const isOlder = known !== undefined && known.listAsOf > contents.listAsOf
          const expected = isOlder ? { _tag: "Older", knownAsOf: known.listAsOf } : { _tag: "Saved" }
          deepStrictEqual(yield* lists.save({ snapshotId: `list ${index}`, contents }), expected)
          if (!isOlder) kept.set(contents.program, contents)
          for (const asked of draw(fc.subarray([...codes, "NONE", "\0"]), 3))
            deepStrictEqual(yield* lists.among({ codes: asked }), rulesAmong(kept.values(), asked))
        }
      })
    )
  },
  {
    says: "coverage-domain §2.1 the list that is kept is unchanged by itself, and the generation stands",
    check: Effect.gen(function* () {
      const { among, save } = yield* PriorAuthLists
      const { generation } = yield* Snapshots
      const [first, next] = [listOf({}), listOf({ rows: [rowOf({ code: "K0856" })] })]
      const began = yield* generation
      deepStrictEqual(yield* save({ snapshotId: "a", contents: first }), { _tag: "Saved" })
      deepStrictEqual(yield* save({ snapshotId: "b", contents: next }), { _tag: "Saved" })
      yield* Effect.sleep("1100 millis")
      const settled = yield* generation
      ok(settled > began)
      deepStrictEqual(yield* save({ snapshotId: "b", contents: next }), { _tag: "Unchanged" })
      yield* Effect.sleep("1100 millis")
      deepStrictEqual(yield* generation, settled)
      deepStrictEqual(
        (yield* among({ codes })).rules.map((rule) => rule.codes),
        [["K0856"]]
      )
    })
  },
  {
    says: "coverage-domain §2.1 of lists that race, the one of the latest day is kept whole",
    check: Effect.gen(function* () {
      const { among, save } = yield* PriorAuthLists
      const days = ["2026-01-03", "2026-01-01", "2026-01-05", "2026-01-02", "2026-01-04"]
      yield* Effect.forEach(
        days,
        (date) =>
          save({
            snapshotId: date,
            contents: listOf({ listAsOf: day(date), rows: [rowOf({ exemption: date })] })
          }),
        { concurrency: "unbounded" }
      )
      const { lists, rules } = yield* among({ codes })
      deepStrictEqual(
        lists.map((list) => list.listAsOf),
        ["2026-01-05"]
      )
      deepStrictEqual(
        rules.map((rule) => rule.exemption),
        ["2026-01-05"]
      )
    })
  }
]
