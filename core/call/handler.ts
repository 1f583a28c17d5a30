import * as Effect from "effect/Effect"
import { isObject } from "../json/isObject.ts"
import { isRefusal } from "../error/Refusal.ts"
import { limitRefusal } from "../limit/headers.ts"
import { includesMeta } from "../operation/includes.ts"
import type { Surface } from "../operation/Operation.ts"
import { fitsTool, fitTool, smallerPages } from "../mcp/fitTool.ts"
import type { Omission } from "../mcp/toolAnswer.ts"
import type { Show } from "../mcp/Tool.ts"
import { Crypto } from "../port/Crypto.ts"
import type { SigningKeysUnavailable } from "../port/SigningKeys.ts"
import type { SnapshotsUnavailable } from "../port/Snapshots.ts"
import type { AnyHandler, AnyWriteHandler, CallContext, Outcome, Unavailable } from "../handler/Handler.ts"
import { mapPlan } from "../handler/WritePlan.ts"
import { notModified, notStored, success } from "./answer.ts"
import type { Call, HttpReply, Next, Reply } from "./Call.ts"
import { makePagination } from "./cursors.ts"
import { cacheKey, coverageMeta, makeLibraryVersion, makeResponseCache } from "./responseCache.ts"
import type { WrittenData } from "./responseCache.ts"
import type { Part } from "./targets.ts"
import { makeWriteStep } from "./writing.ts"
import type { Work } from "./writing.ts"

/** How one library answers: the handlers over it, by their operations' names, and the answers it keeps. */
export interface LibraryHandlers {
  readonly handlers: Readonly<Record<string, AnyHandler | AnyWriteHandler>>
  readonly responder: Effect.Success<ReturnType<typeof makeResponder>>
}

/** The handlers of each library; the sandbox's are there when a call asks for them. */
export interface Libraries {
  readonly live: LibraryHandlers
  readonly sandbox: Effect.Effect<LibraryHandlers, SigningKeysUnavailable>
}

/** Step 11: what the operation does, in its commit where it is one. */
export const makeHandlerStep = (libraries: Libraries) =>
  Effect.map(makeWriteStep, (writing): Next => {
    const handle = (call: Call, library: LibraryHandlers): Effect.Effect<Reply, Unavailable> => {
      const { parts, target, claim } = call
      const [part] = parts
      if (part === undefined) return Effect.die(new Error("a call of no operation"))
      const { handlers, responder } = library
      const handler = handlers[part.operation]
      if (target.tool !== undefined) return answerTool(call, library)
      if (target.isWrite) return writing(call, responder.write(call, part, handler as AnyWriteHandler))
      const read = () => responder.answer(call, part, handler as AnyHandler)
      return claim === undefined ? read() : writing(call, { _tag: "Read", read: Effect.suspend(read) })
    }
    return (call) =>
      call.surface.library === "live"
        ? handle(call, libraries.live)
        : Effect.flatMap(libraries.sandbox, (library) => handle(call, library))
  })

/**
 * Runs a tool's parts in their order; the first that is refused is the answer, and none after it runs. Pages
 * that are too large for one answer are read again with a lower limit, so that their cursors skip nothing.
 */
const answerTool = Effect.fnUntraced(function* (
  call: Call,
  { handlers, responder }: LibraryHandlers
): Effect.fn.Return<Reply, Unavailable> {
  const read = (part: Part) => responder.values(call, part, handlers[part.operation] as AnyHandler)
  const values = new Map<Part, Values>()
  for (const part of call.parts) {
    const found = yield* read(part)
    if (isRefusal(found) || found._tag !== "Values") return found
    values.set(part, found)
  }
  const data = dataOf(values)
  if (fitsTool(data)) return toolReply(values, { data, truncated: [] })
  const limits = smallerPages(data, pagedOf(values))
  const shortened: Array<Omission> = []
  for (const [part, whole] of values) {
    const limit = limits.get(part.name)
    if (limit === undefined) continue
    const found = yield* read(withLimit(part, limit))
    if (isRefusal(found) || found._tag !== "Values") return found
    values.set(part, found)
    shortened.push({ at: part.name, shown: limit, of: Object(whole.data).length, next: followCursor })
  }
  const fitted = fitTool(dataOf(values))
  return toolReply(values, { data: fitted.data, truncated: [...shortened, ...fitted.truncated] })
})

