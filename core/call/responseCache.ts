import { isObject } from "../admission/body.ts"
import type { DecodedInput } from "../admission/decode.ts"
import { makeCache } from "../workflow/cache.ts"

/** The data of an answer as it was written, for every later call that asks the same. */
export interface WrittenData {
  /** JSON text. */
  readonly data: string
  readonly etag: string
  /** JSON text of what its `meta` says beside request id and time. */
  readonly meta: string
}

/**
 * The key of what is asked: a text that no other `params` and `query` of the operation have, since each text
 * stands with its length. It is written for every read, so only what is no text is made JSON of.
 */
export const cacheKey = (asked: readonly [operation: string, day: string], input: DecodedInput): string =>
  `${asked[0]} ${asked[1]}${textOf(input.params)}?${textOf(input.query)}`

const textOf = (part: unknown): string => {
  let text = ""
  if (!isObject(part)) return text
  for (const name in part) {
    const value = part[name]
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
