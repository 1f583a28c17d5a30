import * as Effect from "effect/Effect"
import type { DecodedInput } from "../admission/decode.ts"
import { dayOf } from "../coverage/date.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type { Surface } from "../operation/Operation.ts"
import { isObject } from "../admission/body.ts"
import { filtersOf, readCursor, writeCursor } from "../page/cursor.ts"
import type { CursorBinding, Sign } from "../page/cursor.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { AnyHandler, CallContext, Unavailable } from "./Handler.ts"
import { makeAnswerShelf } from "./answerShelf.ts"
import { coverageMeta, makeLibraryMark } from "./libraryMark.ts"
import { notModified, refuse, succeed } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/** A call whose input is decoded and whose cursor is known to be ours. */
export interface Opened {
  readonly input: DecodedInput
  readonly position: unknown
  readonly binding: CursorBinding
}

interface Asked {
  readonly operation: OperationId
  readonly ifNoneMatch: string | undefined
}

/**
 * Step 11: runs the handler and writes what it found as an answer: envelope, cursor, ETag. Each surface has
 * its own, since the answers it keeps are of its own library.
 */
export const makeRun = Effect.fnUntraced(function* (surface: Surface) {
  const { hmacSha256, sha256Hex } = yield* Crypto
  const { secretKeys } = yield* Settings
  const libraryMark = yield* makeLibraryMark
  const shelf = makeAnswerShelf()
  const signs: ReadonlyArray<Sign> = secretKeys.map((secret) => (text) => hmacSha256({ secret, text }))
  const sign: Sign = (text) => hmacSha256({ secret: secretKeys[0], text })

  /** Step 8's end: the cursor, which must be the previous answer's for this very use (§4.6.1). */
  const open = (asked: Asked, input: DecodedInput, organization: OrganizationId): Opened | Refusal => {
    if (operationRow(asked.operation).paged !== true) return unpaged(input)
    const query = isObject(input.query) ? input.query : {}
    const binding = {
      organization,
      operation: asked.operation,
      filters: filtersOf({ ...query, path: input.params })
    }
    const cursor = query["cursor"]
    if (typeof cursor !== "string") return { input, binding, position: null }
    const read = readCursor({ cursor, binding, signs })
    return read === undefined
      ? refused("REQUEST_INVALID_CURSOR")
      : { input, binding, position: read.position }
  }

  const pageMeta = (binding: CursorBinding, page: { readonly next: unknown; readonly limit: number }) => ({
    cursor: page.next === null ? null : writeCursor({ position: page.next, binding, sign }),
    has_more: page.next !== null,
    limit: page.limit
  })

  const contextOf = (envelope: Envelope, position: unknown): CallContext => ({
    now: envelope.now,
    today: dayOf(envelope.now),
    position
  })

  /** Any answer but a tagged one. */
  const plain = Effect.fnUntraced(function* (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    handler: AnyHandler
  ) {
    const outcome = yield* handler(opened.input, contextOf(envelope, opened.position))
    if (isRefusal(outcome)) return refuse(envelope, outcome)
    const pagination = outcome.page === undefined ? undefined : pageMeta(opened.binding, outcome.page)
    if (outcome._tag === "Text")
      return textAnswer(outcome.contentType, outcome.text, pagination?.cursor ?? null)
    const coverage =
      operationRow(asked.operation).coverage === true ? coverageMeta(yield* libraryMark, surface) : {}
    const page = pagination === undefined ? {} : { pagination }
    return succeed(envelope, JSON.stringify(outcome.data), { ...coverage, ...page, ...outcome.meta })
  })

  /**
   * An answer with an ETag: a function of the library, the input and the day, so it is written once and kept.
   */
  const tagged = Effect.fnUntraced(function* (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    handler: AnyHandler
  ) {
    const mark = yield* libraryMark
    const context = contextOf(envelope, null)
    const key = JSON.stringify([asked.operation, context.today, opened.input.params, opened.input.query])
    let written = shelf.take(mark.generation, key)
    if (written === undefined) {
      const outcome = yield* handler(opened.input, context)
      if (isRefusal(outcome)) return refuse(envelope, outcome)
      if (outcome._tag === "Text") return textAnswer(outcome.contentType, outcome.text, null)
      const data = JSON.stringify(outcome.data)
      // Over the data, what was included and as of when (contract §1): the same data asked for otherwise
      // differs.
      const seed = JSON.stringify([asked.operation, ...includedAndAsOf(opened.input.query), data])
      written = { data, etag: `W/"${sha256Hex(seed).slice(0, etagCharacters)}"`, meta: outcome.meta ?? {} }
      if (mark.settled) shelf.put(mark.generation, key, written)
    }
    if (matches(asked.ifNoneMatch, written.etag)) return notModified(written.etag)
    const headers = { etag: written.etag, "cache-control": "private, no-cache" }
    return succeed(envelope, written.data, { ...coverageMeta(mark, surface), ...written.meta }, headers)
  })

  const answer = (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    handler: AnyHandler
  ): Effect.Effect<Answer, Unavailable> =>
    operationRow(asked.operation).etag === true
      ? tagged(asked, envelope, opened, handler)
      : plain(asked, envelope, opened, handler)

  return { open, answer } as const
})

/** What an ETag is over besides the data (contract §1), however the address was written. */
const includedAndAsOf = (query: unknown): ReadonlyArray<unknown> => {
  const { as_of: asOf = null, include = [] } = isObject(query) ? query : {}
  return [Array.isArray(include) ? include.toSorted() : include, asOf]
}

/** 128 bits: two answers with one tag will not be met. */
const etagCharacters = 32

/** A call without pages. */
export const unpaged = (input: DecodedInput): Opened => ({ input, binding: unbound, position: null })

/** The binding of what has no pages. */
const unbound: CursorBinding = { organization: "", operation: "", filters: "" }

const textAnswer = (contentType: string, text: string, cursor: string | null): Answer => ({
  status: 200,
  headers: { "content-type": contentType, ...(cursor === null ? {} : { "x-next-cursor": cursor }) },
  body: text
})

/** RFC 9110 §13.1.2: weak comparison, a list, or `*`. */
const matches = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  const opaque = etag.replace(/^W\//, "")
  return (
    header.trim() === "*" || header.split(",").some((entry) => entry.trim().replace(/^W\//, "") === opaque)
  )
}
