import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { shortenText } from "../../core/text/shortenText.ts"

describe("shortenText", () => {
  const examples = [
    ["fits as it is, ", 15, "fits as it is, "],
    ["cut after a whole word", 12, "cut after a…"],
    ["no comma, before the ellipsis", 11, "no comma…"],
    ["a line\nand another", 10, "a line…"],
    ["unbroken", 4, "unbr…"],
    ["tooth 🦷🦷", 7, "tooth…"],
    ["🦷🦷", 3, "🦷…"]
  ] as const
  it.each(examples)("%j at %i is %j", (text, max, shown) => {
    expect(shortenText(text, max)).toBe(shown)
  })

  it("begins as the text does, is no longer than asked, and splits no character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        const shown = shortenText(text, max)
        expect(shown.isWellFormed()).toBe(true)
        if (text.length <= max) {
          expect(shown).toBe(text)
          return
        }
        expect(shown.endsWith("…")).toBe(true)
        expect(shown.length).toBeLessThanOrEqual(max + 1)
        expect(text.startsWith(shown.slice(0, -1))).toBe(true)
      })
    )
  })
})
