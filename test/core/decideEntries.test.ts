import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { entriesAmong } from "../../core/coverage/decide/entriesAmong.ts"
import { group } from "./decideSituations.ts"

const codes = fc.integer({ min: 0, max: 150 }).map((number) => `A${String(number).padStart(3, "0")}`)
const sizes = { minLength: 0, maxLength: 130 }

describe("entries that a question names", () => {
  it("are the same whether a group is looked up in order or read through", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(codes, sizes),
        fc.uniqueArray(codes, { maxLength: 20 }),
        (listed, wanted) => {
          const expected = wanted.filter((code) => listed.includes(code)).toSorted()
          const found = (order: ReadonlyArray<string>) =>
            entriesAmong(group("dx_covered", order), wanted).map((entry) => entry.code)
          expect(found(listed.toSorted())).toEqual(expected)
          expect(found(listed)).toEqual(expected)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("are found at both ends of a long group", () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `A${String(index).padStart(4, "0")}`)
    const found = entriesAmong(group("dx_covered", long), ["A4999", "A0000", "Z99"])
    expect(found.map((entry) => entry.code)).toEqual(["A0000", "A4999"])
  })
})
