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

/** From the end of `npm ci` to what the reader came for; on a machine of two cores it takes half a minute. */
const timeoutMs = 120_000

describe("README, followed from its first command to its last", { timeout: timeoutMs + 60_000 }, () => {
  const { open, close } = terminals()
  afterAll(close)
  let beganMs = 0
  let ports = { api: 0, hook: 0 }
  /** Both parts have one reader, who has one data folder and two terminals. */
  const typed = (text: string): string =>
    text.replaceAll("127.0.0.1:3000", `127.0.0.1:${ports.api}`).replaceAll("4000", String(ports.hook))
  const serve = async (command: string) => {
    const server = open(["bash", "-e"], { PORT: String(ports.api) })
    server.type(typed(command))
    await server.until(/listening on/)
    return server
  }

  it("its quick start, its sandbox key and its configuration run as they are written", async () => {
    ports = { api: await freePort(), hook: await freePort() }
    const [start = "", prepare = "", ask = ""] = commandsOf("Quick start")
    const [key = ""] = commandsOf("What works today")
    const [config = ""] = commandsOf("Configuration")
    beganMs = performance.now()
    const server = await serve(start)
    const terminal = open()
    terminal.type(typed([prepare, ask, key, config, "echo all of it ran\n"].join("")))
    const said = await terminal.until(/all of it ran|npm error/)
    expect(said).toContain("all of it ran")
    expect(said.match(/"success":true/g)).toHaveLength(7)
    expect(said).not.toContain('"success":false')
    expect(said).toMatch(/"coverage_status":"conditional".*"rule":"article\.dx_covered"/)
    expect(said).toMatch(/"policy_id":"L90001"/)
    expect(said).toMatch(/"key":"svc_test_/)
    expect(said).toMatch(/BASE_URL/)
    await Promise.all([server.end(), terminal.end()])
  })

  it("then its minute of webhooks, and two minutes after `npm ci` an event is verified", async () => {
    const [start = "", prepare = "", ask = ""] = commandsOf("Webhooks in a minute")
    await serve(start)
    const terminal = open()
    terminal.type(typed(prepare))
    await terminal.until(/listening on/)
    terminal.type(typed(ask))
    const said = await terminal.until(/verified {2}compliance\.acknowledged/)
    expect(performance.now() - beganMs).toBeLessThan(timeoutMs)
    expect(said).toMatch(/verified {2}test\.ping {2}msg_/)
    expect(said).toMatch(/refused {2}test\.ping {2}msg_\w+ {2}webhook-signature does not fit/)
    expect(said).toMatch(
      /verified {2}compliance\.acknowledged {2}msg_\w+ {2}\{"acknowledgement_ids":\[\d+\],"diff_ids":\[1\]/
    )
    expect(said).toContain('"signature_validation":"enforced"')
  })
})
