import { messageHeaders } from "./signature.ts"
import type { Mac } from "./signature.ts"

/** A message is taken for a repetition when its second is further than this from the receiver's clock. */
export const toleranceSeconds = 5 * 60

/** Why a receiver refuses a message, each with what it tells its owner. */
export const verificationFaults = {
  header_missing: "webhook-id, webhook-timestamp or webhook-signature is missing or repeated",
  timestamp: "webhook-timestamp is more than five minutes from this clock",
  signature: "webhook-signature does not fit the secret and the body"
} as const satisfies Readonly<Record<string, string>>

export type Verification =
  | { readonly _tag: "Verified"; readonly webhookId: string }
  | { readonly _tag: "Refused"; readonly reason: keyof typeof verificationFaults }

/** A message as it came: names of headers in lower case, and the very text of the body. */
export interface ReceivedMessage {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** What a receiver does with a delivery (Standard Webhooks), before it believes a word of it. */
export const verifyMessage = (
  { headers, body }: ReceivedMessage,
  { secret, nowSeconds, mac }: { readonly secret: string; readonly nowSeconds: number; readonly mac: Mac }
): Verification => {
  const [webhookId, written, signatures] = names.map((name) => headers[name])
  if (typeof webhookId !== "string" || typeof written !== "string" || typeof signatures !== "string")
    return { _tag: "Refused", reason: "header_missing" }
  const timestampSeconds = /^\d{1,12}$/.test(written) ? Number(written) : Number.NaN
  if (!(Math.abs(nowSeconds - timestampSeconds) <= toleranceSeconds))
    return { _tag: "Refused", reason: "timestamp" }
  const expected = messageHeaders({ webhookId, timestampSeconds, body }, { secrets: [secret], mac })
  const signature = expected["webhook-signature"] ?? ""
  return signature !== "" && signatures.split(" ").some((one) => isEqual(one, signature))
    ? { _tag: "Verified", webhookId }
    : { _tag: "Refused", reason: "signature" }
}

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

/** Takes as long for a near miss as for a wild one. */
const isEqual = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let index = 0; index < other.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}
