import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { messageHeaders } from "../../core/webhook/signature.ts"
import { toleranceSeconds, verifyMessage } from "../../core/webhook/verify.ts"

const mac = ({ secret, text }: { readonly secret: Uint8Array; readonly text: string }): string =>
  createHmac("sha256", secret).update(text).digest("base64url")
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`
const [ours, older] = [secretOf(1), secretOf(2)]
const nowSeconds = 1_800_000_000
const message = { webhookId: "msg_1", timestampSeconds: nowSeconds, body: '{"type":"policy.updated"}' }

const sent = (given: Partial<typeof message> = {}, secrets: ReadonlyArray<string> = [ours]) => ({
  headers: messageHeaders({ ...message, ...given }, { secrets, mac }),
  body: given.body ?? message.body
})
const verdict = (received: ReturnType<typeof sent>, secret = ours) => {
  const found = verifyMessage(received, { secret, nowSeconds, mac })
  return found._tag === "Verified" ? found.webhookId : found.reason
}

describe("Standard Webhooks: what a receiver believes", () => {
  it("believes one of several signatures, by the secret that it knows", () => {
    expect(verdict(sent())).toBe("msg_1")
    expect(verdict(sent({}, [older, ours]))).toBe("msg_1")
    expect(verdict(sent({}, [older]))).toBe("signature")
  })

  it("believes no other body, id or second, and no signature that is only alike", () => {
    const { headers } = sent()
    const signature = headers["webhook-signature"] ?? ""
    expect(verdict({ headers, body: `${message.body} ` })).toBe("signature")
    expect(verdict({ headers: { ...headers, "webhook-id": "msg_2" }, body: message.body })).toBe("signature")
    const later = { ...headers, "webhook-timestamp": String(nowSeconds + 1) }
    expect(verdict({ headers: later, body: message.body })).toBe("signature")
    for (const written of ["", signature.slice(0, -1), `${signature}A`, `v1,${"A".repeat(44)}`]) {
      const alike = { ...headers, "webhook-signature": written }
      expect(verdict({ headers: alike, body: message.body }), written).toBe("signature")
    }
  })

  it("believes nothing by a secret that is none, though the signature is empty as well", () => {
    const { headers } = sent({}, [])
    expect(headers["webhook-signature"]).toBe("")
    expect(verdict({ headers, body: message.body }, "no secret")).toBe("signature")
  })

  it.each([
    [toleranceSeconds, "msg_1"],
    [-toleranceSeconds, "msg_1"],
    [toleranceSeconds + 1, "timestamp"],
    [-toleranceSeconds - 1, "timestamp"]
  ])("a message that is %i s from its clock: %s", (away, expected) => {
    expect(verdict(sent({ timestampSeconds: nowSeconds + away }))).toBe(expected)
  })

  it("needs all three headers", () => {
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      const { [name]: _, ...headers } = sent().headers
      expect(verdict({ headers, body: message.body })).toBe("header_missing")
    }
  })
})
