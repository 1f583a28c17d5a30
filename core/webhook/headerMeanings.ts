/** The headers of every delivery that a receiver reads (Standard Webhooks), each with what it says. */
export const headerMeanings = {
  "webhook-id":
    "Names the event. The same at each of your endpoints, on every attempt and in every replay, and the `id` of" +
    " the body.",
  "webhook-timestamp": "When this attempt was sent, in seconds of Unix time.",
  "webhook-signature":
    "One signature, or two while a secret is being rotated, separated by a space. Each is `v1,` and the base64" +
    " of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the bytes whose base64 follows" +
    " `whsec_` in the secret."
} as const satisfies Readonly<Record<string, string>>
