import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { DecodedInput } from "../admission/decode.ts"
import type { IsoDate } from "../coverage/date.ts"
import type { Surface } from "../operation/Operation.ts"
import { datingKinds, Snapshots } from "../port/Snapshots.ts"
import type { SnapshotsUnavailable } from "../port/Snapshots.ts"
import { makeCache } from "./cache.ts"

/** The data of an answer as it was written, for every later call for the same. */
export interface WrittenData {
  /** JSON text. */
  readonly data: string
  /** Undefined: its operation has none. */
  readonly etag: string | undefined
  /** JSON text of what its `meta` says beside request id and time. */
  readonly meta: string
}

/**
 * The key of what is called for: a text that no other `params` and `query` of the operation have, since each
 * text stands with its length. It is written for every read, so only what is no text is made JSON of.
 */
export const cacheKey = (operation: string, today: IsoDate, input: DecodedInput): string =>
  `${operation} ${today}${textOf(input.params)}?${textOf(input.query)}`

const textOf = (part: unknown): string => {
  let text = ""
  if (typeof part !== "object" || part === null) return text
  for (const name in part) {
    const value = (part as Readonly<Record<string, unknown>>)[name]
    if (typeof value === "string") text += ` ${name} ${value.length} ${value}`
    else text += ` ${name}=${JSON.stringify(value)}`
  }
  return text
}

/** Characters of all that is kept: some three thousand policies as they are usually asked for. */
export const cacheCharactersMax = 32 * 1024 * 1024
/** What an entry weighs besides its texts. */
const frameCharacters = 300

/**
 * Data that was read and written once under a generation of the library. A new generation empties the cache:
 * imports are rare, and telling what each one touched would cost more than it saves.
 */
export const makeResponseCache = () => {
  const answers = makeCache<string, WrittenData>({ weightMax: cacheCharactersMax, weigh })
  let generation = -1
  return {
    take: (now: number, key: string): WrittenData | undefined => {
      if (now !== generation) answers.clear()
      generation = now
      return answers.get(key)
    },
    /**
     * `under` is the generation that stood before the data was read: later, and the data may be too old for
     * it.
     */
    put: (under: number, key: string, entry: WrittenData): void => {
      if (under === generation) answers.set(key, entry)
    },
    /** Of all that is kept, for the tests. */
    characters: answers.weight
  }
}

const weigh = (key: string, { data, meta }: WrittenData): number =>
  key.length + data.length + meta.length + frameCharacters

/** Said on every coverage answer (contract §1). */
const disclaimers: Readonly<Record<Surface, string>> = {
  live:
    "Policy information only, not medical or legal advice and no guarantee of payment; " +
    "confirm with the payer's current documents.",
  sandbox:
    "Synthetic fixtures of the sandbox: no real policy, code or payer, and not medical or legal advice."
}

/** Where the library stands: what was made of it under a generation is right while the generation stands. */
export interface LibraryVersion {
  readonly generation: number
  /** Whether the generation has stood for so long that nothing older is still remembered anywhere. */
  readonly settled: boolean
  /** The newest day that a complete snapshot of policies or codes speaks of; null before the first import. */
  readonly dataAsOf: IsoDate | null
}

export const coverageMeta = ({ dataAsOf }: LibraryVersion, surface: Surface) => ({
  data_as_of: dataAsOf,
  disclaimer: disclaimers[surface]
})

/** How long a version is taken for the present one, by every call of the process. */
const freshForMs = 200

/**
 * An adapter may answer from a memory of up to a second (jurisdictions). Only when a generation has stood for
 * longer than that is what is read under it surely of it, and may be kept for as long as it stands. The one
 * that a process begins with is older than anything that it remembers.
 */
const settlesInMs = 2_000

/** Reads the version at most five times a second, however many calls need it; an Exit where it is known. */
export const makeLibraryVersion = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const clock = yield* Clock.Clock
  // Read before there is a call that an adapter could remember anything of, so this one has settled.
  const first = yield* Effect.orElseSucceed(snapshots.generation, () => undefined)
  let known: { readonly atMs: number; readonly sinceMs: number; readonly version: LibraryVersion } | undefined
  const read = Effect.fnUntraced(function* (nowMs: number) {
    const generation = yield* snapshots.generation
    const dating = (yield* snapshots.current).filter((snapshot) => datingKinds.has(snapshot.kind))
    const days = dating.map((snapshot) => snapshot.sourceAsOf).sort()
    const newSinceMs = generation === first ? Number.NEGATIVE_INFINITY : nowMs
    const sinceMs = known?.version.generation === generation ? known.sinceMs : newSinceMs
    const version = { generation, settled: nowMs - sinceMs >= settlesInMs, dataAsOf: days.at(-1) ?? null }
    known = { atMs: nowMs, sinceMs, version }
    return version
  })
  return (): Effect.Effect<LibraryVersion, SnapshotsUnavailable> => {
    const nowMs = clock.currentTimeMillisUnsafe()
    const fresh = known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < freshForMs
    return fresh && known !== undefined ? Effect.succeed(known.version) : read(nowMs)
  }
})
