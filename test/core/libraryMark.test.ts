import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { snapshotKinds, Snapshots } from "../../core/port/Snapshots.ts"
import { makeLibraryVersion } from "../../core/call/responseCache.ts"
import { day, importedAt, snapshotOf } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"

describe("contract §1 meta.data_as_of", () => {
  for (const kind of snapshotKinds) {
    const isDating = !["ncci_ptp", "mue", "pfs"].includes(kind)
    it.effect(`is ${isDating ? "" : "not "}moved by a newer snapshot of ${kind}`, () =>
      Effect.gen(function* () {
        const { complete } = yield* Snapshots
        const [older, newer] = [day("2026-03-05"), day("2026-04-01")]
        const policies = snapshotOf({ snapshotId: "policies", sourceAsOf: older })
        yield* complete({ snapshot: policies, at: importedAt })
        yield* complete({
          snapshot: snapshotOf({ snapshotId: kind, kind, sourceAsOf: newer }),
          at: importedAt
        })
        const mark = yield* (yield* makeLibraryVersion)()
        expect(mark.dataAsOf).toBe(isDating ? newer : older)
      }).pipe(Effect.provide(memoryLibrary))
    )
  }
})

describe("docs/decisions/0013", () => {
  it.effect(
    "the generation that a process begins with has settled, and a later one does in two seconds",
    () =>
      Effect.gen(function* () {
        const { complete } = yield* Snapshots
        const mark = yield* makeLibraryVersion
        expect((yield* mark()).settled).toBe(true)
        yield* complete({ snapshot: snapshotOf({ snapshotId: "policies" }), at: importedAt })
        yield* TestClock.adjust(200)
        expect((yield* mark()).settled).toBe(false)
        yield* TestClock.adjust(1_999)
        expect((yield* mark()).settled).toBe(false)
        yield* TestClock.adjust(200)
        expect((yield* mark()).settled).toBe(true)
      }).pipe(Effect.provide(memoryLibrary))
  )
})
