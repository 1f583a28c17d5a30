import { secretBytes } from "./secret.ts"

/** HMAC-SHA256 in base64url: `hmacSha256` of port Crypto. */
export type Mac = (input: { readonly secret: Uint8Array; readonly text: string }) => string

/** What is signed: a message and the second it is sent in. */
export interface Message {
  readonly webhookId: string
  /** Seconds of Unix time, fresh for every attempt; receivers refuse what is minutes old. */
  readonly timestampSeconds: number
  readonly body: string
}

/** The exact text whose UTF-8 bytes are signed (Standard Webhooks). */
export const signedText = ({ webhookId, timestampSeconds, body }: Message): string =>
  `${webhookId}.${timestampSeconds}.${body}`

/**
 * The headers of a delivery. `secrets` are the live ones as their `whsec_` texts, newest first; each gives
 * one signature, so that a receiver which knows either of two accepts. A text that is no secret gives none.
 */
export const messageHeaders = (
  message: Message,
  signing: { readonly secrets: ReadonlyArray<string>; readonly mac: Mac }
): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "coverage-policy-webhooks/1",
  "webhook-id": message.webhookId,
  "webhook-timestamp": String(message.timestampSeconds),
  "webhook-signature": signing.secrets.flatMap((secret) => signature(message, secret, signing.mac)).join(" ")
})

const signature = (message: Message, secret: string, mac: Mac): ReadonlyArray<string> => {
  const bytes = secretBytes(secret)
  return bytes === undefined ? [] : [`v1,${padded(mac({ secret: bytes, text: signedText(message) }))}`]
}

/** The receivers' libraries read standard base64, whose last group is padded. */
const padded = (base64url: string): string => {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/")
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")
}
