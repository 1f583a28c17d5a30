import * as Effect from "effect/Effect"
import { once } from "node:events"
import { afterAll, describe, expect, it } from "vitest"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { secretText } from "../../core/webhook/secret.ts"
import { messageHeaders } from "../../core/webhook/signature.ts"
import { begin, command } from "./commandLine.ts"

const { hmacSha256: mac } = Effect.runSync(Effect.provide(Crypto, nodeCrypto))
const [secret, another] = [7, 8].map((fill) => secretText(new Uint8Array(32).fill(fill))) as [string, string]
const body = '{"id":"msg_1","type":"test.ping","data":{"endpoint_id":3}}'
const headers = (by: string) => {
  const timestampSeconds = Math.floor(Date.now() / 1_000)
  return messageHeaders({ webhookId: "msg_1", timestampSeconds, body }, { secrets: [by], mac })
}
const started: Array<ReturnType<typeof begin>> = []
afterAll(() => started.forEach((child) => child.kill("SIGINT")))

/** Starts the receiver with its secret given so, and gives what it says. */
const listen = async (
  port: number,
  words: ReadonlyArray<string>,
  given: { stdin?: string; env?: string }
) => {
  const environment = given.env === undefined ? {} : { WEBHOOK_SECRET: given.env }
  const child = begin(
    ["apps/cli/main.ts", "webhooks", "listen", "--port", String(port), ...words],
    environment
  )
  started.push(child)
  child.stdin.end(given.stdin ?? "")
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  const post = (by: string) =>
    fetch(`http://127.0.0.1:${port}/in`, { method: "POST", headers: { ...headers(by) }, body })
  return { child, said: () => said, post }
}

const reached = async (ask: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    try {
      return await ask()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

describe("contract §4 webhooks listen", { timeout: 30_000 }, () => {
  it("prints what it verifies and why not, answers 2xx or 401, and ends by Ctrl-C", async () => {
    const { child, said, post } = await listen(4_711, [], { stdin: `${secret}\n` })
    expect((await reached(() => post(secret))).status).toBe(204)
    expect((await post(another)).status).toBe(401)
    expect((await fetch("http://127.0.0.1:4711/")).status).toBe(405)
    expect(said()).toMatch(/^listening on http:\/\/127\.0\.0\.1:4711/)
    expect(said()).toMatch(/verified {2}test\.ping {2}msg_1 {2}\{"endpoint_id":3\}\n/)
    expect(said()).toMatch(/refused {2}test\.ping {2}msg_1 {2}webhook-signature does not fit/)
    expect(said()).not.toContain(secret)
    child.kill("SIGINT")
    expect(await once(child, "close")).toEqual([130, null])
  })

  it("takes the secret from the environment too, and with --json prints an object a line", async () => {
    const { said, post } = await listen(4_712, ["--json"], { env: secret })
    await reached(() => post(secret))
    await post(another)
    expect(
      said()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    ).toMatchObject([
      { verified: true, reason: null, webhook_id: "msg_1", event: { type: "test.ping" } },
      { verified: false, reason: expect.stringContaining("webhook-signature") as string }
    ])
  })

  it.each([
    [["--port", "4713"], "", "VALIDATION_REQUIRED_FIELD"],
    [["--port", "4713"], "nonsense", "VALIDATION_INVALID_FORMAT"],
    [["--port", "0"], secret, "VALIDATION_OUT_OF_RANGE"],
    [["--port", "4713", "--secret", "whsec_AAAA"], "", "VALIDATION_INVALID_FORMAT"]
  ])("%j with %j on standard input is %s, and repeats no secret", async (words, stdin, code) => {
    const ran = await command(["webhooks", "listen", ...words, "--json"], {}, stdin)
    expect([ran.code, ran.stdout]).toEqual([1, ""])
    expect(JSON.parse(ran.stderr).error.code).toBe(code)
    expect(ran.stderr).not.toMatch(/nonsense|AAAA|whsec_[A-Za-z0-9+/]{4}/)
  })
})
