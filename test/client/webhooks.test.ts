import * as Effect from "effect/Effect"
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
    ["signature", signed([secret]), body, "whsec_short"],
    ["timestamp", signed([secret], 301), body, secret],
    ["timestamp", signed([secret], -301), body, secret],
    ["timestamp", { ...signed([secret]), "webhook-timestamp": "soon" }, body, secret],
    ["header_missing", {}, body, secret],
    ["header_missing", { ...signed([secret]), "webhook-id": ["a", "b"] }, body, secret],
    ["body", signed([secret], 0, "no json"), "no json", secret],
    ["body", signed([secret], 0, "{}"), "{}", secret]
  ])("refuses for its %s, and never rejects", async (reason, headers, text, by) => {
    const judged = await verifyWebhook({ headers, body: text }, { secret: by, nowSeconds })
    expect(judged).toMatchObject({ _tag: "Refused", reason, message: expect.any(String) })
    expect(JSON.stringify(judged)).not.toContain(by)
  })
})
