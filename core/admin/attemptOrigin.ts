import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { addressSubject, siteSubject } from "../limit/subject.ts"
import { knownDeviceLine, knownDeviceText, readKnownDevice } from "../person/knownDevice.ts"
import type { Origin } from "../person/passwordTurns.ts"
import { Crypto } from "../port/Crypto.ts"
import type { CookieText } from "../port/People.ts"
import { Settings } from "../port/Settings.ts"
import { mailboxHash } from "./withAttemptLimits.ts"

/** The origin of an attempt without an account, or from a device that is not known: its network. */
export const strangerAt = (address: string): Origin => ({
  kind: "stranger",
  subject: addressSubject(address),
  place: siteSubject(address)
})

/** The origin of an attempt for an account: its known devices if the cookie proves one, else the network. */
export const attemptOrigin = Effect.fnUntraced(function* (attempt: {
  readonly cookie: CookieText
  readonly address: string
  readonly email: string
}) {
  const { baseUrl, secretKeys } = yield* Settings
  const { hmacSha256, sha256Hex } = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const sent = readKnownDevice(attempt.cookie, { baseUrl, nowMs })
  if (sent === undefined) return strangerAt(attempt.address)
  const text = knownDeviceText({ email: attempt.email, atSeconds: sent.atSeconds })
  // Hashes are compared, so the time of the comparison shows nothing of the signature.
  const isKnown = secretKeys.some(
    (secret) => sha256Hex(hmacSha256({ secret, text })) === sha256Hex(sent.signature)
  )
  if (!isKnown) return strangerAt(attempt.address)
  const subject = `known:${yield* mailboxHash(attempt.email)}`
  return { kind: "known", subject, place: subject } satisfies Origin
})

/** Returns the `Set-Cookie` line that makes the device known to the account from now on. */
export const rememberDevice = Effect.fnUntraced(function* (email: string) {
  const { baseUrl, secretKeys } = yield* Settings
  const { hmacSha256 } = yield* Crypto
  const atSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const signature = hmacSha256({ secret: secretKeys[0], text: knownDeviceText({ email, atSeconds }) })
  return knownDeviceLine({ baseUrl, atSeconds, signature })
})
