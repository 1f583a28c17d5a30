import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"

/** Bytes of chance in a webhook secret; Standard Webhooks asks for 24 to 64. */
export const secretBytesCount = 32

/** How long the secret before the newest still signs beside it (contract §2, Webhooks). */
export const secretOverlapMs = 24 * 3_600_000

/** At most so many secrets sign a delivery. */
export const liveSecretsMax = 2

/** What the rules need to know of a secret. */
export interface SecretLife {
  /** Random, and nothing of the secret; names where its sealed text was made for (`secretContext`). */
  readonly secretId: string
  readonly createdAtMs: number
  /** Null: until it is rotated away. */
  readonly expiresAtMs: number | null
}

/** A secret as it is kept: the text encrypted (port Crypto), which the kernel never opens. */
export interface SealedSecret extends SecretLife {
  readonly sealed: Uint8Array
}

/** The text of a secret, shown once by create and rotate-secret: `whsec_` and its bytes in base64. */
export const secretText = (bytes: Uint8Array): string => prefix + Base64.encode(bytes)

/** The bytes that sign; undefined where the text is no secret of 24 to 64 bytes. */
export const secretBytes = (text: string): Uint8Array | undefined => {
  if (!text.startsWith(prefix)) return undefined
  const bytes = Result.getOrUndefined(Base64.decode(text.slice(prefix.length)))
  return bytes !== undefined && bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined
}

/** Why a text cannot be a webhook secret, with the message for its owner. No message repeats the text. */
export const secretFaults = {
  empty: "the webhook secret is empty: set it to the `whsec_` text shown when the endpoint was created",
  blanks: "the webhook secret contains blanks or line breaks: remove them",
  signature: "the webhook secret starts with `v1,`, like a signature: use the text that starts with `whsec_`",
  prefix: "the webhook secret does not start with `whsec_`: use the whole text, prefix included",
  encoding: "the webhook secret is not `whsec_` and the base64 of 24 to 64 bytes: copy the whole text again"
} as const satisfies Readonly<Record<string, string>>

/** Returns the first fault of a text given as a secret; undefined if it can sign. */
export const secretFault = (text: string | undefined): keyof typeof secretFaults | undefined => {
  if (text === undefined || text === "") return "empty"
  if (/\s/u.test(text)) return "blanks"
  if (text.startsWith("v1,")) return "signature"
  if (!text.startsWith(prefix)) return "prefix"
  return secretBytes(text) === undefined ? "encoding" : undefined
}

/** Where a sealed secret opens and nowhere else: the `context` of Crypto's encrypt and decrypt. */
export const secretContext = (place: {
  readonly organizationId: string
  readonly secretId: string
}): string => JSON.stringify(["webhook-secret.v1", place.organizationId, place.secretId])

/** The secrets that sign now, newest first. */
export const liveSecrets = <Secret extends SecretLife>(
  secrets: ReadonlyArray<Secret>,
  nowMs: number
): ReadonlyArray<Secret> =>
  secrets
    .filter(({ expiresAtMs }) => expiresAtMs === null || nowMs < expiresAtMs)
    .sort((one, other) => other.createdAtMs - one.createdAtMs)
    .slice(0, liveSecretsMax)

/**
 * The secrets after a rotation: the fresh one, and the newest before it for another 24 hours. A third, left
 * by a rotation within the day, stops signing at once.
 */
export const rotateSecret = <Secret extends SecretLife>(
  secrets: ReadonlyArray<Secret>,
  fresh: Secret,
  nowMs: number
): ReadonlyArray<Secret> => {
  const [previous] = liveSecrets(secrets, nowMs)
  return previous === undefined ? [fresh] : [fresh, { ...previous, expiresAtMs: nowMs + secretOverlapMs }]
}

const prefix = "whsec_"
