import { it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { refused } from "../../core/error/Refusal.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { commit, prepare } from "../../core/handler/WritePlan.ts"
import { freshId } from "../kit/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { inMemory, subject } from "../kit/keyedCalls.ts"

describe("§4.6.2 a call with an X-Idempotency-Key", () => {
  it.effect(
    "runs once; a repeat gets status and body again under its own request id, and spends nothing",
    () =>
      Effect.gen(function* () {
        const { within, marked, stated } = yield* subject()
        const [first, second] = [yield* within(), yield* within()]
        expect(first).toMatchObject({ status: 200, cost: "4", json: { data: { id: 7 } } })
        expect(first.headers).not.toHaveProperty("idempotent-replayed")
        expect(first.headers).toMatchObject({
          "x-credits-cost": "4",
          "x-credits-remaining": "96"
        })
        expect(second.status).toBe(200)
        expect(second.cost).toBe("0")
        const { "x-credits-remaining": _, ...kept } = first.headers as Record<string, string>
        expect(second.headers).toEqual({
          ...kept,
          "x-request-id": second.call.envelope.requestId,
          "x-credits-cost": "0",
          "idempotent-replayed": "true"
        })
        expect(second.json.data).toEqual(first.json.data)
        expect(second.json.meta).toEqual({
          note: "as it was",
          request_id: second.call.envelope.requestId,
          timestamp: second.call.envelope.now,
          cached: true,
          idempotency_key: "the client's key"
        })
        expect(second.body?.split(`"meta"`)[0]).toBe(first.body?.split(`"meta"`)[0])
        expect([yield* marked, yield* stated]).toEqual([1, 4])
      }).pipe(inMemory)
  )

  it.effect("replays what was refused with 404, which spent its cost", () =>
    Effect.gen(function* () {
      const { within, stated } = yield* subject()
      const missing = Effect.succeed(refused("RESOURCE_NOT_FOUND"))
      const [first, second] = [yield* within(missing), yield* within(Effect.die("ran again"))]
      expect([first.status, first.cost]).toEqual([404, "4"])
      expect([second.status, second.cost]).toEqual([404, "0"])
      expect(second.json.error).toEqual(first.json.error)
      expect(second.json.meta).toMatchObject({ cached: true, request_id: second.call.envelope.requestId })
      expect(yield* stated).toBe(4)
    }).pipe(inMemory)
  )

  it.effect("is refused while the first runs: the same body as in progress, another as a conflict", () =>
    Effect.gen(function* () {
      const { within, done, marked } = yield* subject()
      const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Effect.andThen(
        Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(go)),
        done
      )
      const first = yield* Effect.forkChild(within(slow))
      yield* Deferred.await(begun)
      const same = yield* within(Effect.die("ran twice"))
      const other = yield* within(Effect.die("ran another"), { body: `{"diff_id":8}` })
      expect([same.json.error.code, same.cost]).toEqual(["REQUEST_IDEMPOTENCY_IN_PROGRESS", "0"])
      expect([other.json.error.code, other.cost]).toEqual(["REQUEST_IDEMPOTENCY_CONFLICT", "0"])
      yield* Deferred.succeed(go, undefined)
      expect((yield* Fiber.join(first)).status).toBe(200)
      expect(yield* marked).toBe(1)
      const late = yield* within(Effect.die("ran another"), { body: `{"diff_id":8}` })
      expect(late.json.error.code).toBe("REQUEST_IDEMPOTENCY_CONFLICT")
      expect(
        (yield* within(Effect.die("ran again"), { body: ` { "diff_id" : 7.0 } ` })).json.meta.cached
      ).toBe(true)
    }).pipe(inMemory)
  )

  it.effect("keeps its turn for as long as it lives: a living owner renews, however slow", () =>
    Effect.gen(function* () {
      const { call, done, within } = yield* subject()
      const begun = yield* Deferred.make<void>()
      const slow = Effect.andThen(
        Effect.andThen(Deferred.succeed(begun, undefined), Effect.sleep("9 seconds")),
        done
      )
      const first = yield* Effect.forkChild(
        call(prepare(Effect.map(slow, (reply) => commit(Effect.succeed(reply)))))
      )
      yield* Deferred.await(begun)
      yield* TestClock.adjust("8 seconds")
      expect((yield* within(Effect.die("took over"))).json.error.code).toBe("REQUEST_IDEMPOTENCY_IN_PROGRESS")
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(first)).status).toBe(200)
    }).pipe(inMemory)
  )

  const broken: ReadonlyArray<
    readonly [string, Effect.Effect<never, { readonly _tag: string; readonly fault: StoreFault }>]
  > = [
    ["fails", Effect.fail({ _tag: "PoliciesUnavailable", fault: "timeout" })],
    ["dies", Effect.die("a bug")],
    ["is interrupted", Effect.interrupt]
  ]
  for (const [how, end] of broken) {
    it.effect(`whose work ${how} gives the key back at once, spends nothing and passes the cause on`, () =>
      Effect.gen(function* () {
        const { within, mark, marked, stated } = yield* subject()
        const first = yield* within(Effect.andThen(mark, end))
        expect(first.exit).toEqual(yield* Effect.exit(end))
        expect([yield* marked, yield* stated]).toEqual([0, 0])
        expect((yield* within()).status).toBe(200)
        expect([yield* marked, yield* stated]).toEqual([1, 4])
      }).pipe(inMemory)
    )
  }

  it.effect("answered with a 5xx is not kept: nothing was written or spent, and the repeat runs", () =>
    Effect.gen(function* () {
      const { within, mark, marked, stated } = yield* subject()
      const down = Effect.as(mark, refused("SERVER_UPSTREAM_UNAVAILABLE"))
      const first = yield* within(down)
      expect([first.status, first.cost]).toEqual([503, "0"])
      expect([yield* marked, yield* stated]).toEqual([0, 0])
      expect((yield* within()).status).toBe(200)
    }).pipe(inMemory)
  )

  it.effect("§8.3 that cannot be paid does not run, is not kept, and runs once there are credits", () =>
    Effect.gen(function* () {
      const { call, within, organizationId, marked } = yield* subject()
      const ledger = yield* Ledger
      yield* Effect.forEach(Array.from({ length: 24 }), () => within(undefined, { key: freshId("key ") }))
      yield* within(undefined, { key: freshId("key ") })
      const short = yield* within()
      expect(short.json.error).toMatchObject({
        code: "BILLING_CREDITS_EXHAUSTED",
        details: { requests_required: 4, requests_available: 0 }
      })
      expect([short.cost, String(short.call.receipt.remaining)]).toEqual(["0", "0"])
      const outside = yield* call(prepare(Effect.die("went out unpaid")))
      expect(outside.json.error.code).toBe("BILLING_CREDITS_EXHAUSTED")
      yield* ledger.grant({ organizationId, amount: 4, grantId: freshId("grant_"), atMs: beganMs })
      expect((yield* within()).status).toBe(200)
      expect(yield* marked).toBe(26)
    }).pipe(inMemory)
  )

  it.effect("of another operation, organization or key is another one", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* subject(), yield* subject()]
      yield* one.within()
      expect((yield* other.within()).json.meta.cached).toBeUndefined()
      expect(
        (yield* one.within(undefined, { key: "the client's other key" })).json.meta.cached
      ).toBeUndefined()
    }).pipe(inMemory)
  )
})

describe("contract §1 a call without the key", () => {
  it.effect("is one transaction all the same, and runs every time", () =>
    Effect.gen(function* () {
      const { within, marked, stated } = yield* subject()
      yield* within(undefined, { key: undefined })
      yield* within(undefined, { key: undefined })
      expect([yield* marked, yield* stated]).toEqual([2, 8])
    }).pipe(inMemory)
  )
})
