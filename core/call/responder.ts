import * as Effect from "effect/Effect"
import { dayOf } from "../coverage/date.ts"
import { isObject } from "../admission/body.ts"
import { isRefusal } from "../error/Refusal.ts"
import { limitRefusal } from "../limit/headers.ts"
import { includesMeta } from "../operation/includes.ts"
import type { Surface } from "../operation/Operation.ts"
import { Crypto } from "../port/Crypto.ts"
import type { AnyHandler, AnyWriteHandler, CallContext, Outcome, Unavailable } from "../workflow/Handler.ts"
import { mapPlan } from "../workflow/WritePlan.ts"
import { makeResponseCache, cacheKey } from "./responseCache.ts"
import type { WrittenData } from "./responseCache.ts"
import type { Call } from "./Call.ts"
import { makePagination } from "./cursors.ts"
import type { Opened } from "./cursors.ts"
import { coverageMeta, makeLibraryMark } from "./libraryMark.ts"
import { notModified, successOf } from "./reply.ts"
import type { Reply, Written } from "./reply.ts"
import type { Work } from "./writing.ts"

type Data = Extract<Outcome<unknown>, { readonly _tag: "Data" }>

/**
 * What a handler found, as a reply: envelope, pages, ETag. Each library has its own, since the answers it
 * keeps are of that library.
 */
export const makeResponder = Effect.fnUntraced(function* (surface: Surface) {
  const { sha256Hex } = yield* Crypto
  const libraryMark = yield* makeLibraryMark
  const pagination = yield* makePagination
  const cache = makeResponseCache()

  /** What `meta` says beside request id and time. */
  const metaOf = (part: Opened, outcome: Data, coverage: object) => ({
    ...coverage,
    ...(outcome.page === undefined ? {} : { pagination: pagination(part.binding, outcome.page) }),
    ...includesMeta(part.input),
    ...outcome.meta
  })

  /** What of an outcome needs no ETag. */
  const told = (call: Call, part: Opened, outcome: Outcome<unknown>, coverage: object): Reply => {
    if (isRefusal(outcome)) return outcome
    switch (outcome._tag) {
      case "Limited":
        call.receipt = { ...call.receipt, limits: outcome.decision }
        return limitRefusal(outcome.decision)
      case "Text":
        return textReply(outcome.contentType, outcome.text, pagination(part.binding, outcome.page).cursor)
      case "Data": {
        const meta = JSON.stringify(metaOf(part, outcome, coverage))
        return successOf(call.envelope, JSON.stringify(outcome.data), meta)
      }
    }
  }

  /** A page that never changes. It is not kept: whether it may be read at all is asked anew each time. */
  const taggedPage = (call: Call, part: Opened, outcome: Data): Reply => {
    const data = JSON.stringify(outcome.data)
    const headers = { etag: etagOf(part, data), "cache-control": "private" }
    return matches(call.request.ifNoneMatch, headers.etag)
      ? notModified(headers)
      : successOf(call.envelope, data, JSON.stringify(metaOf(part, outcome, {})), headers)
  }

  /** Over the data, what was included and as of when (contract §1): asked for otherwise it differs. */
  const etagOf = ({ operation, input }: Opened, data: string): string => {
    const seed = JSON.stringify([operation, ...includedAndAsOf(input.query), data])
    return `W/"${sha256Hex(seed).slice(0, etagCharacters)}"`
  }

  /** Any answer but one that is kept. */
  const plain = (call: Call, part: Opened, handler: AnyHandler): Effect.Effect<Reply, Unavailable> =>
    Effect.flatMapEager(handler(part.input, contextOf(call, part)), (outcome) => {
      if (outcome._tag === "Data") {
        if (part.row.etag === true) return Effect.succeed(taggedPage(call, part, outcome))
        if (part.row.coverage === true)
          return Effect.map(libraryMark(), (mark) => told(call, part, outcome, coverageMeta(mark, surface)))
      }
      return Effect.succeed(told(call, part, outcome, {}))
    })

  /**
   * An answer with an ETag: a function of the library, the input and the day, so it is written once and kept.
   */
  const tagged = (call: Call, part: Opened, handler: AnyHandler): Effect.Effect<Reply, Unavailable> =>
    Effect.flatMapEager(libraryMark(), (mark) => {
      const context = contextOf(call, part)
      const key = cacheKey([part.operation, context.today], part.input)
      const kept = cache.take(mark.generation, key)
      if (kept !== undefined) return Effect.succeed(taggedReply(call, kept))
      return Effect.map(handler(part.input, context), (outcome) => {
        if (outcome._tag !== "Data") return told(call, part, outcome, {})
        const data = JSON.stringify(outcome.data)
        const meta = JSON.stringify(metaOf(part, outcome, coverageMeta(mark, surface)))
        const written = { data, etag: etagOf(part, data), meta }
        if (mark.settled) cache.put(mark.generation, key, written)
        return taggedReply(call, written)
      })
    })

  return {
    /** A read's reply, to be asked when it is wanted: where the library stands is read at once. */
    answer: (call: Call, part: Opened, handler: AnyHandler): Effect.Effect<Reply, Unavailable> =>
      isKept(part.row) ? tagged(call, part, handler) : plain(call, part, handler),

    /** A write's, to be carried out in its transaction. */
    write: (call: Call, part: Opened, handler: AnyWriteHandler): Work =>
      mapPlan(handler(part.input, contextOf(call, part)), (outcome) => told(call, part, outcome, {})),

    /** The values of one part of a tool's call and what is said of them, or what it came to instead. */
    values: (call: Call, part: Opened, handler: AnyHandler): Effect.Effect<Values | Reply, Unavailable> =>
      Effect.flatMap(
        handler(part.input, contextOf(call, part)),
        (outcome): Effect.Effect<Values | Reply, Unavailable> => {
          if (outcome._tag !== "Data") return Effect.succeed(told(call, part, outcome, {}))
          const { data } = outcome
          const values = { _tag: "Values", data, coverage: {}, meta: metaOf(part, outcome, {}) } as const
          return part.row.coverage === true || isKept(part.row)
            ? Effect.map(libraryMark(), (mark) => ({ ...values, coverage: coverageMeta(mark, surface) }))
            : Effect.succeed(values)
        }
      )
  } as const
})

/** A part of a tool's answer. */
export interface Values {
  readonly _tag: "Values"
  readonly data: unknown
  /** What every part says alike, since they read one library. */
  readonly coverage: object
  readonly meta: object
}

/** Whether its answers are written once and kept. */
const isKept = ({ etag, paged }: Opened["row"]): boolean => etag === true && paged !== true

const contextOf = ({ envelope, party }: Call, { position }: Opened): CallContext => ({
  now: envelope.now,
  today: dayOf(envelope.now),
  position,
  requestId: envelope.requestId,
  caller: party.caller
})

const taggedReply = (call: Call, { data, etag, meta }: WrittenData): Written => {
  const headers = { etag, "cache-control": "private, no-cache" }
  return matches(call.request.ifNoneMatch, etag)
    ? notModified(headers)
    : successOf(call.envelope, data, meta, headers)
}

/** What an ETag is over besides the data (contract §1), however the address was written. */
const includedAndAsOf = (query: unknown): ReadonlyArray<unknown> => {
  const { as_of: asOf = null, include = [] } = isObject(query) ? query : {}
  return [Array.isArray(include) ? include.toSorted() : include, asOf]
}

/** 128 bits: two answers with one tag will not be met. */
const etagCharacters = 32

const textReply = (contentType: string, text: string, cursor: string | null): Written => ({
  _tag: "Written",
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
