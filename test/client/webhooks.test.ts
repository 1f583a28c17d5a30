import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { describe, expect, it } from "vitest"
import { verifyWebhook } from "../../adapters/client/client.ts"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { secretText } from "../../core/webhook/secret.ts"
import { messageHeaders } from "../../core/webhook/signature.ts"

const { hmacSha256: mac } = Effect.runSync(Effect.provide(Crypto, nodeCrypto))
const secret = secretText(new Uint8Array(32).fill(3))
const other = secretText(new Uint8Array(32).fill(4))
const nowSeconds = 1_800_000_000
const event = { id: "msg_1", type: "test.ping", timestamp: "t", api_version: "v1", data: { note: "é" } }
const body = JSON.stringify(event)
const signed = (secrets: ReadonlyArray<string>, ageSeconds = 0, text = body) =>
  messageHeaders(
    { webhookId: "msg_1", timestampSeconds: nowSeconds - ageSeconds, body: text },
    { secrets, mac }
  )

describe("verifyWebhook (Standard Webhooks)", () => {
  it("answers the event of what is signed, by Web Crypto as the service signs", async () => {
    const verified = { _tag: "Verified", webhookId: "msg_1", event }
    const headers = signed([secret])
    expect(await verifyWebhook({ headers, body }, { secret, nowSeconds })).toEqual(verified)
    expect(await verifyWebhook({ headers: new Headers(headers), body }, { secret, nowSeconds })).toEqual(
      verified
    )
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    )
    expect(await verifyWebhook({ headers: upper, body }, { secrets: [other, secret], nowSeconds })).toEqual(
      verified
    )
    const rotated = signed([other, secret])
    expect(await verifyWebhook({ headers: rotated, body }, { secret, nowSeconds })).toEqual(verified)
  })

  it.each([
    ["signature", signed([other]), body, secret],
    ["signature", signed([secret]), body.replace("é", "e"), secret],
    ["timestamp", signed([secret], 301), body, secret],
    ["timestamp", signed([secret], -301), body, secret],
    ["timestamp", { ...signed([secret]), "webhook-timestamp": "soon" }, body, secret],
    ["header_missing", {}, body, secret],
    ["header_missing", { ...signed([secret]), "webhook-id": ["a", "b"] }, body, secret],
    ["header_missing", { ...signed([secret]), "webhook-id": [] }, body, secret],
    ["header_missing", { ...signed([secret]), "webhook-signature": undefined }, body, secret],
    ["body", signed([secret], 0, "no json"), "no json", secret],
    ["body", signed([secret], 0, "{}"), "{}", secret]
  ])("refuses for its %s, and never rejects", async (reason, headers, text, by) => {
    const judged = await verifyWebhook({ headers, body: text }, { secret: by, nowSeconds })
    expect(judged).toMatchObject({ _tag: "Refused", reason, message: expect.any(String) })
    expect(JSON.stringify(judged)).not.toContain(by)
  })

  it.each([
    ["is empty", ""],
    ["is empty", undefined as unknown as string],
    ["contains blanks", ` ${secret}`],
    ["contains blanks", `${secret}\n`],
    ["contains blanks", `${secret.slice(0, 12)} ${secret.slice(12)}`],
    ["starts with `v1,`", signed([secret])["webhook-signature"] ?? ""],
    ["starts with `v1,`", `v1,${secret}`],
    ["does not start with `whsec_`", secret.slice("whsec_".length)],
    ["does not start with `whsec_`", secret.toUpperCase()],
    ["is not `whsec_` and the base64 of 24 to 64 bytes", "whsec_c2hvcnQ="],
    ["is not `whsec_` and the base64 of 24 to 64 bytes", secret.replaceAll("A", "?")]
  ])("reports a secret that %s as a fault of the setting, not of the delivery", async (fault, given) => {
    for (const headers of [signed([secret]), signed([other]), signed([secret], 301), {}]) {
      const judged = await verifyWebhook({ headers, body }, { secret: given, nowSeconds })
      expect(judged).toMatchObject({ reason: "secret", message: expect.stringContaining(fault) })
      if (given) expect(JSON.stringify(judged)).not.toContain(given.trim().slice(-12))
    }
  })

  it("verifies with the usable secret of a list and otherwise reports the faulty one", async () => {
    const secrets = [other.slice("whsec_".length), secret]
    const verify = (by: string, list = secrets) =>
      verifyWebhook({ headers: signed([by]), body }, { secrets: list, nowSeconds })
    expect(await verify(secret)).toMatchObject({ _tag: "Verified" })
    expect(await verify(other)).toMatchObject({ reason: "secret" })
    expect(await verify(secret, [])).toMatchObject({ reason: "secret" })
  })

  it.each([
    ["svix", new SvixWebhook(secret)],
    ["standardwebhooks", new StandardWebhook(secret)]
  ])("agrees with %s in both directions, within the tolerance and beyond it", async (_name, library) => {
    for (const [ageSeconds, verified] of [
      [0, true],
      [290, true],
      [-290, true],
      [310, false],
      [-310, false]
    ] as const) {
      const seconds = Math.floor(Date.now() / 1_000) - ageSeconds
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(seconds),
        "webhook-signature": library.sign("msg_1", new Date(seconds * 1_000), body)
      }
      const judged = await verifyWebhook({ headers, body }, { secret })
      expect(judged, String(ageSeconds)).toMatchObject(verified ? { event } : { reason: "timestamp" })
      const asserted = expect(() => library.verify(body, headers), String(ageSeconds))
      if (verified) asserted.not.toThrow()
      else asserted.toThrow()
    }
  })

  it("reads headers as a Node server has them, as a Map, and as Headers of another library", async () => {
    const received: Array<Parameters<typeof verifyWebhook>[0]["headers"]> = []
    const server = createServer((request, response) => {
      received.push(request.headers, request.headersDistinct)
      response.end()
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers: signed([secret]) })
    server.close()
    const listed = Object.entries(signed([secret])).map(([name, value]) => [name, [value]] as const)
    received.push(new Map(listed), Object.fromEntries(listed), foreignHeaders(signed([secret])))
    expect(received).toHaveLength(5)
    for (const headers of received)
      expect(await verifyWebhook({ headers, body }, { secret, nowSeconds })).toMatchObject({ event })
  })
})

/** Returns headers with the interface of `Headers` that are no instance of this realm's class. */
const foreignHeaders = (headers: Readonly<Record<string, string>>): Iterable<readonly [string, string]> => {
  const entries = Object.entries(headers)
  return { [Symbol.iterator]: () => entries.values() as Iterator<readonly [string, string]> }
}
