import { deepStrictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as fc from "fast-check"
import type { NcdCode, NcdCodeList } from "../../core/coverage/NcdCode.ts"
import { ncdCodeOrigins } from "../../core/coverage/NcdCode.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { id, ncdCodeOf } from "./library.ts"
import { anyNcdCodes, procedures } from "./libraryArbitraries.ts"
import { withSeed } from "./withSeed.ts"

/** What every store of NCD codes keeps (core/port/NcdCodes.ts); each check wants an empty library. */
export const ncdCodesLaws: ReadonlyArray<Law<NcdCodes | Snapshots>> = [
  {
    says: "coverage-domain §2.1 rule 4: imported rows add to the newest shipped list and stand before its rows",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const kept: Record<NcdCodeList["origin"], Map<string, NcdCode>> = {
          shipped: new Map(),
          imported: new Map()
        }
        const list = fc.record({ origin: fc.constantFrom(...ncdCodeOrigins), rows: anyNcdCodes })
        for (const { origin, rows } of draw(list, 12)) {
          yield* save({ origin, rows })
          if (origin === "shipped") kept.shipped.clear()
          for (const row of rows) kept[origin].set(`${row.policyId} ${row.code}`, row)
          for (const codes of draw(fc.subarray([...procedures, "G0283", "NONE"]), 4)) {
            const expected = [...new Map([...kept.shipped, ...kept.imported])]
              .filter(([, row]) => codes.includes(row.code))
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([, row]) => row)
            deepStrictEqual(yield* among(...codes), expected, JSON.stringify({ origin, codes }))
          }
        }
      })
    )
  },
  {
    says: "contract §4 the same list twice writes nothing and outdates no answer; a new one does",
    check: Effect.gen(function* () {
      const { generation } = yield* Snapshots
      const [first, second] = [ncdCodeOf({}), ncdCodeOf({ policyId: id("NCD 1.2") })]
      const shipped = { origin: "shipped", rows: [first, second] } as const
      deepStrictEqual(yield* save(shipped), { written: 2 })
      const before = yield* generation
      deepStrictEqual(yield* save(shipped), { written: 0 })
      deepStrictEqual(yield* generation, before)
      deepStrictEqual(yield* save({ ...shipped, rows: [{ ...first, source: "Another" }] }), { written: 2 })
      // What another store wrote shows within a second.
      const grown = generation.pipe(
        Effect.repeat({ until: (now) => now > before, schedule: Schedule.spaced("50 millis"), times: 40 })
      )
      deepStrictEqual((yield* grown) > before, true)
      deepStrictEqual(yield* among("E0601"), [{ ...first, source: "Another" }])
    })
  },
  {
    says: "contract §4 an operator's row outlasts every shipped list and is replaced by the operator's next",
    check: Effect.gen(function* () {
      const row = ncdCodeOf({})
      const own = { ...row, role: "denies", source: "Own" } as const
      yield* save({ origin: "imported", rows: [own] })
      yield* save({ origin: "shipped", rows: [row] })
      deepStrictEqual(yield* among("E0601"), [own])
      yield* save({ origin: "shipped", rows: [] })
      deepStrictEqual(yield* among("E0601"), [own])
      deepStrictEqual(yield* save({ origin: "imported", rows: [own, row] }), { written: 1 })
      deepStrictEqual(yield* among("E0601", "E0601", "'", "\0"), [row])
    })
  },
  {
    says: "processes that start together write a shipped list once",
    check: Effect.gen(function* () {
      const list = { origin: "shipped", rows: [ncdCodeOf({}), ncdCodeOf({ code: "E0470" })] } as const
      const saves = yield* Effect.all([save(list), save(list), save(list)], { concurrency: 3 })
      deepStrictEqual(
        saves.map(({ written }) => written).toSorted((a, b) => a - b),
        [0, 0, 2]
      )
    })
  }
]

const save = (list: NcdCodeList) => Effect.flatMap(NcdCodes, (ncdCodes) => ncdCodes.save(list))

const among = (...codes: ReadonlyArray<string>) =>
  Effect.flatMap(NcdCodes, (ncdCodes) => ncdCodes.among({ codes }))
