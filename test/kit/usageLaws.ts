import assert from "node:assert/strict"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { Usage } from "../../core/port/Usage.ts"
import { chargeOf, newAccount } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import type { Law } from "./Law.ts"
import type { UsedCall } from "./usageHistory.ts"
import { chargesOf, endOf, expectedOf, usageHistories } from "./usageHistory.ts"

/** The ports by which usage comes about, and the one that shows it. */
export type UsagePorts = Ledger | Organizations | Transactions | Usage

/** The same store through another process's connections. */
export class UsageElsewhere extends Context.Service<UsageElsewhere, Context.Context<UsagePorts>>()(
  "test/UsageElsewhere"
) {}

const day = "2026-11-21" as IsoDate
const before = "2026-11-20" as IsoDate
const after = "2026-11-22" as IsoDate

/** What every adapter keeps (core/port/Usage.ts), and law 10 of the ledger. */
export const usageLaws: ReadonlyArray<Law<UsagePorts | UsageElsewhere>> = [
  {
    says: "law 1: the summary is the fold of the calls, over day, operation, key, source and tool",
    check: Effect.gen(function* () {
      const elsewhere = yield* UsageElsewhere
      const histories = usageHistories(40, 20_261_121)
      const played = yield* Effect.forEach(
        histories,
        (used, index) => (index % 2 === 0 ? play(used) : Effect.provide(play(used), elsewhere)),
        { concurrency: 8 }
      )
      for (const [index, organizationId] of played.entries()) {
        yield* shows(organizationId, expectedOf(histories[index] ?? []))
      }
    })
  },
  {
    says: "law 2: what is gathered is counted once, however often and by however many",
    check: Effect.gen(function* () {
      const elsewhere = yield* UsageElsewhere
      const { organizationId } = yield* newAccount({ pack: "build" })
      const ledger = yield* Ledger
      const charges = Array.from({ length: 200 }, () => chargeOf(organizationId))
      const gathers = Effect.replicateEffect(
        Effect.flatMap(Usage, ({ gather }) => gather),
        20
      )
      yield* Effect.all(
        [
          Effect.forEach(charges, (charge) => ledger.charge(charge), { concurrency: 10 }),
          gathers,
          Effect.provide(gathers, elsewhere)
        ],
        { concurrency: "unbounded" }
      )
      yield* shows(organizationId, expectedOf(charges.map((given) => ({ given, endings: [] }))))
      yield* (yield* Usage).gather
      const [line] = yield* summary(organizationId, { from: day, to: day })
      assert.deepEqual([line?.calls, line?.credits], [200, 200])
    })
  },
  {
    says: "law 1: a write's charge counts as well, its tool too, and one that was refused does not",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const { write } = yield* Transactions
      const ledger = yield* Ledger
      const by = { source: "mcp", tool: "compliance_review" } as const
      const charge = chargeOf(organizationId, { cost: 4, ...by })
      const dear = chargeOf(organizationId, { cost: 101, ...by })
      const work = Effect.succeed({ _tag: "Keep", value: null, answer: new Uint8Array() } as const)
      yield* write({ claim: undefined, charge, work })
      yield* write({ claim: undefined, charge: dear, work })
      yield* ledger.charge(dear)
      yield* ledger.ended({ ...charge, status: 404 })
      yield* ledger.ended({ ...dear, status: 402 })
      yield* shows(organizationId, expectedOf([{ given: charge, endings: [404] }]))
    })
  },
  {
    says: "law 1: a charge that meets a renewal, and one that was given back, say their tool as any other",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const { charge, ended, refund } = yield* Ledger
      const by = { source: "mcp", tool: "claim_validation", cost: 6 } as const
      const late = chargeOf(organizationId, { ...by, atMs: beganMs + 40 * 86_400_000 })
      const lost = chargeOf(organizationId, { ...by, atMs: late.atMs })
      for (const given of [late, lost]) yield* charge(given)
      yield* refund(lost)
      yield* ended({ ...lost, status: 503 })
      const expected = [
        { given: late, endings: [] },
        { given: lost, endings: [503] }
      ]
      yield* shows(organizationId, expectedOf(expected))
    })
  },
  {
    says: "law 3: an organization sees its own usage, within the days it asks for, both included",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const [one, other] = [yield* newAccount({ pack: "credits" }), yield* newAccount({ pack: "credits" })]
      const charge = chargeOf(one.organizationId)
      yield* ledger.charge(charge)
      yield* ledger.ended({ organizationId: other.organizationId, requestId: charge.requestId, status: 404 })
      const expected = expectedOf([{ given: charge, endings: [] }])
      yield* shows(one.organizationId, expected)
      assert.deepEqual(yield* summary(other.organizationId, { from: before, to: after }), [])
      const ranges = [
        { from: day, to: day, seen: 1 },
        { from: before, to: before, seen: 0 },
        { from: after, to: after, seen: 0 },
        { from: before, to: day, seen: 1 },
        { from: day, to: after, seen: 1 }
      ] as const
      for (const { from, to, seen } of ranges) {
        assert.equal((yield* summary(one.organizationId, { from, to })).length, seen)
      }
    })
  }
]

/** What is kept while the store is unavailable. */
export const absentUsageLaws: ReadonlyArray<Law<Usage>> = [
  {
    says: "law 5: both verbs fail as unreachable",
    check: Effect.gen(function* () {
      const usage = yield* Usage
      const asked = { organizationId: "org_none" as OrganizationId, from: day, to: day }
      const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly fault: string }>> = [
        usage.summarize(asked),
        usage.gather
      ]
      for (const verb of verbs) assert.equal((yield* Effect.flip(verb)).fault, "unreachable")
    })
  }
]

/** Charges the calls, says how they ended, as often as the history does, and gathers in between. */
const play = Effect.fnUntraced(function* (used: ReadonlyArray<UsedCall>) {
  const ledger = yield* Ledger
  const usage = yield* Usage
  const { organizationId } = yield* newAccount({ pack: "scale" })
  for (const { call, charge } of chargesOf(organizationId, used)) {
    yield* ledger.charge(charge)
    if (charge.cost === 2) yield* usage.gather
    for (const status of call.endings) yield* ledger.ended({ ...charge, status })
    if (endOf(call) >= 500) yield* ledger.refund(charge)
  }
  return organizationId
})

const summary = (organizationId: OrganizationId, days: { readonly from: IsoDate; readonly to: IsoDate }) =>
  Effect.flatMap(Usage, ({ summarize }) => summarize({ organizationId, ...days }))

/** Soon, when the endings are written and everything is gathered. */
const shows = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  expected: ReturnType<typeof expectedOf>
) {
  const { gather } = yield* Usage
  const look = Effect.andThen(
    gather,
    summary(organizationId, { from: "0001-01-01" as IsoDate, to: "9999-12-31" as IsoDate })
  )
  const text = JSON.stringify(expected)
  const until = {
    until: (seen: unknown) => JSON.stringify(seen) === text,
    schedule: Schedule.spaced("50 millis")
  }
  yield* Effect.ignore(Effect.timeout(Effect.repeat(look, until), "3 seconds"))
  assert.deepEqual(yield* look, expected)
})
