import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { dayMs } from "../../core/limit/quota.ts"
import { timeId } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { DayUses } from "../../core/port/DayUses.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { chargeOf, newAccount, freshId } from "./accounts.ts"
import type { Usage } from "./dayUses.ts"
import { UsageElsewhere } from "./dayUses.ts"
import type { Law } from "./Law.ts"
import { runs } from "./runs.ts"

/** What every reader of a day's use keeps (core/port/DayUses.ts). */
export const dayUsesLaws: ReadonlyArray<Law<Usage>> = [
  {
    says: "law 1: it sums the cost of the calls that began on the day, first and last millisecond included",
    check: Effect.suspend(() => Effect.forEach(fc.sample(histories, runs(10)), sums, { discard: true }))
  },
  {
    says: "law 2: a call whose credits were given back has used its quota all the same",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "scale", createdMs: beganMs })
      const requestId = yield* charged(organizationId, { atMs: beganMs, cost: 6 })
      const { refund } = yield* Ledger
      assert.equal(yield* refund({ organizationId, requestId, atMs: beganMs }), true)
      assert.equal(yield* usedBy(organizationId), 6)
    })
  },
  {
    says: "law 3: another organization's calls, an unknown organization's and a test key's are not counted",
    check: Effect.gen(function* () {
      const [one, other] = [
        yield* newAccount({ pack: "scale", createdMs: beganMs }),
        yield* newAccount({ pack: "scale", createdMs: beganMs })
      ]
      yield* charged(one.organizationId, { atMs: beganMs, cost: 8 })
      yield* charged(other.organizationId, { atMs: beganMs, cost: 1 })
      assert.equal(yield* usedBy(other.organizationId), 1)
      assert.equal(yield* usedBy(freshId("org_")), 0)
      const { read } = yield* DayUses
      assert.equal(yield* read({ subject: `key:${one.organizationId}`, day }), 0)
    })
  },
  {
    says: "law 3: who asks at once with many others, of other organizations and days, is told its own",
    check: Effect.gen(function* () {
      const { read } = yield* DayUses
      const organizations = yield* Effect.replicateEffect(
        newAccount({ pack: "scale", createdMs: beganMs - dayMs }),
        30
      )
      const asked = organizations.flatMap(({ organizationId }, nth) => [
        { organizationId, day, used: nth % 5 },
        { organizationId, day: day - 1, used: nth % 3 }
      ])
      for (const { organizationId, day: of, used } of asked)
        if (used > 0) yield* charged(organizationId, { atMs: of * dayMs, cost: used })
      const told = yield* Effect.forEach(
        asked,
        ({ organizationId, day: of }) => read({ subject: `org:${organizationId}`, day: of }),
        { concurrency: "unbounded" }
      )
      assert.deepEqual(
        told,
        asked.map(({ used }) => used)
      )
    })
  },
  {
    says: "law 3: a call that credits refused has used nothing",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits", createdMs: beganMs })
      yield* charged(organizationId, { atMs: beganMs, cost: 99 })
      yield* charged(organizationId, { atMs: beganMs, cost: 2 })
      assert.equal(yield* usedBy(organizationId), 99)
    })
  }
]

/** What it keeps when two processes share the rows. */
export const sharedDayUsesLaws: ReadonlyArray<Law<Usage | UsageElsewhere>> = [
  {
    says: "law 4: a call that was answered is counted by the next read on another connection",
    check: Effect.gen(function* () {
      const elsewhere = yield* UsageElsewhere
      const { organizationId } = yield* newAccount({ pack: "scale", createdMs: beganMs })
      for (const cost of [1, 2, 3]) {
        yield* charged(organizationId, { atMs: beganMs, cost })
        assert.equal(yield* Effect.provide(usedBy(organizationId), elsewhere), (cost * (cost + 1)) / 2)
      }
    })
  }
]

/** What it keeps while the rows are unavailable. */
export const absentDayUsesLaws: ReadonlyArray<Law<DayUses>> = [
  {
    says: "law 5: rows that are unavailable fail as unreachable",
    check: Effect.gen(function* () {
      assert.equal((yield* Effect.flip(usedBy(freshId("org_")))).fault, "unreachable")
    })
  }
]

const day = 20_300
const beganMs = day * dayMs

/** Calls of three days, leaning on their edges. */
const histories = fc.array(
  fc.record({
    atMs: fc
      .constantFrom(-dayMs, -1, 0, 1, dayMs / 2, dayMs - 1, dayMs, dayMs + 1)
      .map((sinceMs) => beganMs + sinceMs),
    cost: fc.constantFrom(1, 2, 3, 4, 6, 8)
  }),
  { maxLength: 12, size: "max" }
)

const sums = Effect.fnUntraced(function* (
  history: ReadonlyArray<{ readonly atMs: number; readonly cost: number }>
) {
  const { organizationId } = yield* newAccount({ pack: "scale", createdMs: beganMs - dayMs })
  for (const call of history) yield* charged(organizationId, call)
  const within = history.filter(({ atMs }) => atMs >= beganMs && atMs < beganMs + dayMs)
  assert.equal(
    yield* usedBy(organizationId),
    within.reduce((sum, { cost }) => sum + cost, 0)
  )
})

let drawn = 0

/** A charge under a request id that begins with its time, as real ones do. */
const charged = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  { atMs, cost }: { readonly atMs: number; readonly cost: number }
) {
  const randomBytes = new Uint8Array(10)
  new DataView(randomBytes.buffer).setUint32(6, drawn++)
  const requestId = `req_${timeId({ nowMs: atMs, randomBytes })}`
  yield* (yield* Ledger).charge(chargeOf(organizationId, { requestId, atMs, cost }))
  return requestId
})

const usedBy = (organizationId: string) =>
  Effect.flatMap(DayUses, ({ read }) => read({ subject: `org:${organizationId}`, day }))
