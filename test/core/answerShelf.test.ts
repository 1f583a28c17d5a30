import { describe, expect, it } from "vitest"
import type { WrittenData } from "../../core/workflow/answerShelf.ts"
import { makeAnswerShelf, shelfCharactersMax } from "../../core/workflow/answerShelf.ts"

const writtenOf = (characters: number): WrittenData => ({
  data: "x".repeat(characters),
  etag: `W/"${characters}"`,
  meta: "{}"
})

describe("the shelf of written answers", () => {
  it("gives what was put under the generation that stands", () => {
    const shelf = makeAnswerShelf()
    expect(shelf.take(1, "a")).toBeUndefined()
    shelf.put(1, "a", writtenOf(10))
    expect(shelf.take(1, "a")).toEqual(writtenOf(10))
    expect(shelf.take(1, "b")).toBeUndefined()
  })

  it("is empty under the next generation, and takes nothing that was read before it", () => {
    const shelf = makeAnswerShelf()
    shelf.take(1, "a")
    shelf.put(1, "a", writtenOf(10))
    expect(shelf.take(2, "a")).toBeUndefined()
    shelf.put(1, "a", writtenOf(10))
    expect(shelf.take(2, "a")).toBeUndefined()
  })

  it("keeps what is asked for, drops what is not, and never outgrows its measure", () => {
    const shelf = makeAnswerShelf()
    const sixteenth = shelfCharactersMax / 16
    const keys = Array.from({ length: 100 }, (_, number) => `policy ${number}`)
    shelf.take(1, "often")
    shelf.put(1, "often", writtenOf(sixteenth))
    for (const key of keys) {
      shelf.put(1, key, writtenOf(sixteenth))
      expect(shelf.take(1, "often")).toBeDefined()
      expect(shelf.characters()).toBeLessThanOrEqual(shelfCharactersMax)
    }
    expect(shelf.take(1, "policy 0")).toBeUndefined()
    expect(shelf.take(1, "policy 99")).toBeDefined()
  })

  it("does not take what would fill it alone", () => {
    const shelf = makeAnswerShelf()
    shelf.take(1, "a")
    shelf.put(1, "a", writtenOf(shelfCharactersMax))
    expect(shelf.take(1, "a")).toBeUndefined()
  })
})
