import { createHmac } from "node:crypto"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { describe, expect, it } from "vitest"
import { layer } from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { eventBody, eventBytesMax, isSubscription, makeWebhookId } from "../../core/webhook/event.ts"
import { utf8Bytes } from "../../core/webhook/event.ts"
import { liveSecrets, rotateSecret, secretBytes, secretContext } from "../../core/webhook/secret.ts"
import { secretBytesCount, secretOverlapMs, secretText } from "../../core/webhook/secret.ts"
import type { SecretLife } from "../../core/webhook/secret.ts"
import { messageHeaders } from "../../core/webhook/signature.ts"
import "../kit/runs.ts"

const { hmacSha256, randomBytes } = Effect.runSync(Effect.provide(Crypto, layer))
const freshSecret = (): string => secretText(randomBytes(secretBytesCount))
const webhookId = makeWebhookId({ nowMs: Date.now(), randomBytes: randomBytes(10) })

const sign = (body: string, secrets: ReadonlyArray<string>): Record<string, string> => ({
  ...messageHeaders(
    { webhookId, timestampSeconds: Math.floor(Date.now() / 1_000), body },
    { secrets, mac: hmacSha256 }
  )
})

const libraries = {
  svix: (secret: string) => new SvixWebhook(secret),
  standardwebhooks: (secret: string) => new StandardWebhook(secret)
}

describe.each(Object.entries(libraries))("contract §2 what %s verifies", (_name, receiver) => {
  it("any body signed with its secret", () =>
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const secret = freshSecret()
        const body = JSON.stringify({ data })
        expect(() => receiver(secret).verify(body, sign(body, [secret]))).not.toThrow()
      })
    ))

  it("during a rotation, with the old secret as with the new", () => {
    const [fresh, old] = [freshSecret(), freshSecret()]
    const headers = sign("{}", [fresh, old])
    expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    for (const secret of [fresh, old]) expect(() => receiver(secret).verify("{}", headers)).not.toThrow()
  })

  it("not with another secret, nor a body, id or time that was not signed", () => {
    const secret = freshSecret()
    const headers = sign("{}", [secret])
    const seconds = Number(headers["webhook-timestamp"])
    expect(() => receiver(freshSecret()).verify("{}", headers)).toThrow()
    expect(() => receiver(secret).verify("{ }", headers)).toThrow()
    expect(() => receiver(secret).verify("{}", { ...headers, "webhook-id": "msg_other" })).toThrow()
    const later = { ...headers, "webhook-timestamp": String(seconds + 1) }
    expect(() => receiver(secret).verify("{}", later)).toThrow()
  })
})

describe("contract §2 the signature", () => {
  it("is the HMAC of id, second and body by the secret's bytes, the newest secret first", () => {
    const [fresh, old] = [freshSecret(), freshSecret()]
    const headers = sign("é", [fresh, old])
    const text = `${webhookId}.${headers["webhook-timestamp"]}.é`
    const wanted = [fresh, old].map((secret) => {
      const bytes = Buffer.from(secret.slice("whsec_".length), "base64")
      return `v1,${createHmac("sha256", bytes).update(text, "utf8").digest("base64")}`
    })
    expect(headers["webhook-signature"]).toBe(wanted.join(" "))
  })
})

describe("contract §2 secrets", () => {
  const life = (secretId: string, createdAtMs: number): SecretLife => ({
    secretId,
    createdAtMs,
    expiresAtMs: null
  })

  it("are whsec_ and the base64 of 24 to 64 bytes", () => {
    const bytes = randomBytes(secretBytesCount)
    expect(secretText(bytes)).toBe(`whsec_${Buffer.from(bytes).toString("base64")}`)
    expect(secretBytes(secretText(bytes))).toEqual(bytes)
    for (const text of ["", "whsec_", "whsec_AAAA", `whsek_${"A".repeat(44)}`, `whsec_${"!".repeat(44)}`])
      expect(secretBytes(text)).toBeUndefined()
  })

  it("sign beside the next for 24 hours and at most two at once", () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 * secretOverlapMs }), { maxLength: 6 }), (gaps) => {
        let nowMs = 0
        let secrets: ReadonlyArray<SecretLife> = [life("0", 0)]
        for (const [index, gap] of gaps.entries()) {
          nowMs += gap
          const before = liveSecrets(secrets, nowMs)[0]
          secrets = rotateSecret(secrets, life(String(index + 1), nowMs), nowMs)
          const lastMs = nowMs + secretOverlapMs - 1
          const names = (atMs: number) => liveSecrets(secrets, atMs).map(({ secretId }) => secretId)
          expect(names(nowMs)).toEqual([String(index + 1), before?.secretId])
          expect(names(lastMs)).toEqual([String(index + 1), before?.secretId])
          expect(names(lastMs + 1)).toEqual([String(index + 1)])
        }
      })
    ))

  it("are sealed for one place", () => {
    const place = { organizationId: "org_1", secretId: "2" }
    expect(secretContext(place)).not.toBe(secretContext({ organizationId: "org_12", secretId: "" }))
  })
})

describe("contract §2 an event", () => {
  it("is {id, type, timestamp, api_version, data}", () => {
    const body = eventBody({
      webhookId,
      type: "compliance.acknowledged",
      occurredAtMs: Date.UTC(2026, 0, 31, 12),
      data: { diff_ids: [1] }
    })
    expect(JSON.parse(body)).toEqual({
      id: webhookId,
      type: "compliance.acknowledged",
      timestamp: "2026-01-31T12:00:00.000Z",
      api_version: "v1",
      data: { diff_ids: [1] }
    })
    expect(utf8Bytes(body)).toBeLessThan(eventBytesMax)
  })

  it("may be asked for as compliance.acknowledged and *, and as nothing else (§6)", () => {
    expect(["compliance.acknowledged", "*"].every(isSubscription)).toBe(true)
    expect(["test.ping", "", "compliance.*", "Compliance.acknowledged"].some(isSubscription)).toBe(false)
  })

  it("is measured in bytes of UTF-8", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (drawn) => {
        const text = drawn.toWellFormed()
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text, "utf8"))
      })
    ))
})
