/** The data of an answer as it was written, for every later call that asks the same. */
export interface WrittenData {
  /** JSON text. */
  readonly data: string
  readonly etag: string
  /** JSON text of what its `meta` says beside request id and time. */
  readonly meta: string
}

/** Characters of all that is kept: some three thousand policies as they are usually asked for. */
export const shelfCharactersMax = 32 * 1024 * 1024
/** What an entry weighs besides its texts. */
const frameCharacters = 300

/**
 * Data that was read and written once under a generation of the library; what was asked for last stays
 * longest. A new generation empties the shelf: imports are rare, and telling what each one touched would cost
 * more than it saves.
 */
export const makeAnswerShelf = () => {
  const entries = new Map<string, WrittenData>()
  let generation = -1
  let characters = 0
  const weight = (key: string, { data, meta }: WrittenData): number =>
    key.length + data.length + meta.length + frameCharacters
  const turn = (to: number): void => {
    if (to === generation) return
    entries.clear()
    characters = 0
    generation = to
  }
  return {
    take: (now: number, key: string): WrittenData | undefined => {
      turn(now)
      const found = entries.get(key)
      if (found === undefined) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    /**
     * `under` is the generation that stood before the data was read: later, and the data may be too old for
     * it.
     */
    put: (under: number, key: string, entry: WrittenData): void => {
      if (under !== generation || entries.has(key) || weight(key, entry) > shelfCharactersMax) return
      entries.set(key, entry)
      characters += weight(key, entry)
      for (const [oldest, held] of entries) {
        if (characters <= shelfCharactersMax) return
        entries.delete(oldest)
        characters -= weight(oldest, held)
      }
    }
  }
}
