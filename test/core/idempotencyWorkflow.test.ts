import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { StoreFault } from "../../core/port/StoreFault.ts"
import { Idempotency, IdempotencyUnavailable } from "../../core/port/Idempotency.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Settings } from "../../core/port/Settings.ts"
import { Transactions, TransactionsUnavailable } from "../../core/port/Transactions.ts"
import { makeIdempotent } from "../../core/workflow/idempotent.ts"
import type { Unavailable } from "../../core/workflow/Handler.ts"
import type { Answer } from "../../core/workflow/reply.ts"
import { refuse, succeed } from "../../core/workflow/reply.ts"
import type { Work } from "../../core/workflow/writing.ts"
import { created, freshId } from "../kit/accounts.ts"
import { beganMs } from "../kit/creditHistory.ts"
import { Marks } from "../kit/marks.ts"
import { memoryWrites } from "../kit/writes.ts"
import { publication, writeCall } from "../kit/writeCalls.ts"

const secrets = ["the first secret of the tests, 32 long", "the second one"] as const
const settingsOf = (...secretKeys: readonly [string, ...ReadonlyArray<string>]) =>
  Layer.succeed(Settings, { ...publication, secretKeys })

/** A fresh store with an organization of 100 credits, and a way to call its one operation, which costs 4. */
const subject = Effect.fnUntraced(function*(given: {
  readonly key?: string
  readonly secretKeys?: readonly [string, ...ReadonlyArray<string>]
} = {}) {
  const { organizationId } = yield* created({ pack: "credits" })
  const idempotent = yield* makeIdempotent.pipe(Effect.provide(settingsOf(...(given.secretKeys ?? secrets))))
  const marks = yield* Marks
  const mark = freshId("mark_")
  const call = (work: Work, changed: Changed = {}) => {
    const { call, request } = writeCall(organizationId, { key: "the client's key", ...changed })
    return Effect.map(Effect.exit(idempotent(call, request, work)), (exit) => ({
      ...(Exit.isSuccess(exit) ? exit.value : { status: 0, headers: {}, body: undefined }),
      exit,
      call,
      json: Exit.isSuccess(exit) ? JSON.parse(exit.value.body ?? "null") : undefined,
      cost: call.envelope.headers["x-credits-cost"]
    }))
  }
  const done = Effect.as(marks.set(mark), succeed(call0, JSON.stringify({ id: 7, n: 1e21, "2": [null], "1": "é\ud800" }), { note: "as it was" }))
  const ledger = yield* Ledger
  return {
    call,
    within: (work: Effect.Effect<Answer, Unavailable> = done, changed: Changed = {}) => call({ _tag: "Within", work }, changed),
    done,
    mark: marks.set(mark),
    marked: marks.count(mark),
    stated: Effect.map(ledger.statement({ organizationId, nowMs: beganMs }), (statement) => statement?.charged),
    organizationId
  }
})

interface Changed {
  readonly body?: string
  readonly key?: string | undefined
}

const call0 = writeCall("org_0", { key: undefined }).call.envelope

const inMemory = Effect.provide(Layer.merge(memoryWrites, nodeCrypto))

