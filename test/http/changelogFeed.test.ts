import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { feedOf } from "../../apps/reference/site/changelogFeed.ts"

const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8")
const later = `# Changelog

## Unreleased

<!-- as of 2027-03-04 -->

### Added

- Something, see [the sandbox](docs/reference/sandbox.md) and [below](#100---2027-01-02).

## 1.0.0 - 2027-01-02

Words of its own.

### Added

- The first.

### Fixed

- The last.
`

const feed = (text: string): string => feedOf(text)
const all = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found)
const idsOf = (text: string) => all(text, /<entry><id>([^<]+)<\/id>/g)
const updatedOf = (text: string) => all(text, /<updated>([^<]+)<\/updated>/g)
const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

describe.each([
  ["our own changelog", changelog],
  ["one with a release", later]
])("RFC 4287 the feed of %s", (_, text) => {
  it("has one entry for each heading, each with an id of its own and all that an entry must have", () => {
    const entries = all(feed(text), /<entry>([\s\S]*?)<\/entry>/g)
    expect(entries.length).toBeGreaterThanOrEqual(all(text, /^(### .+)$/gm).length)
    expect(new Set(idsOf(feed(text))).size).toBe(entries.length)
    for (const id of idsOf(feed(text))) expect(URL.canParse(id)).toBe(true)
    for (const entry of entries)
      for (const element of ["id", "title", "updated", "link", "content"])
        expect(entry.match(new RegExp(`<${element}[ >]`, "g"))).toHaveLength(1)
  })

  it("has dates of RFC 3339 that come from the changelog, the feed's the latest of them", () => {
    const [ofFeed, ...ofEntries] = updatedOf(feed(text))
    for (const updated of ofEntries) {
      expect(updated).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00Z$/)
      expect(text).toContain(updated.slice(0, 10))
    }
    expect(ofFeed).toBe(ofEntries.toSorted().at(-1))
  })

  it("has no link that does not say where it leads", () => {
    const links = all(unescaped(feed(text)), /href="([^"]*)"/g)
    expect(links.filter((link) => !/^https?:/.test(link))).toEqual([])
    expect(links.length).toBeGreaterThan(3)
  })
})

describe("the feed of a changelog", () => {
  it("dates each version as its heading or its comment does", () => {
    expect(updatedOf(feed(later)).map((updated) => updated.slice(0, 10))).toEqual([
      "2027-03-04",
      "2027-03-04",
      "2027-01-02",
      "2027-01-02",
      "2027-01-02"
    ])
    expect(feed(later)).toContain("<title>1.0.0 - 2027-01-02: Fixed</title>")
  })

  it("keeps the ids of what it had when something is added above", () => {
    const grown = later.replace("## 1.0.0", "### Removed\n\n- Something.\n\n## 1.0.0")
    expect(idsOf(feed(grown))).toEqual(expect.arrayContaining([...idsOf(feed(later))]))
    expect(idsOf(feed(grown)).length).toBe(idsOf(feed(later)).length + 1)
  })

  it("says when what is not released was last changed", () => {
    expect(changelog).toMatch(/^## Unreleased\n\n<!-- as of \d{4}-\d{2}-\d{2} -->$/m)
  })
})
