import { isObject } from "../admission/body.ts"
import type { DecodedInput } from "../admission/decode.ts"

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
export const shelfKey = (asked: readonly [operation: string, day: string], input: DecodedInput): string =>
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
export const shelfCharactersMax = 32 * 1024 * 1024
/** What an entry weighs besides its texts. */
const frameCharacters = 300

/**
 * Data that was read and written once under a generation of the library. A new generation empties the shelf:
 * imports are rare, and telling what each one touched would cost more than it saves.
 *
 * Two halves instead of a list in order of use, which each call would write to: what is asked for is in the
 * recent half or moves there; when that is full, the older one, which nobody asked for since, is dropped
 * whole.
 */
export const makeAnswerShelf = () => {
  let recent = makeHalf()
  let older = makeHalf()
  let generation = -1
  const turn = (to: number): void => {
    if (to === generation) return
    recent = makeHalf()
    older = makeHalf()
    generation = to
  }
  const place = (key: string, entry: WrittenData): void => {
    if (recent.characters + weight(key, entry) > halfMax) {
      older = recent
      recent = makeHalf()
    }
    recent.entries.set(key, entry)
    recent.characters += weight(key, entry)
  }
  return {
    take: (now: number, key: string): WrittenData | undefined => {
      turn(now)
      const found = recent.entries.get(key)
      if (found !== undefined) return found
      const earlier = older.entries.get(key)
      if (earlier !== undefined) place(key, earlier)
      return earlier
    },
    /**
     * `under` is the generation that stood before the data was read: later, and the data may be too old for
     * it.
     */
    put: (under: number, key: string, entry: WrittenData): void => {
      if (under !== generation || recent.entries.has(key) || weight(key, entry) > halfMax) return
      place(key, entry)
    },
    /** Of all that is kept, for the tests: what stands in both halves counts twice. */
    characters: (): number => recent.characters + older.characters
  }
}

interface Half {
  readonly entries: Map<string, WrittenData>
  characters: number
}

const makeHalf = (): Half => ({ entries: new Map(), characters: 0 })

const halfMax = shelfCharactersMax / 2

const weight = (key: string, { data, meta }: WrittenData): number =>
  key.length + data.length + meta.length + frameCharacters