describe("§4.6.2 a call with an X-Idempotency-Key", () => {
  it.effect("runs once; a repeat gets status and body again under its own request id, and spends nothing", () =>
    Effect.gen(function*() {
      const { within, marked, stated } = yield* subject()
      const [first, second] = [yield* within(), yield* within()]
      expect(first).toMatchObject({ status: 200, cost: "4", json: { data: { id: 7 } } })
      expect(first.headers).not.toHaveProperty("idempotent-replayed")
      expect(first.call.envelope.headers).toMatchObject({ "x-credits-cost": "4", "x-credits-remaining": "96" })
      expect(second.status).toBe(200)
      expect(second.cost).toBe("0")
      expect(second.headers).toEqual({ ...first.headers, "idempotent-replayed": "true" })
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
    }).pipe(inMemory))

  it.effect("replays what was refused with 404, which spent its cost", () =>
    Effect.gen(function*() {
      const { within, stated } = yield* subject()
      const missing = Effect.sync(() => refuse(call0, refused("RESOURCE_NOT_FOUND")))
      const [first, second] = [yield* within(missing), yield* within(Effect.die("ran again"))]
      expect([first.status, first.cost]).toEqual([404, "4"])
      expect([second.status, second.cost]).toEqual([404, "0"])
      expect(second.json.error).toEqual(first.json.error)
      expect(second.json.meta).toMatchObject({ cached: true, request_id: second.call.envelope.requestId })
      expect(yield* stated).toBe(4)
    }).pipe(inMemory))

  it.effect("is refused while the first runs: the same body as in progress, another as a conflict", () =>
    Effect.gen(function*() {
      const { within, done, marked } = yield* subject()
      const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(go)), done)
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
      expect((yield* within(Effect.die("ran again"), { body: ` { "diff_id" : 7.0 } ` })).json.meta.cached).toBe(true)
    }).pipe(inMemory))

  it.effect("keeps its turn for as long as it lives: a living owner renews, however slow", () =>
    Effect.gen(function*() {
      const { call, done, within } = yield* subject()
      const begun = yield* Deferred.make<void>()
      const slow = Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Effect.sleep("9 seconds")), done)
      const first = yield* Effect.forkChild(call({ _tag: "Before", work: Effect.map(slow, Effect.succeed) }))
      yield* Deferred.await(begun)
      yield* TestClock.adjust("8 seconds")
      expect((yield* within(Effect.die("took over"))).json.error.code).toBe("REQUEST_IDEMPOTENCY_IN_PROGRESS")
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(first)).status).toBe(200)
    }).pipe(inMemory))

  const broken: ReadonlyArray<readonly [string, Effect.Effect<never, { readonly _tag: string; readonly fault: StoreFault }>]> = [
    ["fails", Effect.fail({ _tag: "PoliciesUnavailable", fault: "timeout" })],
    ["dies", Effect.die("a bug")],
    ["is interrupted", Effect.interrupt]
  ]
  for (const [how, end] of broken) {
    it.effect(`whose work ${how} gives the key back at once, spends nothing and passes the cause on`, () =>
      Effect.gen(function*() {
        const { within, mark, marked, stated } = yield* subject()
        const first = yield* within(Effect.andThen(mark, end))
        expect(first.exit).toEqual(yield* Effect.exit(end))
        expect([yield* marked, yield* stated]).toEqual([0, 0])
        expect((yield* within()).status).toBe(200)
        expect([yield* marked, yield* stated]).toEqual([1, 4])
      }).pipe(inMemory))
  }

  it.effect("answered with a 5xx is not kept: nothing was written or spent, and the repeat runs", () =>
    Effect.gen(function*() {
      const { within, mark, marked, stated } = yield* subject()
      const down = Effect.map(mark, () => refuse(call0, refused("SERVER_UPSTREAM_UNAVAILABLE")))
      const first = yield* within(down)
      expect([first.status, first.cost]).toEqual([503, "0"])
      expect([yield* marked, yield* stated]).toEqual([0, 0])
      expect((yield* within()).status).toBe(200)
    }).pipe(inMemory))

  it.effect("§8.3 that cannot be paid does not run, is not kept, and runs once there are credits", () =>
    Effect.gen(function*() {
      const { call, within, organizationId, marked } = yield* subject()
      const ledger = yield* Ledger
      yield* Effect.forEach(Array.from({ length: 24 }), () => within(undefined, { key: freshId("key ") }))
      yield* within(undefined, { key: freshId("key ") })
      const short = yield* within()
      expect(short.json.error).toMatchObject({
        code: "BILLING_CREDITS_EXHAUSTED", details: { requests_required: 4, requests_available: 0 }
      })
      expect([short.cost, short.call.envelope.headers["x-credits-remaining"]]).toEqual(["0", "0"])
      const outside = yield* call({ _tag: "Before", work: Effect.die("went out unpaid") })
      expect(outside.json.error.code).toBe("BILLING_CREDITS_EXHAUSTED")
      yield* ledger.grant({ organizationId, amount: 4, grantId: freshId("grant_"), atMs: beganMs })
      expect((yield* within()).status).toBe(200)
      expect(yield* marked).toBe(26)
    }).pipe(inMemory))

  it.effect("of another operation, organization or key is another one", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* subject(), yield* subject()]
      yield* one.within()
      expect((yield* other.within()).json.meta.cached).toBeUndefined()
      expect((yield* one.within(undefined, { key: "the client's other key" })).json.meta.cached).toBeUndefined()
    }).pipe(inMemory))
})

describe("contract §1 a call without the key", () => {
  it.effect("is one transaction all the same, and runs every time", () =>
    Effect.gen(function*() {
      const { within, marked, stated } = yield* subject()
      yield* within(undefined, { key: undefined })
      yield* within(undefined, { key: undefined })
      expect([yield* marked, yield* stated]).toEqual([2, 8])
    }).pipe(inMemory))
})

/** The memory's own ports with one of them broken. */
const withBroken = <Id, Shape>(key: Context.Key<Id, Shape>, spoil: (right: Shape) => Shape) =>
  Effect.provide(Layer.provideMerge(
    Layer.effect(key, Effect.map(key, spoil)), Layer.merge(memoryWrites, nodeCrypto)
  ))

