/** The SHA-256 of bytes, which the kernel is given. */
export type HashBytes = (bytes: Uint8Array) => Uint8Array

/**
 * What of a growing Merkle tree is needed to go on: the roots of its perfect subtrees, the largest first. A
 * million entries take twenty hashes.
 */
export interface Frontier {
  readonly size: number
  readonly peaks: ReadonlyArray<Uint8Array>
}

export const emptyFrontier: Frontier = { size: 0, peaks: [] }

/** The tree with the entries added at its end. */
export const appendEntries = (hash: HashBytes, tree: Frontier, entries: Iterable<Uint8Array>): Frontier => {
  const peaks = [...tree.peaks]
  let size = tree.size
  for (const entry of entries) {
    let node = leafHash(hash, entry)
    // As many subtrees are now full as the number before had ones at its end.
    for (let left = size; left % 2 === 1; left = Math.floor(left / 2)) {
      const peak = peaks.pop()
      if (peak !== undefined) node = nodeHash(hash, peak, node)
    }
    peaks.push(node)
    size += 1
  }
  return { size, peaks }
}

/** The Merkle tree hash of RFC 6962 §2.1; of nothing it is the hash of no bytes. */
export const rootOf = (hash: HashBytes, { peaks }: Frontier): Uint8Array =>
  peaks.reduceRight<Uint8Array | undefined>(
    (root, peak) => (root === undefined ? peak : nodeHash(hash, peak, root)),
    undefined
  ) ?? hash(new Uint8Array(0))

/**
 * The audit path of the entry at `index`, from its neighbour up to the root's (RFC 6962 §2.1.1): with it
 * anyone who holds the entry can compute the root. Undefined: there is no such entry.
 */
export const inclusionProof = (
  hash: HashBytes,
  entries: ReadonlyArray<Uint8Array>,
  index: number
): ReadonlyArray<Uint8Array> | undefined => {
  if (!(index >= 0 && index < entries.length)) return undefined
  if (entries.length === 1) return []
  const half = splitOf(entries.length)
  const [left, right] = [entries.slice(0, half), entries.slice(half)]
  const [inside, beside] = index < half ? [left, right] : [right, left]
  const path = inclusionProof(hash, inside, index < half ? index : index - half)
  return path && [...path, rootOf(hash, appendEntries(hash, emptyFrontier, beside))]
}

/**
 * The root that the entry at `index` of `size` has by this audit path (RFC 9162 §2.1.3.2); undefined: the
 * path is none of such a tree. The entry is included exactly if this is the root that was certified.
 */
export const rootByProof = (
  hash: HashBytes,
  claim: {
    readonly entry: Uint8Array
    readonly index: number
    readonly size: number
    readonly proof: ReadonlyArray<Uint8Array>
  }
): Uint8Array | undefined => {
  if (!(claim.index >= 0 && claim.index < claim.size)) return undefined
  let [first, last] = [claim.index, claim.size - 1]
  let node = leafHash(hash, claim.entry)
  for (const beside of claim.proof) {
    if (last === 0) return undefined
    if (first % 2 === 1 || first === last) {
      node = nodeHash(hash, beside, node)
      while (first % 2 === 0 && first !== 0) [first, last] = [first / 2, Math.floor(last / 2)]
    } else node = nodeHash(hash, node, beside)
    ;[first, last] = [Math.floor(first / 2), Math.floor(last / 2)]
  }
  return last === 0 ? node : undefined
}

const leafHash = (hash: HashBytes, entry: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(1 + entry.length)
  bytes.set(entry, 1)
  return hash(bytes)
}

const nodeHash = (hash: HashBytes, left: Uint8Array, right: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(1 + left.length + right.length)
  bytes[0] = 1
  bytes.set(left, 1)
  bytes.set(right, 1 + left.length)
  return hash(bytes)
}

/** The largest power of two below the size. */
const splitOf = (size: number): number => {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}
