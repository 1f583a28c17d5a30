import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { Probes } from "../../core/port/Probes.ts"
import { components, conditionsOf } from "../../core/status/condition.ts"
import type { Component, Condition, Observation } from "../../core/status/condition.ts"
import { objectives } from "../../core/status/objectives.ts"
import { begin, observe, outagesMax } from "../../core/status/Status.ts"
import type { Outage, Status } from "../../core/status/Status.ts"
import { effect, headline, conditionMeaning } from "../../core/status/words.ts"
import { makeWatch } from "../../core/job/watchDependencies.ts"

const { firstAttemptSeconds } = objectives
const causes = ["database", "limits", "webhooks"] as const

const seen = (
  atMs: number,
  database: "up" | "down" = "up",
  cache: "up" | "down" = "up",
  webhookWaitSeconds: number | null = 0
): Observation => ({
  atMs,
  database: { status: database, latencyMs: 1 },
  cache: { status: cache, latencyMs: 1 },
  webhookWaitSeconds
})

/** Mostly a little later than the last, sometimes before it, as a clock that is set back says. */
const step = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: -5_000, max: 0 })),
  database: fc.constantFrom("up", "up", "down" as const),
  cache: fc.constantFrom("up", "down" as const),
  wait: fc.constantFrom(null, 0, firstAttemptSeconds, firstAttemptSeconds + 0.001, 3_600)
})

const historyOf = (length: { readonly minLength: number; readonly maxLength: number }) =>
  fc.array(step, { ...length, size: "max" }).map((all) => {
    let atMs = 1_800_000_000_000
    return all.map(({ afterMs, cache, database, wait }) => {
      atMs += afterMs
      return seen(atMs, database, cache, wait)
    })
  })

const history = historyOf({ minLength: 1, maxLength: 20 })
/** Of more outages than are kept. */
const longHistory = historyOf({ minLength: 40, maxLength: 120 })

const told = (all: ReadonlyArray<Observation>): Status => {
  const [first, ...others] = all
  if (first === undefined) throw new Error("a history begins")
  return others.reduce(observe, begin(first))
}

/** The conditions of one component as runs of the same, by a clock that never falls. */
const runsOf = (component: Component, all: ReadonlyArray<Observation>) => {
  const runs: Array<{ condition: Condition; fromMs: number; toMs: number | null }> = []
  let nowMs = Number.NEGATIVE_INFINITY
  for (const one of all) {
    nowMs = Math.max(nowMs, one.atMs)
    const wait = one.database.status === "down" ? null : one.webhookWaitSeconds
    const condition = conditionsOf({ ...one, webhookWaitSeconds: wait })[component]
    const last = runs.at(-1)
    if (last?.condition === condition) continue
    if (last !== undefined) last.toMs = nowMs
    runs.push({ condition, fromMs: nowMs, toMs: null })
  }
  return runs
}

const isOutage = ({ condition }: { readonly condition: Condition }) =>
  condition === "down" || condition === "degraded"

const order = (a: Outage, b: Outage) =>
  a.fromMs - b.fromMs || causes.indexOf(a.component) - causes.indexOf(b.component)

