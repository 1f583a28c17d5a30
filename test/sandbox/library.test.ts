import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { daysAgo, sandboxLibrary } from "../../apps/sandbox/library.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { Policies } from "../../core/port/Policies.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Payers } from "../../core/port/Payers.ts"
import { day, id, queryOf } from "../kit/library.ts"

const built = Layer.build(sandboxLibrary.pipe(Layer.provide(nodeCrypto)))
const asOf = day("2026-06-01")

const changesSince = (since: string | null) =>
  Effect.flatMap(Policies, (changes) =>
    changes.changes({
      since: since as IsoTime | null,
      policyId: null,
      changeType: null,
      policyType: null,
      before: null,
      limit: 200
    })
  )

/** What the library says when it is built on this day. */
const on = <A, E>(time: string, ask: Effect.Effect<A, E, Layer.Success<typeof sandboxLibrary>>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse(time))
    const library = yield* built
    return yield* Effect.provideContext(ask, library)
  })

describe("contract §3 the library of the sandbox", () => {
  it.effect("always has changes within the last 30 days and before, whatever the day", () =>
    Effect.gen(function* () {
      for (const today of ["2026-11-21T23:59:59.999Z", "2031-03-01T00:00:00.000Z"]) {
        const { changes } = yield* on(today, changesSince(null))
        const days = new Set(
          changes.map(
            (change) =>
              (Date.parse(`${today.slice(0, 10)}T00:00:00Z`) - Date.parse(change.changedAt)) / 86_400_000
          )
        )
        expect([...days].toSorted((a, b) => a - b)).toEqual([daysAgo.broughtUp, daysAgo.laidDown])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("is the same all day long, and its ids on every day", () =>
    Effect.gen(function* () {
      const morning = yield* on("2026-11-21T00:00:00Z", changesSince(null))
      const evening = yield* on("2026-11-21T23:59:00Z", changesSince(null))
      expect(evening).toEqual(morning)
      const later = yield* on("2027-02-03T10:00:00Z", changesSince(null))
      const ids = ({ changes }: typeof later) =>
        changes.map((change) => [change.diffId, change.policy.policyId, change.changeType])
      expect(ids(later)).toEqual(ids(morning))
    }).pipe(Effect.scoped)
  )

  it.effect("holds a change of every kind that the service records", () =>
    Effect.gen(function* () {
      const { changes } = yield* on("2026-11-21T12:00:00Z", changesSince(null))
      const kinds = new Set(changes.map((change) => change.changeType))
      expect(kinds).toEqual(
        new Set(["created", "retired", "codes_changed", "criteria_changed", "metadata_changed"])
      )
    }).pipe(Effect.scoped)
  )

  it.effect("holds national determinations of levels 1, 2, 3 and 4, and documents of every status", () =>
    Effect.gen(function* () {
      const library = yield* built
      const policies = Context.get(library, Policies)
      const levels = yield* Effect.forEach(["240.90", "280.6", "160.90", "20.8.1.1"], (section) =>
        Effect.map(
          policies.find({ policyId: id(`NCD ${section}`), asOf }),
          (one) => one?.version.coverageLevel
        )
      )
      expect(levels).toEqual([1, 2, 3, 4])
      const { listings } = yield* policies.search(queryOf({ status: "all", asOf, limit: 100 }))
      expect(new Set(listings.map((listing) => listing.status))).toEqual(
        new Set(["active", "retired", "proposed", "future", "unknown"])
      )
      expect(new Set(listings.map((listing) => listing.policy.policyType)).size).toBe(6)
    }).pipe(Effect.scoped)
  )

  it.effect("holds payers, edits of every indicator, and codes that ended or may not be submitted", () =>
    Effect.gen(function* () {
      const library = yield* built
      const payers = yield* Context.get(library, Payers).list
      expect(payers.map((payer) => payer.code)).toEqual(["cedar-valley", "medicare", "northstar"])
      const edits = Context.get(library, ClaimEdits)
      const among = (date: string) =>
        edits.among({ codes: ["62321", "62322", "62323", "64493", "64612", "64636"], date: day(date) })
      const { pairs, units } = yield* among("2026-06-01")
      expect(new Set(pairs.map((pair) => pair.modifierIndicator))).toEqual(new Set([0, 1]))
      expect(new Set(units.map((unit) => unit.adjudication))).toEqual(new Set([1, 2, 3]))
      expect((yield* among("2017-06-01")).pairs.map((pair) => pair.modifierIndicator)).toContain(9)
      const codes = yield* Context.get(library, Codes).find({
        codes: ["C9021", "M545", "M5450", "62323"],
        codeSystem: null,
        asOf
      })
      expect(codes.map((code) => [code.code, code.billable, code.terminationDate, code.description])).toEqual(
        [
          ["C9021", true, "2014-12-31", "Injection, obinutuzumab, 10 mg"],
          ["M545", false, null, "Low back pain"],
          ["M5450", true, null, "Low back pain, unspecified"],
          ["62323", true, null, null]
        ]
      )
      const before = yield* Context.get(library, Codes).find({
        codes: ["M545"],
        codeSystem: null,
        asOf: day("2021-06-01")
      })
      expect(before[0]?.billable).toBe(true)
    }).pipe(Effect.scoped)
  )
})
