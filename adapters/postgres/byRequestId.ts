/** Of a request id's random end, so many characters tell its bucket. */
const characters = 2
const bucketBits = 8

/**
 * Calls in flight by their request ids, which come and go with every call. It stands where a Map would, whose
 * tables V8 makes anew every few departures, each old one keeping what came after it (core/call/deadline.ts):
 * with a Map a call costs Node 1.14 of its CPU (docs/performance.md).
 */
export const byRequestId = <Item extends { readonly requestId: string }>() => {
  const buckets: ReadonlyArray<Array<Item>> = Array.from({ length: 1 << bucketBits }, () => [])
  let size = 0
  const bucketOf = (requestId: string): Array<Item> => {
    let bits = 0
    for (let at = requestId.length - characters; at < requestId.length; at++)
      bits = (bits << (bucketBits / characters)) ^ requestId.charCodeAt(at)
    return buckets[bits & (buckets.length - 1)] ?? []
  }
  const indexIn = (bucket: ReadonlyArray<Item>, requestId: string): number =>
    bucket.findIndex((item) => item.requestId === requestId)
  return {
    size: () => size,
    get: (requestId: string): Item | undefined => {
      const bucket = bucketOf(requestId)
      return bucket[indexIn(bucket, requestId)]
    },
    /** To be called once for an id that is there. */
    add: (item: Item): void => {
      bucketOf(item.requestId).push(item)
      size += 1
    },
    remove: (requestId: string): void => {
      const bucket = bucketOf(requestId)
      const index = indexIn(bucket, requestId)
      if (index === -1) return
      const last = bucket.pop()
      if (last !== undefined && index < bucket.length) bucket[index] = last
      size -= 1
    },
    forEach: (visit: (item: Item) => void): void => {
      for (const bucket of buckets) for (const item of bucket) visit(item)
    }
  }
}
