import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { inMemory } from "../http/stores.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"
import { twinOf } from "./twin.ts"

/** Why a scenario of the suite says nothing of this server. */
const fixtureTool = "calls a tool of the suite's own, which a product does not have"
const noPrompts = "is about prompts, a capability that the server does not declare"
const noResources = "is about resources, a capability that the server does not declare"
const noSessions = "is about streams that are taken up again, which needs sessions: the server has none"

/** Every scenario that the suite has for servers: `applies`, or the reason why not. */
const scenarios: Readonly<Record<string, string>> = {
  "server-initialize": "applies",
  ping: "applies",
  "tools-list": "applies",
  "dns-rebinding-protection": "applies",
  "logging-set-level": "is about logging to the client, a capability that the server does not declare",
  "completion-complete": "is about completion, a capability that the server does not declare",
  "tools-call-simple-text": fixtureTool,
  "tools-call-image": fixtureTool,
  "tools-call-audio": fixtureTool,
  "tools-call-embedded-resource": fixtureTool,
  "tools-call-mixed-content": fixtureTool,
  "tools-call-with-logging": fixtureTool,
  "tools-call-error": fixtureTool,
  "tools-call-with-progress": fixtureTool,
  "tools-call-sampling": fixtureTool,
  "tools-call-elicitation": fixtureTool,
  "json-schema-2020-12": fixtureTool,
  "elicitation-sep1034-defaults": fixtureTool,
  "elicitation-sep1330-enums": fixtureTool,
  "server-sse-polling": noSessions,
  "server-sse-multiple-streams": noSessions,
  "resources-list": noResources,
  "resources-read-text": noResources,
  "resources-read-binary": noResources,
  "resources-templates-read": noResources,
  "resources-subscribe": noResources,
  "resources-unsubscribe": noResources,
  "prompts-list": noPrompts,
  "prompts-get-simple": noPrompts,
  "prompts-get-with-args": noPrompts,
  "prompts-get-embedded-resource": noPrompts,
  "prompts-get-with-image": noPrompts
}

const applying = Object.keys(scenarios).filter((name) => scenarios[name] === "applies")

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js"
)

/** What the suite's command line says, and how it ends. */
const run = (...words: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    execFile(process.execPath, [suite, ...words], { timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr })
    )
  })

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

describe("the MCP conformance suite against a twin of /mcp that asks for no token", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  let twin: Awaited<ReturnType<typeof twinOf>>
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedLibrary)
    const { organizationId } = await site.run(customer())
    twin = await twinOf(site.url, site.token({ organizationId }))
  })
  afterAll(async () => {
    await twin.close()
    await site.close()
  })

  it("has the scenarios that are judged here, and no others", async () => {
    const { text } = await run("list", "--server")
    const names = [...text.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
    expect(names.toSorted()).toEqual(Object.keys(scenarios).toSorted())
  })

  it.each(applying)("%s passes", async (scenario) => {
    const { code, text } = await run("server", "--url", twin.url, "--scenario", scenario)
    expect([code, text]).toEqual([0, expect.stringMatching(/Passed: [1-9]/)])
  })
})
