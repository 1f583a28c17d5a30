import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { operationIds } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { makeCallOperation } from "./callOperation.ts"
import { settle } from "./ClientSettings.ts"
import type { ClientSettings } from "./ClientSettings.ts"
import type { Success } from "./readAnswer.ts"
import type {
  Answer,
  Arguments,
  CallOptions,
  Input,
  Item,
  JsonInput,
  PagedId,
  TextAnswer,
  TextId,
  TextInput
} from "./method.ts"
import { nextCursor, startWalk } from "./pages.ts"
import type { PagesOptions } from "./pages.ts"

export { CallFailed, CallRefused, failures } from "./CallError.ts"
export type { CallError, FailureCode } from "./CallError.ts"
export type { ClientSettings, Fetch } from "./ClientSettings.ts"
export { makeEffectClient } from "./effectClient.ts"
export type { EffectClient } from "./effectClient.ts"
export type { Answer, CallOptions, Data, Input, Item, PagedId, TextAnswer } from "./method.ts"
export type { PagesOptions } from "./pages.ts"
export { sandboxKey } from "./sandboxKey.ts"
export { verifyWebhook } from "./verifyWebhook.ts"
export type { ReceivedWebhook, VerifiedWebhook } from "./verifyWebhook.ts"

/** Of one call; the signal ends it, its waiting included, with the signal's own reason. */
export interface Options extends CallOptions {
  readonly signal?: AbortSignal
}
type WalkOptions = PagesOptions & Pick<Options, "signal">

type PromiseMethod<Id extends OperationId> = (Id extends TextId
  ? (input: TextInput<Id>, options?: Options) => Promise<TextAnswer>
  : unknown) &
  ((...given: Arguments<Id, Options>) => Promise<Answer<Id>>)

/** One method for each operation, and the lists as async iterables; all reject with a CallError. */
export type Client = { readonly [Id in OperationId]: PromiseMethod<Id> } & {
  /** The pages of a list from `input` on, each asked for when it is wanted. */
  readonly pages: <Id extends PagedId>(
    id: Id,
    input: JsonInput<Id>,
    options?: WalkOptions
  ) => AsyncGenerator<Answer<Id>, void>
  /** The rows of those pages. */
  readonly items: <Id extends PagedId>(
    id: Id,
    input: JsonInput<Id>,
    options?: WalkOptions
  ) => AsyncGenerator<Item<Id>, void>
}

/** Time in the hands of a test: what the client waits by. */
export interface TestClock {
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * The client whose calls are promises, for any platform with fetch, AbortSignal and Web Crypto. Throws
 * CallFailed SETTINGS_INVALID.
 */
export const makeClient = (settings: ClientSettings & { readonly waiting?: TestClock }): Client => {
  const calling = makeCallOperation(settle(settings))
  const { waiting } = settings
  const call = (
    id: OperationId,
    input: Readonly<Record<string, unknown>>,
    options: Options
  ): Promise<Success> => {
    const called = calling(id, input, options)
    return promised(
      waiting === undefined ? called : Effect.provideService(called, Clock.Clock, clockOf(waiting)),
      options.signal
    )
  }
  const methods = operationIds.map((id) => [
    id,
    (input: Input<OperationId> = {}, options: Options = {}) => call(id, input, options)
  ])
  const walked = { pages: pagesOf(call), items: itemsOf(call) }
  // What the catalogue says of each operation is known to the types alone.
  return { ...Object.fromEntries(methods), ...walked } as Client
}

type Call = (id: OperationId, input: Readonly<Record<string, unknown>>, options: Options) => Promise<Success>

const pagesOf = (call: Call) =>
  async function* (id: OperationId, input: Readonly<Record<string, unknown>>, options: WalkOptions = {}) {
    const walk = startWalk(options)
    const { signal } = options
    for (let asked = input; ; ) {
      const told = await call(id, asked, signal === undefined ? {} : { signal })
      const next = nextCursor(walk, told)
      if (Result.isFailure(next)) throw next.failure
      yield told
      if (next.success === null) return
      asked = { ...input, cursor: next.success }
    }
  }

const itemsOf = (call: Call) =>
  async function* (id: OperationId, input: Readonly<Record<string, unknown>>, options: WalkOptions = {}) {
    for await (const { data } of pagesOf(call)(id, input, options)) if (Array.isArray(data)) yield* data
  }

/** Rejects with the CallError itself, and with the signal's reason where that ended the call. */
const promised = async (
  called: Effect.Effect<Success, unknown>,
  signal: AbortSignal | undefined
): Promise<Success> => {
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(called, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) signal?.throwIfAborted()
  throw Cause.squash(exit.cause)
}

const clockOf = ({ nowMs, sleep }: TestClock): Clock.Clock => {
  const nanos = () => BigInt(nowMs()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => Effect.promise(() => sleep(Duration.toMillis(duration)))
  }
}
