import * as Effect from "effect/Effect"
import type { DecodedInput } from "../admission/decode.ts"
import { dayOf } from "../coverage/date.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import { includesMeta } from "../operation/includes.ts"
import type { Surface } from "../operation/Operation.ts"
import { isObject } from "../admission/body.ts"
import { filtersOf, readCursor, writeCursor } from "../page/cursor.ts"
import type { CursorBinding, Sign } from "../page/cursor.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import { limitRefusal, showLimits } from "../limit/headers.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { AnyHandler, AnyWriteHandler, CallContext, Caller, Outcome, Unavailable } from "./Handler.ts"
import { makeAnswerShelf, shelfKey } from "./answerShelf.ts"
import type { WrittenData } from "./answerShelf.ts"
import { coverageMeta, makeLibraryMark } from "./libraryMark.ts"
import { mapPhased } from "./Phased.ts"
import { notModified, refuse, succeed } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"
import type { Work } from "./writing.ts"

/** A call whose input is decoded and whose cursor is known to be ours. */
export interface Opened {
  readonly input: DecodedInput
  readonly position: unknown
  readonly binding: CursorBinding
  readonly caller: Caller
}

/** What of a request a surface answers by. */
export interface Asked {
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
  const open = (asked: Asked, input: DecodedInput, caller: Caller): Opened | Refusal => {
    if (operationRow(asked.operation).paged !== true) return unpaged(input, caller)
    const query = isObject(input.query) ? input.query : {}
    const binding = {
      organization: caller.organizationId,
      operation: asked.operation,
      filters: filtersOf({ ...query, path: input.params })
    }
    const cursor = query["cursor"]
    if (typeof cursor !== "string") return { input, binding, caller, position: null }
    const read = readCursor({ cursor, binding, signs })
    return read === undefined
      ? refused("REQUEST_INVALID_CURSOR")
      : { input, binding, caller, position: read.position }
  }

  const pageMeta = (binding: CursorBinding, page: { readonly next: unknown; readonly limit: number }) => ({
    cursor: page.next === null ? null : writeCursor({ position: page.next, binding, sign }),
    has_more: page.next !== null,
    limit: page.limit
  })

  const contextOf = (envelope: Envelope, { caller, position }: Opened): CallContext => ({
    now: envelope.now,
    today: dayOf(envelope.now),
    position,
    requestId: envelope.requestId,
    caller
  })

  /** What needs neither the library's mark nor a tag. */
  const told = (
    envelope: Envelope,
    { binding, input }: Opened,
    outcome: Outcome<unknown>,
    coverage: Readonly<Record<string, unknown>>
  ): Answer => {
    if (isRefusal(outcome)) return refuse(envelope, outcome)
    if (outcome._tag === "Limited") {
      showLimits(envelope.headers, outcome.decision)
      return refuse(envelope, limitRefusal(outcome.decision))
    }
    const pagination = outcome.page === undefined ? undefined : pageMeta(binding, outcome.page)
    if (outcome._tag === "Text")
      return textAnswer(outcome.contentType, outcome.text, pagination?.cursor ?? null)
    const page = pagination === undefined ? {} : { pagination }
    const meta = JSON.stringify({ ...coverage, ...page, ...includesMeta(input), ...outcome.meta })
    return succeed(envelope, JSON.stringify(outcome.data), meta)
  }

  /** A page that never changes. It is not kept: whether it may be read at all is asked anew each time. */
  const taggedPage = (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    outcome: Extract<Outcome<unknown>, { readonly _tag: "Data" }>
  ): Answer => {
    const etag = etagOf(asked, opened, JSON.stringify(outcome.data))
    const headers = { etag, "cache-control": "private" }
    if (matches(asked.ifNoneMatch, etag)) return notModified(headers)
    const answered = told(envelope, opened, outcome, {})
    return { ...answered, headers: { ...answered.headers, ...headers } }
  }

