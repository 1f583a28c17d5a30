/** What a cache may hold; the weight of an entry is 1 where none is told. */
export interface CacheLimits<Key, Value> {
  readonly weightMax: number
  readonly weigh?: (key: Key, value: Value) => number
}

export interface Cache<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  /** What alone is heavier than half of the cache is not kept. */
  readonly set: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
  readonly clear: () => void
  /** Of all that is held; what stands in both halves counts twice. */
  readonly weight: () => number
}

/**
 * What was asked for last, up to a weight. Two halves instead of a list in order of use, which each call
 * would write to: what is asked for is in the recent half or moves there; when that is full, the older one,
 * which nobody asked for since, is dropped whole. How long a value is right, its owner knows.
 */
export const makeCache = <Key, Value>({
  weightMax,
  weigh = () => 1
}: CacheLimits<Key, Value>): Cache<Key, Value> => {
  let recent = makeHalf<Key, Value>()
  let older = makeHalf<Key, Value>()
  const remove = ({ weight, values }: Half<Key, Value>, key: Key): number => {
    const value = values.get(key)
    return value !== undefined && values.delete(key) ? weight - weigh(key, value) : weight
  }
  const forget = (key: Key): void => {
    recent.weight = remove(recent, key)
    older.weight = remove(older, key)
  }
  const set = (key: Key, value: Value): void => {
    const weight = weigh(key, value)
    if (weight > weightMax / 2) return forget(key)
    recent.weight = remove(recent, key)
    if (recent.weight + weight > weightMax / 2) {
      older = recent
      recent = makeHalf()
    }
    recent.values.set(key, value)
    recent.weight += weight
  }
  return {
    get: (key) => {
      const found = recent.values.get(key)
      if (found !== undefined) return found
      const earlier = older.values.get(key)
      if (earlier !== undefined) set(key, earlier)
      return earlier
    },
    set,
    delete: forget,
    clear: () => {
      recent = makeHalf()
      older = makeHalf()
    },
    weight: () => recent.weight + older.weight
  }
}

interface Half<Key, Value> {
  readonly values: Map<Key, Value>
  weight: number
}

const makeHalf = <Key, Value>(): Half<Key, Value> => ({ values: new Map(), weight: 0 })
