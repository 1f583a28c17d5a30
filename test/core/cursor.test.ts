import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { filtersOf, readCursor, writeCursor } from "../../core/page/cursor.ts"
import type { CursorBinding, Sign } from "../../core/page/cursor.ts"
import { timeId, timePart } from "../../core/id/timeId.ts"

const signWith =
  (secret: string): Sign =>
  (text) =>
    createHmac("sha256", secret).update(text).digest("base64url")
const sign = signWith("first")
const binding: CursorBinding = { organization: "org_a", operation: "listPolicies", filters: "[]" }
const position = fc.record({
  relevance: fc.double({ noNaN: true, noDefaultInfinity: true }),
  policyId: fc.string()
})

describe("§4.6.1 cursors", () => {
  it("contract §1 a cursor gives its position back, and is deterministic", () => {
    fc.assert(
      fc.property(position, (given) => {
        const cursor = writeCursor({ position: given, binding, sign })
        expect(writeCursor({ position: given, binding, sign })).toBe(cursor)
        expect(readCursor({ cursor, binding, signs: [sign] })).toEqual({
          position: JSON.parse(JSON.stringify(given))
        })
      })
    )
  })

  it("contract §1 any other organization, operation or filter refuses it", () => {
    const cursor = writeCursor({ position: 1, binding, sign })
    for (const other of [{ organization: "org_b" }, { operation: "listPayers" }, { filters: "[[]]" }]) {
      expect(readCursor({ cursor, binding: { ...binding, ...other }, signs: [sign] })).toBeUndefined()
    }
  })

  it("contract §1 a changed character anywhere refuses it", () => {
    const cursor = writeCursor({ position: { policyId: "L33831", relevance: 0 }, binding, sign })
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(..."aZ0_-.%"), (place, character) => {
        fc.pre(cursor[place] !== character)
        const changed = cursor.slice(0, place) + character + cursor.slice(place + 1)
        expect(readCursor({ cursor: changed, binding, signs: [sign] })).toBeUndefined()
      })
    )
  })

  it("contract §4 SECRET_KEY: the first key signs and all verify", () => {
    const cursor = writeCursor({ position: 1, binding, sign: signWith("old") })
    expect(readCursor({ cursor, binding, signs: [sign, signWith("old")] })).toEqual({ position: 1 })
    expect(readCursor({ cursor, binding, signs: [sign] })).toBeUndefined()
  })

  it.each(["", ".", "a", "a.b", "a.b.c", "🙂.🙂"])("§4.6.1 %j is no cursor", (cursor) => {
    expect(readCursor({ cursor, binding, signs: [sign] })).toBeUndefined()
  })

  it("contract §1 the filters bind, but not the page's size, its cursor or what is included", () => {
    expect(filtersOf({ q: "a", limit: 5, cursor: "x", include: ["codes"] })).toBe(filtersOf({ q: "a" }))
    expect(filtersOf({ b: 1, a: 2 })).toBe(filtersOf({ a: 2, b: 1 }))
    expect(filtersOf({ q: "a" })).not.toBe(filtersOf({ q: "b" }))
  })
})

describe("contract §1 time-ordered ids", () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
  it("ids are 26 lower-case Crockford characters and sort by their time", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), fc.nat(2 ** 31), bytes, bytes, (a, b, one, other) => {
        fc.pre(a !== b)
        const [left, right] = [
          timeId({ nowMs: a, randomBytes: one }),
          timeId({ nowMs: b, randomBytes: other })
        ]
        expect(left).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
        expect(left < right).toBe(a < b)
        expect(left.slice(0, 10)).toBe(timePart(a))
      })
    )
  })

  it("different random bytes give different ids", () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(!one.every((byte, index) => byte === other[index]))
        expect(timeId({ nowMs: 1, randomBytes: one })).not.toBe(timeId({ nowMs: 1, randomBytes: other }))
      })
    )
  })
})
