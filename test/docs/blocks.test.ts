import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { blocksOf } from "../architecture/documents.ts"
import { readSources } from "../architecture/Source.ts"
import { root } from "./terminal.ts"

/** The tests that run the blocks of each document that has any. */
const runners: Readonly<Record<string, ReadonlyArray<string>>> = {
  "README.md": ["test/docs/readmeCommands.test.ts"],
  "docs/client.md": ["test/docs/client.test.ts"],
  "docs/porting.md": ["test/docs/porting.test.ts"],
  "docs/quickstart.md": ["test/docs/quickstart.test.ts"],
  "docs/reference/sandbox.md": ["test/docs/sandboxReference.test.ts"],
  "docs/releases.md": ["test/docs/releases.test.ts"],
  "docs/webhooks.md": ["test/docs/webhooks.test.ts"]
}

const documents = [
  { path: "README.md", text: readFileSync(`${root}README.md`, "utf8") },
  ...readSources(["docs"], ".md")
]

describe("the blocks of README and docs", () => {
  it("in sh, ts and python stand only in documents whose blocks a test runs", () => {
    const withBlocks = documents.filter((document) =>
      blocksOf(document).some(({ language }) => ["sh", "ts", "python"].includes(language))
    )
    expect(withBlocks.map(({ path }) => path).toSorted()).toEqual(Object.keys(runners).toSorted())
  })

  it.each(Object.entries(runners))("of %s are run by tests that are there and name it", (path, tests) => {
    for (const test of tests) {
      expect(existsSync(root + test)).toBe(true)
      expect(readFileSync(root + test, "utf8")).toContain(path)
    }
  })
})