const followCursor = "Follow the cursor of meta.parts to read on."

/** The data of each part, by its name. */
type ToolData = Readonly<Record<string, unknown>>

const dataOf = (values: ReadonlyMap<Part, Values>): ToolData =>
  Object.fromEntries([...values].map(([{ name }, { data }]) => [name, data]))

const pagedOf = (values: ReadonlyMap<Part, Values>) =>
  [...values].flatMap(([{ name, row }, { data }]) =>
    row.paged === true && Array.isArray(data) ? [{ name, items: data as ReadonlyArray<unknown> }] : []
  )

const withLimit = (part: Part, limit: number): Part => ({
  ...part,
  input: { ...part.input, query: { ...Object(part.input.query), limit } }
})

const toolReply = (
  values: ReadonlyMap<Part, Values>,
  { data, truncated }: { readonly data: ToolData; readonly truncated: ReadonlyArray<Omission> }
): Reply => {
  const metas = [...values].flatMap(([{ name }, { meta }]) =>
    Object.keys(meta).length === 0 ? [] : [[name, meta] as const]
  )
  const coverage = Object.assign({}, ...[...values.values()].map((found) => found.coverage))
  const meta = {
    ...coverage,
    ...(metas.length === 0 ? {} : { parts: Object.fromEntries(metas) }),
    ...(truncated.length === 0 ? {} : { truncated })
  }
  return { _tag: "Tool", data, meta }
}

type Data = Extract<Outcome<unknown>, { readonly _tag: "Data" }>

/**
 * What a handler found, as a reply: envelope, pages, ETag. Each library has its own, since the answers it
 * keeps are of that library.
 */
export const makeResponder = Effect.fnUntraced(function* (surface: Surface) {
  const { sha256Hex } = yield* Crypto
  const libraryVersion = yield* makeLibraryVersion
  const pagination = yield* makePagination
  const cache = makeResponseCache()

  /** What `meta` says beside request id and time. */
  const metaOf = (part: Part, outcome: Data, coverage: object) => ({
    ...coverage,
    ...(outcome.page === undefined ? {} : { pagination: pagination(part.binding, outcome.page) }),
    ...includesMeta(part.input),
    ...outcome.meta
  })

  /** What is said on a coverage answer (contract §1); an Exit where it is known. */
  const coverageOf = ({ row }: Part): Effect.Effect<object, SnapshotsUnavailable> =>
    row.coverage === true || isKept(row)
      ? Effect.map(libraryVersion(), (version) => coverageMeta(version, surface))
      : Effect.succeed({})

  const write = (part: Part, outcome: Data, coverage: object): WrittenData => {
    const data = JSON.stringify(outcome.data)
    const etag = part.row.etag === true ? etagOf(part, data) : undefined
    return { data, etag, meta: JSON.stringify(metaOf(part, outcome, coverage)) }
  }

  /** Over the data, what was included and as of when (contract §1): asked for otherwise it differs. */
  const etagOf = ({ operation, input }: Part, data: string): string => {
    const seed = JSON.stringify([operation, ...includedAndAsOf(input.query), data])
    return `W/"${sha256Hex(seed).slice(0, etagCharacters)}"`
  }

  const replyOf = (call: Call, part: Part, outcome: Outcome<unknown>, coverage: object = {}): Reply => {
    if (isRefusal(outcome)) return outcome
    switch (outcome._tag) {
      case "Limited":
        call.receipt.limits = outcome.decision
        return limitRefusal(outcome.decision)
      case "Text":
        return textReply(outcome.contentType, outcome.text, pagination(part.binding, outcome.page).cursor)
      case "Data":
        return dataReply(call, part, write(part, outcome, coverage))
    }
  }

  const answer = (call: Call, part: Part, handler: AnyHandler): Effect.Effect<Reply, Unavailable> =>
    Effect.flatMapEager(handler(part.input, contextOf(call, part)), (outcome) =>
      outcome._tag === "Data"
        ? Effect.mapEager(coverageOf(part), (coverage) => replyOf(call, part, outcome, coverage))
        : Effect.succeed(replyOf(call, part, outcome))
    )

  /** The same of what is a function of the library, the input and the day: it is written once, and kept. */
  const answerCached = (call: Call, part: Part, handler: AnyHandler): Effect.Effect<Reply, Unavailable> =>
    Effect.flatMapEager(libraryVersion(), (version) => {
      const context = contextOf(call, part)
      const key = cacheKey(part.operation, context.today, part.input)
      const kept = cache.take(version.generation, key)
      if (kept !== undefined) return Effect.succeed(dataReply(call, part, kept))
      return Effect.map(handler(part.input, context), (outcome) => {
        if (outcome._tag !== "Data") return replyOf(call, part, outcome)
        const written = write(part, outcome, coverageMeta(version, surface))
        if (version.settled) cache.put(version.generation, key, written)
        return dataReply(call, part, written)
      })
    })

  return {
    /** A read's reply, to be asked when it is wanted: where the library stands is read at once. */
    answer: (call: Call, part: Part, handler: AnyHandler): Effect.Effect<Reply, Unavailable> =>
      isKept(part.row) ? answerCached(call, part, handler) : answer(call, part, handler),

    /** A write's, to be carried out in its transaction. */
    write: (call: Call, part: Part, handler: AnyWriteHandler): Work =>
      mapPlan(handler(part.input, contextOf(call, part)), (outcome) => replyOf(call, part, outcome)),

    /** The values of one part of a tool's call and what is said of them, or what it came to instead. */
    values: (call: Call, part: Part, handler: AnyHandler): Effect.Effect<Values | Reply, Unavailable> =>
      Effect.flatMap(
        handler(part.input, contextOf(call, part)),
        (outcome): Effect.Effect<Values | Reply, Unavailable> => {
          if (outcome._tag !== "Data") return Effect.succeed(replyOf(call, part, outcome))
          const { data, meta: shownMeta } = shownOf(part, outcome.data)
          const meta = { ...metaOf(part, outcome, {}), ...shownMeta }
          return Effect.map(coverageOf(part), (coverage) => ({ _tag: "Values", data, coverage, meta }))
        }
      )
  } as const
})