  /** Over the data, what was included and as of when (contract §1): asked for otherwise it differs. */
  const etagOf = (asked: Asked, { input }: Opened, data: string): string => {
    const seed = JSON.stringify([asked.operation, ...includedAndAsOf(input.query), data])
    return `W/"${sha256Hex(seed).slice(0, etagCharacters)}"`
  }

  /** Any answer but one that is kept. */
  const plain = (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    handler: AnyHandler
  ): Effect.Effect<Answer, Unavailable> =>
    Effect.flatMapEager(handler(opened.input, contextOf(envelope, opened)), (outcome) => {
      const row = operationRow(asked.operation)
      if (outcome._tag !== "Data") return Effect.succeed(told(envelope, opened, outcome, {}))
      if (row.etag === true) return Effect.succeed(taggedPage(asked, envelope, opened, outcome))
      return row.coverage === true
        ? Effect.map(libraryMark(), (mark) => told(envelope, opened, outcome, coverageMeta(mark, surface)))
        : Effect.succeed(told(envelope, opened, outcome, {}))
    })

  /**
   * An answer with an ETag: a function of the library, the input and the day, so it is written once and kept.
   */
  const tagged = (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    handler: AnyHandler
  ): Effect.Effect<Answer, Unavailable> =>
    Effect.flatMapEager(libraryMark(), (mark) => {
      const context = contextOf(envelope, opened)
      const key = shelfKey([asked.operation, context.today], opened.input)
      const kept = shelf.take(mark.generation, key)
      if (kept !== undefined) return Effect.succeed(taggedAnswer(asked, envelope, kept))
      return Effect.map(handler(opened.input, context), (outcome) => {
        if (outcome._tag !== "Data") return told(envelope, opened, outcome, {})
        const data = JSON.stringify(outcome.data)
        const meta = JSON.stringify({
          ...coverageMeta(mark, surface),
          ...includesMeta(opened.input),
          ...outcome.meta
        })
        const written = { data, etag: etagOf(asked, opened, data), meta }
        if (mark.settled) shelf.put(mark.generation, key, written)
        return taggedAnswer(asked, envelope, written)
      })
    })

  /** To be asked when the answer is wanted: where the library stands is read at once. */
  const answer = (
    asked: Asked,
    envelope: Envelope,
    opened: Opened,
    handler: AnyHandler
  ): Effect.Effect<Answer, Unavailable> => {
    const { etag, paged } = operationRow(asked.operation)
    return etag === true && paged !== true
      ? tagged(asked, envelope, opened, handler)
      : plain(asked, envelope, opened, handler)
  }

  /** A write, to be carried out in its transaction. */
  const write = (envelope: Envelope, opened: Opened, handler: AnyWriteHandler): Work =>
    mapPhased(handler(opened.input, contextOf(envelope, opened)), (outcome) =>
      told(envelope, opened, outcome, {})
    )

  return { open, answer, write } as const
})

const taggedAnswer = (asked: Asked, envelope: Envelope, { data, etag, meta }: WrittenData): Answer => {
  const headers = { etag, "cache-control": "private, no-cache" }
  return matches(asked.ifNoneMatch, etag) ? notModified(headers) : succeed(envelope, data, meta, headers)
}

/** What an ETag is over besides the data (contract §1), however the address was written. */
const includedAndAsOf = (query: unknown): ReadonlyArray<unknown> => {
  const { as_of: asOf = null, include = [] } = isObject(query) ? query : {}
  return [Array.isArray(include) ? include.toSorted() : include, asOf]
}

/** 128 bits: two answers with one tag will not be met. */
const etagCharacters = 32

/** A call without pages. */
export const unpaged = (input: DecodedInput, caller: Caller): Opened => ({
  input,
  binding: unbound,
  position: null,
  caller
})

/** Who calls without a key. */
export const nobody: Caller = {
  organizationId: "" as OrganizationId,
  pack: "credits",
  releaseId: null,
  auditor: null
}

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
