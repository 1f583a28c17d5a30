import * as Result from "effect/Result"
import { isObject } from "../../core/json/isObject.ts"
import type { EventType } from "../../core/webhook/event.ts"
import { secretBytes, secretFault, secretFaults } from "../../core/webhook/secret.ts"
import type { Mac } from "../../core/webhook/signature.ts"
import { verificationFaults, verifyMessage } from "../../core/webhook/verify.ts"

/**
 * A received delivery: the headers as `Headers`, as Node's `headers` or `headersDistinct`, or as pairs of
 * name and value; and the text of the body before any parser has touched it.
 */
export interface ReceivedWebhook {
  readonly headers: Iterable<readonly [string, HeaderValue]> | Readonly<Record<string, HeaderValue>>
  readonly body: string
}

type HeaderValue = string | ReadonlyArray<string> | undefined

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
  /** `secret`: the receiver's own setting is wrong, whatever the delivery contains. */
  readonly reason: keyof typeof verificationFaults | "body" | "secret"
  readonly message: string
}

/**
 * Verifies a delivery with the `whsec_` secret, or with several during a rotation (Standard Webhooks). Never
 * rejects: an unverified delivery is `Refused`. Answer 500 to the reason `secret` and 401 to the others.
 */
export const verifyWebhook = async (
  received: ReceivedWebhook,
  { nowSeconds = Date.now() / 1_000, ...given }: Secrets & { readonly nowSeconds?: number }
): Promise<VerifiedWebhook | Refused> => {
  const message = { headers: readHeaders(received.headers), body: received.body }
  const secrets = "secrets" in given ? given.secrets : [given.secret]
  let refused = secretRefusal(secrets)
  for (const secret of secrets) {
    if (secretFault(secret) !== undefined) continue
    const mac = await makeMac(message, secret)
    const judged = verifyMessage(message, { secret, nowSeconds, mac })
    if (judged._tag === "Verified") return verified(judged.webhookId, received.body)
    refused ??= { _tag: "Refused", reason: judged.reason, message: verificationFaults[judged.reason] }
  }
  return refused ?? secretRefused("empty")
}

type Secrets = { readonly secret: string } | { readonly secrets: ReadonlyArray<string> }

/** Returns the refusal for the first faulty secret; undefined if all of them can sign. */
const secretRefusal = (secrets: ReadonlyArray<string>): Refused | undefined => {
  const fault = secrets.map(secretFault).find((found) => found !== undefined)
  return fault === undefined ? undefined : secretRefused(fault)
}

const secretRefused = (fault: keyof typeof secretFaults): Refused => ({
  _tag: "Refused",
  reason: "secret",
  message: secretFaults[fault]
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

/** Returns the headers by their names in lower case. A list of one value is that value. */
const readHeaders = (headers: ReceivedWebhook["headers"]): Readonly<Record<string, HeaderValue>> =>
  Object.fromEntries(
    (isIterable(headers) ? [...headers] : Object.entries(headers)).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "object" && value.length === 1 ? value[0] : value
    ])
  )

/** Recognizes `Headers` of any library and realm, and maps, by what they can do. */
const isIterable = (
  headers: ReceivedWebhook["headers"]
): headers is Iterable<readonly [string, HeaderValue]> => Symbol.iterator in headers

/**
 * Web Crypto signs in its own time and the kernel's rule wants a signature at once, so the only text that the
 * rule can ask for is signed beforehand.
 */
const makeMac = async (
  message: { readonly headers: ReturnType<typeof readHeaders>; readonly body: string },
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