const shownOf = ({ show }: Part, data: unknown): ReturnType<Show> => show?.(data) ?? { data, meta: {} }

/** A part of a tool's answer. */
export interface Values {
  readonly _tag: "Values"
  readonly data: unknown
  /** What every part says alike, since they read one library. */
  readonly coverage: object
  readonly meta: object
}

/** Whether its answers are written once and kept. */
const isKept = ({ etag, paged }: Part["row"]): boolean => etag === true && paged !== true

const contextOf = ({ envelope, party }: Call, { position }: Part): CallContext => ({
  now: envelope.now,
  today: envelope.today,
  position,
  requestId: envelope.requestId,
  caller: party.caller
})

/** A page that never changes is not kept: whether it may be read at all is asked anew each time. */
const dataReply = (
  { envelope, request }: Call,
  { input, row }: Part,
  { data, etag, meta: own }: WrittenData
): HttpReply => {
  const meta = withIgnored(own, input)
  if (etag === undefined) return success(envelope, data, meta)
  const headers = { etag, "cache-control": isKept(row) ? "private, no-cache" : "private" }
  return matches(request.ifNoneMatch, etag) ? notModified(headers) : success(envelope, data, meta, headers)
}

/** Adds the ignored names to the text of `meta`, which lacks them because stored answers are shared. */
const withIgnored = (meta: string, { ignored }: Part["input"]): string => {
  if (ignored === undefined) return meta
  const listed = `{"ignored_parameters":${JSON.stringify(ignored)}`
  return meta === "{}" ? `${listed}}` : `${listed},${meta.slice(1)}`
}

/** What an ETag is over besides the data (contract §1), however the address was written. */
const includedAndAsOf = (query: unknown): ReadonlyArray<unknown> => {
  const { as_of: asOf = null, include = [] } = isObject(query) ? query : {}
  return [Array.isArray(include) ? include.toSorted() : include, asOf]
}

/** 128 bits: two answers with one tag will not be met. */
const etagCharacters = 32

const textReply = (contentType: string, text: string, cursor: string | null): HttpReply => ({
  _tag: "Http",
  status: 200,
  headers: {
    "content-type": contentType,
    ...notStored,
    ...(cursor === null ? {} : { "x-next-cursor": cursor })
  },
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
