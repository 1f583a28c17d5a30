import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { everyWord, parseSynonyms, rarity, searchWords } from "../../core/coverage/search.ts"
import { correctSpelling, nearestWord } from "../../core/coverage/spelling.ts"

const synonyms = parseSynonyms(
  "term,meanings\nwound vac,negative pressure wound therapy\nvac,vacuum\ncover,\n"
)

describe("what a text asks for (contract §2, GET /policies)", () => {
  it("is every word, the longest term of the table as one, plurals and writing aside", () => {
    expect(searchWords("Wound-VACs, home", synonyms)).toEqual({
      all: [
        [
          ["wound", "vacs"],
          ["negative", "pressure", "wound", "therapy"]
        ],
        [["home"]]
      ],
      some: [
        [
          ["wound", "vacs"],
          ["negative", "pressure", "wound", "therapy"]
        ],
        [["wound"]],
        [["vacs"]],
        [["home"]]
      ],
      excluded: []
    })
  })

  it("leaves out what says nothing: always, or beside other words", () => {
    expect(searchWords("is the pump covered", synonyms).all).toEqual([[["pump"]], [["covered"]]])
    expect(searchWords("do they cover a pump", synonyms).all).toEqual([[["pump"]]])
    expect(searchWords("cover", synonyms).all).toEqual([[["cover"]]])
    expect(everyWord("cover a pump", synonyms).all).toEqual([[["cover"]], [["pump"]]])
    expect(searchWords("the of", synonyms)).toEqual({ all: [], some: [], excluded: [] })
  })

  it("is nothing else where the text is an id, and never a word with a dash before it", () => {
    expect(searchWords("NCD 220.6", synonyms).some).toEqual([])
    expect(searchWords("x-ray -knee", synonyms)).toMatchObject({
      all: [[["x"]], [["ray"]]],
      excluded: ["knee"]
    })
  })
})

describe("the table of synonyms that comes along", () => {
  const table = readFileSync(join(import.meta.dirname, "../../apps/lists/synonyms.csv"), "utf8")
  const lines = table.trim().split("\n").slice(1)

  it("has at least 300 terms, each once, and none that names only itself", () => {
    const terms = parseSynonyms(table)
    expect([...terms.values()].filter((meanings) => meanings.length > 0).length).toBeGreaterThanOrEqual(300)
    expect(lines).toEqual([...new Set(lines)])
    for (const line of lines) {
      expect(line).toMatch(/^[a-z0-9 -]+,([a-z0-9 -]+(\|[a-z0-9 -]+)*)?$/)
      const [term = "", meanings = ""] = line.split(",")
      expect(meanings.split("|")).not.toContain(term)
    }
  })

  it("knows what people call what", () => {
    const terms = parseSynonyms(table)
    for (const [term, meaning] of [
      ["cpap", "continuous positive airway pressure"],
      ["wound vac", "negative pressure wound therapy"],
      ["sugar monitor", "blood glucose monitor"],
      ["nose job", "rhinoplasty"],
      ["scooter", "power operated vehicle"]
    ] as const) {
      expect(searchWords(term, terms).all[0]).toContainEqual(meaning.split(" "))
    }
  })
})

describe("words spelled nearly so", () => {
  it("are the nearest within one slip, or two in words of six letters and more", () => {
    const known = ["oxygen", "pacemaker", "scan", "beds", "mammograms", "mammogram"]
    const wanted = [
      ["oxigen", "oxygen"],
      ["oyxgen", "oxygen"],
      ["pacmakr", "pacemaker"],
      ["mamogram", "mammogram"],
      ["scam", "scan"],
      ["scxx", undefined],
      ["bed", undefined],
      ["e0601", undefined],
      ["oxygen", undefined]
    ] as const
    for (const [word, nearest] of wanted) {
      expect(
        nearestWord(
          word,
          known.filter((each) => word !== "oxygen" || each === word)
        )
      ).toBe(nearest)
    }
    expect(correctSpelling("Home OXIGEN, oxigen-rich", new Map([["oxigen", "oxygen"]]))).toBe(
      "home oxygen, oxygen-rich"
    )
  })
})

describe("how much a word tells", () => {
  it("is the more the rarer it is, and nothing once it is common", () => {
    expect([1, 2, 249, 250, 0].map(rarity)).toEqual([55, 48, 1, 0, 0])
  })
})
