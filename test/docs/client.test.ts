import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { settle } from "../../adapters/client/ClientSettings.ts"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { secretText } from "../../core/webhook/secret.ts"
import { messageHeaders } from "../../core/webhook/signature.ts"
import { blocksOf } from "../architecture/documents.ts"
import { movableClock } from "../http/clock.ts"
import { serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { sandboxOver, sandboxStores } from "../http/sandboxCalls.ts"

const root = new URL("../../", import.meta.url)
const path = "docs/client.md"
const guide = readFileSync(new URL(path, root), "utf8")
const blocks = blocksOf({ path, text: guide }).filter(({ language }) => language === "ts")

/** What each block says when it is run as it stands, in the order of the guide. */
const expected: ReadonlyArray<readonly [string, RegExp]> = [
  ["the first call", /^Pneumatic Compression Devices \d{4}-\d\d-\d\d\n$/],
  ["errors", /^RESOURCE_POLICY_NOT_FOUND 404 Find the id with GET \/api\/v1\/policies\.\n$/],
  ["idempotency keys", /^true true\n$/],
  ["lists", /^(L\d+\n){3,}policy_id,.*\n$/],
  ["Effect", /^\[ (true|false), true \]\n$/],
  ["webhooks", /^$/]
]

describe("docs/client.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-client-"))
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  beforeAll(async () => {
    symlinkSync(fileURLToPath(new URL("node_modules", root)), join(folder, "node_modules"))
    serving = await serve(sandboxOver(sandboxStores[0][1], movableClock(Date.now())))
  })
  afterAll(async () => {
    await serving.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The block as a file of its own; the package is this tree, and the service the one of this test. */
  const written = (index: number): string => {
    const file = join(folder, `block${index}.ts`)
    const client = new URL("adapters/client/client.ts", root).href
    const block = blocks[index]?.text ?? ""
    writeFileSync(
      file,
      block
        .replaceAll('"coverage-policy/client"', `"${client}"`)
        .replaceAll("https://api.example.com", serving.url)
    )
    return file
  }

  it.each(expected.map(([what, says], index) => [what, says, index] as const))(
    "its block about %s runs as it stands",
    { timeout: 60_000 },
    async (_, says, index) => {
      const child = spawn(process.execPath, [written(index)], { stdio: "pipe" })
      const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
      expect(complained).toBe("")
      expect(said).toMatch(says)
    }
  )

  it("its receiver takes what is signed and refuses the rest", async () => {
    const { receive } = (await import(pathToFileURL(written(5)).href)) as {
      readonly receive: (request: Request, secret: string) => Promise<Response>
    }
    const { hmacSha256: mac } = Effect.runSync(Effect.provide(Crypto, nodeCrypto))
    const secret = secretText(new Uint8Array(32).fill(3))
    const body = '{"id":"msg_1","type":"test.ping","data":{}}'
    const message = { webhookId: "msg_1", timestampSeconds: Math.floor(Date.now() / 1_000), body }
    const headers = messageHeaders(message, { secrets: [secret], mac })
    const request = (sent: string) =>
      new Request("https://in.example", { method: "POST", headers, body: sent })
    expect((await receive(request(body), secret)).status).toBe(204)
    expect((await receive(request(`${body} `), secret)).status).toBe(401)
    expect((await receive(request(body), secret.replace("whsec_", ""))).status).toBe(500)
  })

  it("has an expectation for every block, and names every setting with its value", () => {
    expect(blocks).toHaveLength(expected.length)
    const settled = settle({ baseUrl: "https://api.example.com" })
    const [, settings = ""] = guide.split("## Settings")
    const rows = [...settings.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].map(([, name = "", value = ""]) => [
      name,
      value
    ])
    expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(settled).toSorted())
    const said = Object.fromEntries(rows)
    const { answerBytesMax, answers, attemptSeconds, keptAnswers, maxRetries, maxWaitSeconds, surface } =
      settled
    expect(said).toMatchObject({
      surface: `\`"${surface}"\``,
      maxRetries: String(maxRetries),
      maxWaitSeconds: String(maxWaitSeconds),
      attemptSeconds: String(attemptSeconds),
      answerBytesMax: `${answerBytesMax / 1_048_576} MiB`,
      answers: `\`"${answers}"\``,
      keptAnswers: String(keptAnswers)
    })
  })
})