describe("contract §1 Server faults of a call with an X-Idempotency-Key", () => {
  const faults: ReadonlyArray<StoreFault> = ["unreachable", "refused", "timeout", "unknown_outcome"]
  for (const fault of faults) {
    it.effect(`that cannot begin (${fault}) answers SERVER_IDEMPOTENCY_UNAVAILABLE and does not run`, () =>
      Effect.gen(function*() {
        const { within } = yield* subject()
        const answer = yield* within(Effect.die("ran"))
        expect([answer.json.error.code, answer.cost]).toEqual(["SERVER_IDEMPOTENCY_UNAVAILABLE", "0"])
      }).pipe(withBroken(Idempotency, (right) =>
        ({ ...right, begin: () => Effect.fail(new IdempotencyUnavailable({ fault })) }))))
  }

  const lost = (write: Transactions["Service"]["write"]): Transactions["Service"]["write"] => (asked) =>
    Effect.andThen(write(asked), Effect.fail(new TransactionsUnavailable({ fault: "unknown_outcome" })))
  it.effect("whose COMMIT is lost answers SERVER_UNAVAILABLE and leaves the record as it is", () =>
    Effect.gen(function*() {
      const { within } = yield* subject()
      const { exit } = yield* within()
      expect(exit).toEqual(Exit.fail(new TransactionsUnavailable({ fault: "unreachable" })))
      expect((yield* within(Effect.die("ran again"))).json.meta.cached).toBe(true)
    }).pipe(withBroken(Transactions, (right) => ({ ...right, write: lost(right.write) }))))

  const never: Transactions["Service"]["write"] = () =>
    Effect.fail(new TransactionsUnavailable({ fault: "unknown_outcome" }))
  it.effect("whose COMMIT is lost and never happened is taken over within a client's retries, and not before", () =>
    Effect.gen(function*() {
      const { within } = yield* subject()
      yield* within()
      expect((yield* within()).json.error.code).toBe("REQUEST_IDEMPOTENCY_IN_PROGRESS")
      yield* TestClock.adjust("5 seconds")
      expect((yield* within()).exit).toEqual(Exit.fail(new TransactionsUnavailable({ fault: "unreachable" })))
    }).pipe(withBroken(Transactions, (right) => ({ ...right, write: never }))))

  it.effect("without the key a lost COMMIT stays what it is: SERVER_DATABASE_ERROR", () =>
    Effect.gen(function*() {
      const { within } = yield* subject()
      const { exit } = yield* within(undefined, { key: undefined })
      expect(exit).toEqual(Exit.fail(new TransactionsUnavailable({ fault: "unknown_outcome" })))
    }).pipe(withBroken(Transactions, (right) => ({ ...right, write: never }))))

  it.effect("that cannot give its key back answers as it would, and the lease ends by itself", () =>
    Effect.gen(function*() {
      const { within } = yield* subject()
      const down = Effect.sync(() => refuse(call0, refused("SERVER_UPSTREAM_UNAVAILABLE")))
      expect((yield* within(down)).status).toBe(503)
      expect((yield* within()).json.error.code).toBe("REQUEST_IDEMPOTENCY_IN_PROGRESS")
      yield* TestClock.adjust("5 seconds")
      expect((yield* within()).status).toBe(200)
    }).pipe(withBroken(Idempotency, (right) =>
      ({ ...right, release: () => Effect.fail(new IdempotencyUnavailable({ fault: "unreachable" })) }))))
})

describe("contract §1 kept answers are encrypted with SECRET_KEY", () => {
  it.effect("what the store holds says nothing, opens under any key of the list, and under no other", () =>
    Effect.gen(function*() {
      const [old, rotated, lost] = [[secrets[1]], secrets, ["another secret"]] as const
      const { organizationId } = yield* created({ pack: "credits" })
      const kept: Array<Uint8Array> = []
      const transactions = yield* Transactions
      const spying = Layer.succeed(Transactions, {
        ...transactions,
        write: (asked) => transactions.write({
          ...asked,
          work: Effect.tap(asked.work, (worked) => Effect.sync(() => worked._tag === "Keep" && kept.push(worked.answer)))
        })
      })
      const ask = (secretKeys: readonly [string, ...ReadonlyArray<string>], work: Work) =>
        Effect.gen(function*() {
          const { call, request } = writeCall(organizationId, { key: "k" })
          const answer = yield* (yield* makeIdempotent)(call, request, work)
          return JSON.parse(answer.body ?? "")
        }).pipe(Effect.provide(Layer.merge(spying, settingsOf(...secretKeys))))
      const secret = Effect.sync(() => succeed(call0, `{"secret":"whsec_shown_once"}`, {}))
      yield* ask(old, { _tag: "Within", work: secret })
      expect(new TextDecoder("latin1").decode(kept[0])).not.toContain("whsec")
      const again: Work = { _tag: "Within", work: Effect.die("ran again") }
      expect((yield* ask(rotated, again)).data.secret).toBe("whsec_shown_once")
      expect((yield* ask(lost, again)).error.code).toBe("SERVER_IDEMPOTENCY_UNAVAILABLE")
    }).pipe(inMemory))
})