describe("the status as a fold over what was observed", () => {
  it("tells of every component the condition of the last observation, and since when it is so", () => {
    fc.assert(
      fc.property(history, (all) => {
        const { standings, seen: last } = told(all)
        expect(last.atMs).toBe(Math.max(...all.map(({ atMs }) => atMs)))
        for (const name of components) {
          const run = runsOf(name, all).at(-1)
          expect(standings[name]).toEqual({ condition: run?.condition, sinceMs: run?.fromMs })
        }
      })
    )
  })

  it("while they are few, the outages are the runs in which a cause was not as it should be", () => {
    fc.assert(
      fc.property(history, (all) => {
        const runs = causes.flatMap((component) =>
          runsOf(component, all)
            .filter(isOutage)
            .map((run) => ({ component, ...run }) as Outage)
        )
        fc.pre(runs.length <= outagesMax)
        expect(told(all).outages.toSorted(order)).toEqual(runs.toSorted(order))
      })
    )
  })

  it("keeps as many as it may, and never forgets one that lasts", () => {
    fc.assert(
      fc.property(longHistory, (all) => {
        const { outages, standings } = told(all)
        const runs = causes.flatMap((component) => runsOf(component, all).filter(isOutage))
        expect(outages).toHaveLength(Math.min(runs.length, outagesMax))
        for (const cause of causes) {
          const lasting = outages.filter(({ component, toMs }) => component === cause && toMs === null)
          expect(lasting.map(({ condition, fromMs }) => ({ condition, sinceMs: fromMs }))).toEqual(
            isOutage(standings[cause]) ? [standings[cause]] : []
          )
        }
        for (const { fromMs, toMs } of outages) expect(toMs ?? fromMs).toBeGreaterThanOrEqual(fromMs)
      })
    )
  })

  it("forgets the oldest that ended, and not the one that lasts since before it", () => {
    const flaps = Array.from({ length: 2 * outagesMax }, (_, index) => [
      seen(2 * index + 2, "up", "down", 60),
      seen(2 * index + 3, "up", "up", 60)
    ]).flat()
    const { outages } = told([seen(1, "up", "up", 60), ...flaps])
    expect(outages).toHaveLength(outagesMax)
    expect(outages[0]).toEqual({ component: "webhooks", condition: "degraded", fromMs: 1, toMs: null })
    const lastMs = 2 * (2 * outagesMax - 1) + 2
    expect(outages.at(-1)).toEqual({
      component: "limits",
      condition: "degraded",
      fromMs: lastMs,
      toMs: lastMs + 1
    })
  })

  it("the same said again changes only when it was read", () => {
    fc.assert(
      fc.property(history, (all) => {
        const before = told(all)
        const again = observe(before, { ...before.seen, atMs: before.seen.atMs + 1 })
        expect(again).toEqual({ ...before, seen: { ...before.seen, atMs: before.seen.atMs + 1 } })
      })
    )
  })

  it.each([
    ["up", "up", "up"],
    ["up", "down", "degraded"],
    ["down", "up", "down"],
    ["down", "down", "down"]
  ] as const)("with its database %s and its cache %s the service is %s", (database, cache, api) => {
    const conditions = conditionsOf(seen(1, database, cache))
    expect(conditions).toMatchObject({ api, database, limits: cache === "up" ? "up" : "degraded" })
  })

  it("without its database nobody knows how long webhooks wait, and no outage of theirs is told", () => {
    const { outages, seen: last, standings } = told([seen(1), seen(2, "down", "up", 3_600)])
    expect([last.webhookWaitSeconds, standings.webhooks.condition]).toEqual([null, "unknown"])
    expect(outages.map(({ component }) => component)).toEqual(["database"])
  })

  it("says something of every condition and every outage that there can be", () => {
    fc.assert(
      fc.property(history, (all) => {
        const status = told(all)
        expect(headline(status)).not.toBe("")
        for (const name of components)
          expect(conditionMeaning(name, status.standings[name].condition)).not.toBe("")
        for (const outage of status.outages) expect(effect(outage)).not.toBe("")
      })
    )
  })
})

describe("the watch", () => {
  it.effect("sees an outage of more than a second that nobody asked during", () =>
    Effect.gen(function* () {
      let now = seen(0)
      const read = Effect.sync(() => now)
      const status = yield* Effect.provideService(makeWatch, Probes, { read })
      yield* TestClock.adjust("10 seconds")
      now = seen(0, "down")
      yield* TestClock.adjust("5 seconds")
      now = seen(0)
      yield* TestClock.adjust("1 minute")
      const { outages, seen: last } = yield* status
      expect(last.atMs).toBe(75_000)
      expect(outages).toEqual([{ component: "database", condition: "down", fromMs: 11_000, toMs: 16_000 }])
    })
  )
})
