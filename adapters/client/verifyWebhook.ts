import * as Result from "effect/Result"
import { isObject } from "../../core/json/isObject.ts"
import type { EventType } from "../../core/webhook/event.ts"
import { secretBytes } from "../../core/webhook/secret.ts"
import type { Mac } from "../../core/webhook/signature.ts"
import { verificationFaults, verifyMessage } from "../../core/webhook/verify.ts"

/** A delivery as it came: its headers, and its body before any parser has touched it. */
export interface ReceivedWebhook {
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** The event of a delivery that is the service's (docs/webhooks.md). */
export interface VerifiedWebhook {
  readonly _tag: "Verified"
  /** The same on every attempt and replay: work on it once. */
  readonly webhookId: string
  readonly event: {
    readonly id: string
    readonly type: EventType | (string & {})
    readonly timestamp: string
    readonly api_version: "v1"
    readonly data: Readonly<Record<string, unknown>>
  }
}

type Refused = {
  readonly _tag: "Refused"
  readonly reason: keyof typeof verificationFaults | "body"
  readonly message: string
}

/**
 * Judges a delivery by the `whsec_` secret, or by several while one is being rotated (Standard Webhooks).
 * Never rejects: what is not to be believed is `Refused`, and wants a 401.
 */
export const verifyWebhook = async (
  received: ReceivedWebhook,
  { nowSeconds = Date.now() / 1_000, ...given }: Secrets & { readonly nowSeconds?: number }
): Promise<VerifiedWebhook | Refused> => {
  const message = { headers: lowerCase(received.headers), body: received.body }
  let refused = refusal("signature")
  for (const secret of "secrets" in given ? given.secrets : [given.secret]) {
    const mac = await makeMac(message, secret)
    const judged = verifyMessage(message, { secret, nowSeconds, mac })
    if (judged._tag === "Verified") return verified(judged.webhookId, received.body)
    refused = refusal(judged.reason)
  }
  return refused
}

type Secrets = { readonly secret: string } | { readonly secrets: ReadonlyArray<string> }

const refusal = (reason: keyof typeof verificationFaults): Refused => ({
  _tag: "Refused",
  reason,
  message: verificationFaults[reason]
})

const verified = (webhookId: string, body: string): VerifiedWebhook | Refused => {
  const event = Result.getOrUndefined(Result.try(() => JSON.parse(body) as unknown))
  return isEvent(event)
    ? { _tag: "Verified", webhookId, event }
    : { _tag: "Refused", reason: "body", message: "the body is no event" }
}

const isEvent = (event: unknown): event is VerifiedWebhook["event"] =>
  isObject(event) &&
  typeof event["id"] === "string" &&
  typeof event["type"] === "string" &&
  isObject(event["data"])

/** Names of headers in lower case, however the platform holds them. */
const lowerCase = (
  headers: ReceivedWebhook["headers"]
): Readonly<Record<string, string | ReadonlyArray<string> | undefined>> =>
  Object.fromEntries(
    (headers instanceof Headers ? [...headers] : Object.entries(headers)).map(([name, value]) => [
      name.toLowerCase(),
      value
    ])
  )

/**
 * Web Crypto signs in its own time and the kernel's rule wants a signature at once, so the only text that the
 * rule can ask for is signed beforehand.
 */
const makeMac = async (
  message: { readonly headers: ReturnType<typeof lowerCase>; readonly body: string },
  secret: string
): Promise<Mac> => {
  const bytes = secretBytes(secret)
  if (bytes === undefined) return () => ""
  const { "webhook-id": id, "webhook-timestamp": timestamp } = message.headers
  const text = `${id}.${Number(timestamp)}.${message.body}`
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, ["sign"])
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))
  return (asked) => (asked.text === text ? base64Url(new Uint8Array(signature)) : "")
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
