import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { standIns } from "../../adapters/http/docs/staticFile.ts"
import { toolSamples } from "../../apps/reference/mcpFragments.ts"
import { errorCodes } from "../../core/error/table.ts"
import { priceOf } from "../../core/mcp/listing.ts"
import { toolNames, tools } from "../../core/mcp/tools.ts"
import { blocksOf } from "../architecture/documents.ts"
import { root } from "./terminal.ts"

const text = readFileSync(`${root}docs/mcp.md`, "utf8")
const address = `${standIns.baseUrl}/mcp`
const blocks = blocksOf({ path: "docs/mcp.md", text })

/** The texts of the blocks below a heading. */
const below = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = text.split(`\n## ${heading}\n`)
  return blocksOf({ path: "docs/mcp.md", text: section.split("\n## ")[0] ?? "" }).map((block) =>
    block.text.trim()
  )
}
const entry = (heading: string, list: string): unknown => {
  const [config = ""] = below(heading)
  return JSON.parse(config)[list]["coverage-policy"]
}

describe("docs/mcp.md", () => {
  it("has the address of the service in every block", () => {
    expect(blocks).toHaveLength(9)
    expect(blocks.filter((block) => !block.text.includes(address))).toEqual([])
  })

  it("has for each client a block in the form that the client reads", () => {
    expect(below("Claude")).toEqual([address])
    expect(below("Claude Code")).toEqual([`claude mcp add --transport http coverage-policy ${address}`])
    expect(below("ChatGPT")).toEqual([address])
    expect(entry("Cursor", "mcpServers")).toEqual({ url: address })
    expect(entry("VS Code", "servers")).toEqual({ type: "http", url: address })
    const [, command = ""] = below("VS Code")
    const [, added = ""] = /^code --add-mcp '(.+)'$/.exec(command) ?? []
    expect(JSON.parse(added)).toEqual({ name: "coverage-policy", type: "http", url: address })
    expect(entry("Windsurf", "mcpServers")).toEqual({ serverUrl: address })
    expect(entry("Clients that only start local programs", "mcpServers")).toEqual({
      command: "npx",
      args: ["-y", "mcp-remote", address]
    })
  })

  it.each(toolNames)("lists %s with its cost, a question, and arguments that the tool reads", (name) => {
    expect(text).toContain(`| \`${name}\` | ${tools[name].title} | ${priceOf(tools[name])} |`)
    const sample = toolSamples[name]
    expect(text).toContain(`| ${sample?.question} | \`${name}\` |`)
    expect(Result.getFailure(tools[name].partsOf(sample?.arguments))._tag).toBe("None")
  })

  it("names only error codes that exist", () => {
    const named = [...text.matchAll(/`((?:AUTH|AUTHZ|BILLING|RATE|PHI|VALIDATION)_[A-Z_]*[A-Z])`/g)]
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(([, code]) => !errorCodes.some((known) => known === code))).toEqual([])
  })
})
