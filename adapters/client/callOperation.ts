import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { isObject } from "../../core/json/isObject.ts"
import { operationRow, isWrite } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { afterAttempts, callFailure } from "./CallError.ts"
import type { CallError } from "./CallError.ts"
import type { ValidSettings } from "./ClientSettings.ts"
import { wireRequest } from "./WireRequest.ts"
import type { WireRequest } from "./WireRequest.ts"
import { exchange } from "./exchange.ts"
import type { Reply } from "./exchange.ts"
import type { CallOptions } from "./method.ts"
import { judge, judgeText } from "./readAnswer.ts"
import type { Success } from "./readAnswer.ts"
import { retryWaitSeconds } from "./retry.ts"
import { misfit } from "./shapes.ts"

/** Any operation of the catalogue, before types say what goes in and comes out. */
export type CallOperation = (
  id: OperationId,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions
) => Effect.Effect<Success, CallError>

/**
 * The one path of every call of the client, in both of its flavours: written once, sent, judged, and sent
 * again as §7.4 says, with the same X-Idempotency-Key. Time is Effect's clock.
 */
export const makeCallOperation = (settings: ValidSettings): CallOperation => {
  const kept = makeKeptAnswers(settings.keptAnswers)
  return (id, input, options) =>
    Effect.suspend(() => {
      const written = Result.flatMap(wireRequest({ id, surface: settings.surface }, input), (request) =>
        Result.map(headersOf(id, request, options, settings), (headers) => ({ request, headers }))
      )
      if (Result.isFailure(written)) return Effect.fail(written.failure)
      const { headers, request } = written.success
      const earlier = kept.find(request.path)
      const asked = earlier === undefined ? headers : { ...headers, "if-none-match": earlier.etag }
      const once = Effect.flatMap(attempt(settings, request, asked), (reply) =>
        Effect.clockWith((clock) => {
          if (reply.status === 304 && earlier !== undefined) return Effect.succeed(earlier.told)
          const read = input["format"] === "csv" ? judgeText : judge
          const judged = read(withoutKey(reply, settings), clock.currentTimeMillisUnsafe())
          if (Result.isFailure(judged)) return Effect.fail(judged.failure)
          if (read === judge && settings.answers === "checked" && misfit(id, judged.success.data))
            return Effect.fail(callFailure("ANSWER_UNEXPECTED", { status: reply.status, hint: misfitHint }))
          kept.keep(request.path, { etag: tagOf(id, reply), told: judged.success })
          return Effect.succeed(judged.success)
        })
      )
      return retried(once, 0, settings)
    })
}

/** Null: an answer that cannot be asked for by its tag. */
const tagOf = (id: OperationId, { headers }: Reply): string | null =>
  operationRow(id).etag === true ? headers.get("etag") : null

const retried = (
  once: Effect.Effect<Success, CallError>,
  retriesDone: number,
  settings: ValidSettings
): Effect.Effect<Success, CallError> =>
  Effect.catch(once, (error) => {
    const waitSeconds = retryWaitSeconds(error, retriesDone, settings)
    return waitSeconds === undefined
      ? Effect.fail(afterAttempts(error, retriesDone + 1))
      : Effect.andThen(Effect.sleep(Duration.seconds(waitSeconds)), retried(once, retriesDone + 1, settings))
  })

const attempt = (
  settings: ValidSettings,
  { body, method, path }: WireRequest,
  headers: Readonly<Record<string, string>>
): Effect.Effect<Reply, CallError> => {
  const init = { method, headers, ...(body === undefined ? {} : { body }) }
  const { answerBytesMax, baseUrl, fetch } = settings
  return Effect.tryPromise({
    try: (signal) => exchange({ url: baseUrl + path, init, fetch, answerBytesMax }, signal),
    catch: (error) => callFailure("CONNECTION_LOST", { hint: causeOf(error) })
  }).pipe(
    Effect.timeoutOrElse({
      duration: Duration.seconds(settings.attemptSeconds),
      orElse: () => Effect.fail(callFailure("TIMED_OUT"))
    })
  )
}

/**
 * The platform's own word for it, such as ECONNREFUSED; nothing else of its error, which may hold a header.
 */
const causeOf = (error: unknown): string | null => {
  const cause = error instanceof Error && isObject(error.cause) ? error.cause["code"] : undefined
  return typeof cause === "string" && /^[A-Z][A-Z_]{2,40}$/.test(cause) ? cause : null
}

/** A server or proxy that repeats what it was sent does not put the key into an error. */
const withoutKey = (reply: Reply, { key }: ValidSettings): Reply =>
  key === undefined || reply.status === 200 || reply.text === undefined
    ? reply
    : { ...reply, text: reply.text.replaceAll(Redacted.value(key), "<redacted>") }

const misfitHint = 'the data does not fit the operation\'s schema; `answers: "as_sent"` takes it as it is'

/** The headers of all attempts of one call: the X-Idempotency-Key among them is drawn but once (§7.4.4). */
export const headersOf = (
  id: OperationId,
  { body }: WireRequest,
  options: CallOptions,
  { key }: ValidSettings
): Result.Result<Readonly<Record<string, string>>, CallError> => {
  const row = operationRow(id)
  const ownKey = options.idempotencyKey
  if (ownKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(ownKey))
    return Result.fail(
      callFailure("INPUT_INVALID", { hint: "idempotencyKey is not 1 to 255 of printable ASCII" })
    )
  const idempotencyKey = row.method === "GET" ? undefined : (ownKey ?? (isWrite(id) ? drawnKey() : undefined))
  return Result.succeed({
    accept: "application/json",
    ...(row.requirement === null || key === undefined
      ? {}
      : { authorization: `Bearer ${Redacted.value(key)}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "x-idempotency-key": idempotencyKey })
  })
}

/** 128 bits of chance: no two calls share a key. */
const drawnKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** An answer and the tag that asks whether it is still the same (contract §1, ETag). */
export interface KeptAnswer {
  readonly etag: string
  readonly told: Success
}

/** The answers of one client, by their address; the one unused for longest makes room. */
export const makeKeptAnswers = (max: number) => {
  const answers = new Map<string, KeptAnswer>()
  const keep = (
    path: string,
    { etag, told }: { readonly etag: string | null; readonly told: Success }
  ): void => {
    if (max === 0 || etag === null) return
    answers.delete(path)
    answers.set(path, { etag, told })
    const [oldest] = answers.keys()
    if (answers.size > max && oldest !== undefined) answers.delete(oldest)
  }
  return {
    keep,
    find: (path: string): KeptAnswer | undefined => {
      const found = answers.get(path)
      if (found !== undefined) keep(path, found)
      return found
    }
  }
}
