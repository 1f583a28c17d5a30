import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeEncryption } from "../../adapters/node/encryption.ts"

const { encrypt, decrypt } = makeEncryption()
const sealedOf = (text: string, secret = "one", context = "here") => encrypt({ secret, context, text })

describe("what is encrypted at rest", () => {
  it("opens under any secret of the list, in its own context", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (drawn) => {
        const text = drawn.toWellFormed()
        for (const secrets of [["one"], ["another", "one"]]) {
          expect(decrypt({ secrets, context: "here", sealed: sealedOf(text) })).toBe(text)
        }
      })
    ))

  it("opens neither under another secret nor elsewhere", () => {
    const sealed = sealedOf("text")
    expect(decrypt({ secrets: ["two", ""], context: "here", sealed })).toBeUndefined()
    expect(decrypt({ secrets: [], context: "here", sealed })).toBeUndefined()
    expect(decrypt({ secrets: ["one"], context: "there", sealed })).toBeUndefined()
  })

  it("does not open when one bit of it is changed, nor when it is cut", () => {
    const sealed = sealedOf("some text")
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = new Uint8Array(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decrypt({ secrets: ["one"], context: "here", sealed: changed })).toBeUndefined()
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(
        decrypt({ secrets: ["one"], context: "here", sealed: sealed.subarray(0, length) })
      ).toBeUndefined()
    }
  })

  it("is different each time, and says nothing of the text", () => {
    const all = Array.from({ length: 1_000 }, () => sealedOf("whsec_secret"))
    expect(new Set(all.map((sealed) => Buffer.from(sealed).toString("hex"))).size).toBe(all.length)
    expect(Buffer.from(sealedOf("whsec_secret")).includes("whsec")).toBe(false)
  })
})
