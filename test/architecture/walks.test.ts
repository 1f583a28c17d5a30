import { describe, expect, it } from "vitest"
import { readSources, sourceFolders } from "./Source.ts"
import { notInTree, readWalks, walksIn } from "./walks.ts"

const texts = new Map(readSources(sourceFolders).map(({ path, text }) => [path, text]))
const walks = readWalks()

describe("the calls that docs/architecture.md walks", () => {
  it("are three", () => {
    expect([...walks.keys()]).toEqual(["a hot read", "a keyed write", "a tool of MCP"])
  })

  it.each([...walks])("%s passes files and functions that are there", (_title, walk) => {
    expect(walk.length).toBeGreaterThan(10)
    expect(notInTree(walk, (path) => texts.get(path))).toEqual([])
  })

  it("a hot read passes at most 40 files, each named once, and crosses at most 8 times", () => {
    const read = walks.get("a hot read") ?? []
    expect(new Set(read.map(({ path }) => path)).size).toBe(read.length)
    expect(read.length).toBeLessThanOrEqual(40)
    const crossings = read.reduce((sum, each) => sum + each.crossings, 0)
    expect(crossings).toBeGreaterThan(0)
    expect(crossings).toBeLessThanOrEqual(8)
  })

  it("a planted file or function that is not there is caught", () => {
    const text = "### A call: planted\n\n| `core/a.ts` | `there`, `gone` | x |\n| `core/b.ts` | `any` | x |\n"
    const planted = walksIn(text).get("planted") ?? []
    const read = (path: string) => (path === "core/a.ts" ? "export const there = 1" : undefined)
    expect(notInTree(planted, read)).toEqual(["core/a.ts: gone", "core/b.ts"])
  })
})
