import { setImmediate as turn } from "node:timers/promises"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { makeClient, makeEffectClient } from "../../adapters/client/client.ts"
import type {
  CallError,
  CallOptions,
  Client,
  ClientSettings,
  EffectClient,
  PagedId
} from "../../adapters/client/client.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"

/** A request as it reached the server, with its second of virtual time. */
export interface SeenRequest {
  readonly second: number
  readonly url: string
  readonly init: RequestInit
  readonly headers: Headers
}

/** What the server of a test does with its request of this number, from 0 on. */
export type RespondTo = (seen: SeenRequest, index: number) => Response | Promise<Response>

/** What came of a call: how it ended, when it was sent, and the second of its end. */
export interface Outcome {
  readonly ended: Result.Result<unknown, CallError>
  readonly seen: ReadonlyArray<SeenRequest>
  readonly second: number
}

/** Any method by its name, as both flavours have it. */
export interface MethodCall {
  readonly id: OperationId | "pages" | "items"
  readonly given: ReadonlyArray<unknown>
}

export const calls = (id: OperationId, input: object = {}, options: CallOptions = {}): MethodCall => ({
  id,
  given: [input, options]
})
export const walks = (
  id: "pages" | "items",
  list: PagedId,
  input: object = {},
  options: object = {}
): MethodCall => ({
  id,
  given: [list, input, options]
})

type Settings = Omit<ClientSettings, "baseUrl" | "fetch">
export type Run = (requested: MethodCall, serves: RespondTo, settings?: Settings) => Promise<Outcome>

export const key = "svc_test_0123456789abcdefghjkmnpqrst_0000"
const settled = { baseUrl: "https://api.coverage.example", key }

/** Nothing waits longer in these tests. */
const secondsMax = 1_000
/** The calls of both flavours pass some turns of the loop between two waits. */
const flush = async () => {
  for (let round = 0; round < 6; round++) await turn()
}

const server = (serves: RespondTo, second: () => number) => {
  const seen: Array<SeenRequest> = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const one = { second: second(), url, init, headers: new Headers(init.headers) }
    seen.push(one)
    return await serves(one, seen.length - 1)
  }
  return { seen, fetch }
}

const promised: Run = async ({ given, id }, serves, settings = {}) => {
  let nowMs = 0
  const sleepers: Array<{ readonly atMs: number; readonly wake: () => void }> = []
  const waiting = {
    nowMs: () => nowMs,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ atMs: nowMs + ms, wake }))
  }
  const dueAt = (ms: number) => sleepers.find(({ atMs }) => atMs <= ms)
  const { fetch, seen } = server(serves, () => nowMs / 1_000)
  const client = makeClient({ ...settled, ...settings, fetch, waiting })
  const method = client[id] as (...given: ReadonlyArray<unknown>) => Promise<unknown> | AsyncIterable<unknown>
  let ended: Outcome["ended"] | undefined
  const called =
    id === "pages" || id === "items" ? gathered(method(...given) as AsyncIterable<unknown>) : method(...given)
  Promise.resolve(called).then(
    (value) => (ended = Result.succeed(value)),
    (error) => (ended = Result.fail(error as CallError))
  )
  for (; nowMs < secondsMax * 1_000; nowMs += 1_000) {
    await flush()
    // A sleeper that wakes may sleep again for nothing, so those due are woken until none is.
    for (let due = dueAt(nowMs); due !== undefined; due = dueAt(nowMs)) {
      sleepers.splice(sleepers.indexOf(due), 1)
      due.wake()
      await flush()
    }
    if (ended !== undefined) return { ended, seen, second: nowMs / 1_000 }
  }
  throw new Error("the call never ended")
}

const gathered = async (items: AsyncIterable<unknown>) => {
  const all: Array<unknown> = []
  for await (const item of items) all.push(item)
  return all
}

const effectful: Run = ({ given, id }, serves, settings = {}) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const second = () => clock.currentTimeMillisUnsafe() / 1_000
    const { fetch, seen } = server(serves, second)
    const client = makeEffectClient({ ...settled, ...settings, fetch })
    const method = client[id] as (...given: ReadonlyArray<unknown>) => unknown
    const called =
      id === "pages" || id === "items"
        ? Stream.runCollect(method(...given) as Stream.Stream<unknown, CallError>)
        : (method(...given) as Effect.Effect<unknown, CallError>)
    const fiber = yield* Effect.forkChild(Effect.result(called))
    while (second() < secondsMax) {
      yield* Effect.promise(flush)
      const ended = fiber.pollUnsafe()
      if (ended !== undefined) return { ended: yield* Fiber.join(fiber), seen, second: second() }
      yield* TestClock.adjust("1 second")
    }
    return yield* Effect.die(new Error("the call never ended"))
  }).pipe(Effect.provide(TestClock.layer()), Effect.scoped, Effect.runPromise)

/** The same tests for both: they are one client. */
export const flavours: ReadonlyArray<readonly [string, Run]> = [
  ["Promise", promised],
  ["Effect", effectful]
]

/** Answers of a server, sound and otherwise. */
export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { headers: { "content-type": "application/json" }, ...init })

export const meta = { request_id: "req_00000000000000000000000000", timestamp: "2026-03-10T12:00:00.000Z" }
export const success = (data: unknown, more: object = {}): Response =>
  json({ success: true, data, meta: { ...meta, ...more } })

export type { Client, EffectClient }
