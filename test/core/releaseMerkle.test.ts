import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  emptyFrontier,
  appendEntries,
  inclusionProof,
  rootByProof,
  rootOf
} from "../../core/release/merkle.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString("hex")
const bytes = (text: string): Uint8Array => Buffer.from(text, "hex")

const rootOfAll = (entries: ReadonlyArray<Uint8Array>) =>
  rootOf(sha256, appendEntries(sha256, emptyFrontier, entries))

/** The definition of RFC 6962 §2.1, word for word. */
const defined = (entries: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [first] = entries
  if (first === undefined) return sha256(new Uint8Array(0))
  if (entries.length === 1) return sha256(Buffer.concat([Uint8Array.of(0), first]))
  let half = 1
  while (half * 2 < entries.length) half *= 2
  return sha256(
    Buffer.concat([Uint8Array.of(1), defined(entries.slice(0, half)), defined(entries.slice(half))])
  )
}

/** The entries and roots that implementations of Certificate Transparency are tested by. */
const known = [
  ["", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
  ["00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
  ["10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"],
  ["2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"],
  ["3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"],
  ["40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"],
  ["5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"],
  ["606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"]
] as const

const entry = fc.uint8Array({ maxLength: 40 })
const entries = fc.array(entry, { maxLength: 70 })

describe("coverage-domain §2.2: the Merkle tree of a release is RFC 6962's", () => {
  it("the roots of the known trees of one to eight entries come out", () => {
    for (const [index, [, root]] of known.entries())
      expect(hex(rootOfAll(known.slice(0, index + 1).map(([text]) => bytes(text))))).toBe(root)
    expect(hex(rootOfAll([]))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  })

  it("however the entries arrive the root is the definition's, and few hashes are kept of many", () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 5 }), (batches) => {
        const tree = batches.reduce((grows, batch) => appendEntries(sha256, grows, batch), emptyFrontier)
        const all = batches.flat()
        expect(hex(rootOf(sha256, tree))).toBe(hex(defined(all)))
        expect(tree.size).toBe(all.length)
        expect(tree.peaks.length).toBeLessThanOrEqual(Math.ceil(Math.log2(all.length + 2)))
      })
    )
  })

  it("every entry has a path that leads to the root, and no other entry, place, size or path does", () => {
    const cases = fc
      .array(fc.uint8Array({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 40 })
      .chain((all) => fc.record({ all: fc.constant(all), index: fc.nat(all.length - 1), bit: fc.nat(7) }))
    fc.assert(
      fc.property(cases, ({ all, bit, index }) => {
        const root = hex(rootOfAll(all))
        const proof = inclusionProof(sha256, all, index) ?? []
        const claim = { entry: all[index] ?? new Uint8Array(0), index, size: all.length, proof }
        expect(hex(rootByProof(sha256, claim))).toBe(root)
        const flipped = claim.entry.map((byte, at) => (at === 0 ? byte ^ (1 << bit) : byte))
        expect(hex(rootByProof(sha256, { ...claim, entry: flipped }))).not.toBe(root)
        expect(hex(rootByProof(sha256, { ...claim, proof: [...proof, new Uint8Array(32)] }))).not.toBe(root)
        expect(rootByProof(sha256, { ...claim, index: all.length })).toBe(undefined)
        for (const [step, beside] of proof.entries()) {
          const wrong = proof.with(
            step,
            beside.map((byte) => byte ^ 1)
          )
          expect(hex(rootByProof(sha256, { ...claim, proof: wrong }))).not.toBe(root)
          expect(hex(rootByProof(sha256, { ...claim, proof: proof.toSpliced(step, 1) }))).not.toBe(root)
        }
      })
    )
  })

  it("a path that ends before the root, or goes on after it, is none of the tree", () => {
    const all = [1, 2, 3, 4, 5].map((byte) => Uint8Array.of(byte))
    const proof = inclusionProof(sha256, all, 0) ?? []
    const claim = { entry: Uint8Array.of(1), index: 0, size: all.length }
    for (const kept of [0, 1, 2])
      expect(rootByProof(sha256, { ...claim, proof: proof.slice(0, kept) })).toBeUndefined()
    expect(rootByProof(sha256, { ...claim, proof: [...proof, Uint8Array.of(1)] })).toBeUndefined()
  })

  it("what is not there has no path", () => {
    expect(inclusionProof(sha256, [], 0)).toBe(undefined)
    expect(inclusionProof(sha256, [bytes("00")], 1)).toBe(undefined)
    expect(inclusionProof(sha256, [bytes("00")], -1)).toBe(undefined)
    expect(inclusionProof(sha256, [bytes("00")], 0)).toEqual([])
  })
})
