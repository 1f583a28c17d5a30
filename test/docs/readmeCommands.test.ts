import { readFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { blocksOf } from "../architecture/documents.ts"
import { freePort, root, terminals } from "./terminal.ts"

const readme = readFileSync(`${root}README.md`, "utf8")

/** The commands of a section in their order. */
const commandsOf = (title: string): ReadonlyArray<string> => {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ""
  return blocksOf({ path: "README.md", text: section })
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text)
}

describe("README", () => {
  const { open, close } = terminals()
  afterAll(close)

  it("its quick start, its sandbox key and its configuration run as they are written", {
    timeout: 90_000
  }, async () => {
    const port = await freePort()
    const [start = "", prepare = "", ask = ""] = commandsOf("Quick start")
    const [key = ""] = commandsOf("What works today")
    const [config = ""] = commandsOf("Configuration")
    const server = open(["bash", "-e"], { PORT: String(port) })
    server.type(start)
    await server.until(/listening on/)
    const terminal = open()
    const texts = [prepare, ask, key, config, "echo all of it ran\n"]
    terminal.type(texts.join("").replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`))
    const said = await terminal.until(/all of it ran|npm error/)
    expect(said).toContain("all of it ran")
    expect(said.match(/"success":true/g)).toHaveLength(6)
    expect(said).not.toContain('"success":false')
    expect(said).toMatch(/"policy_id":"L90003"/)
    expect(said).toMatch(/"key":"svc_test_/)
    expect(said).toMatch(/BASE_URL/)
  })
})
