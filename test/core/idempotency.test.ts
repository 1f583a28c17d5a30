import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { begin, keptMs, leaseMs } from "../../core/idempotency/record.ts"
import type { Invariant } from "../kit/idempotencyInvariants.ts"
import { invariants } from "../kit/idempotencyInvariants.ts"
import type { KeptRecord } from "../kit/idempotencyHistories.ts"
import { histories, play, startMs, transitions } from "../kit/idempotencyHistories.ts"
import { runs } from "../kit/runs.ts"

const holds = ({ breach }: Invariant) =>
  fc.check(
    fc.property(histories, (history) => breach(play(history, transitions)) === undefined),
    { numRuns: runs(500) }
  )

describe("§4.6.2 an idempotency key, under any interleaving of crash, retry and takeover", () => {
  it.each(invariants)(
    "$says",
    (invariant) => {
      const { failed, seed, counterexample } = holds(invariant)
      expect(failed, `seed ${seed}: ${JSON.stringify(counterexample)}`).toBe(false)
    },
    600_000
  )

  it("has eleven invariants", () => expect(invariants).toHaveLength(11))
})

describe("contract §1 the table of an idempotency record", () => {
  const running: KeptRecord = { _tag: "Running", fence: 3, fingerprint: "one", leaseUntilMs: startMs }
  const done: KeptRecord = {
    _tag: "Done",
    fence: 3,
    fingerprint: "one",
    answer: "kept",
    expiresAtMs: startMs
  }
  const told: ReadonlyArray<readonly [string, KeptRecord, number, string, string]> = [
    ["never used", { _tag: "Absent", fence: 0 }, 0, "Execute", "Execute"],
    ["released", { _tag: "Absent", fence: 3 }, 0, "Execute", "Execute"],
    ["running, one millisecond before its lease ends", running, -1, "InProgress", "Conflict"],
    ["running, as its lease ends", running, 0, "Execute", "Conflict"],
    ["running, one millisecond after its lease ended", running, 1, "Execute", "Conflict"],
    ["done, one millisecond before its answer expires", done, -1, "Replay", "Conflict"],
    ["done, as its answer expires", done, 0, "Execute", "Execute"],
    ["done, one millisecond after its answer expired", done, 1, "Execute", "Execute"]
  ]
  it.each(told)("%s: the same body, and another", (_, record, beyondMs, same, other) => {
    const ask = (fingerprint: string) => begin(record, { fingerprint, nowMs: startMs + beyondMs })
    expect(ask("one")[0]._tag).toBe(same)
    expect(ask("other")[0]._tag).toBe(other)
    if (same === "Execute") expect(ask("one")[0]).toEqual({ _tag: "Execute", fence: record.fence + 1 })
  })

  it("a lease lasts five seconds and an answer a day", () => {
    expect([leaseMs, keptMs]).toEqual([5_000, 86_400_000])
  })
})
