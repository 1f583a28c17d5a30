import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import { isObject } from "../../core/json/isObject.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { secretFault, secretFaults } from "../../core/webhook/secret.ts"
import { verificationFaults, verifyMessage } from "../../core/webhook/verify.ts"
import { readWebhookSecret } from "../http/config.ts"
import { Json } from "./Answer.ts"
import type { CommandRefused } from "./CommandRefused.ts"
import { refuse } from "./CommandRefused.ts"
import { listenOnLoopback } from "./listenOnLoopback.ts"
import type { Arrival } from "./listenOnLoopback.ts"
import { Terminal } from "./Terminal.ts"
import { stdinText } from "./stdinText.ts"
import { alignColumns } from "./table.ts"

/**
 * `webhooks listen`: a receiver on the loopback that verifies what comes, says so, and answers 204 or 401, as
 * a receiver of one's own should. It goes on until it is interrupted.
 */
export const listen = (options: { readonly port: number; readonly secret: string | null }) =>
  Effect.scoped(
    Effect.gen(function* () {
      const secret = yield* secretOf(options.secret)
      const isJson = yield* Json
      const { stdout } = yield* Terminal
      const say = (line: string): void => void stdout.write(`${line}\n`)
      const { hmacSha256 } = yield* Crypto
      const clock = yield* Clock.Clock
      yield* listenOnLoopback(options.port, (arrival) => {
        const nowMs = clock.currentTimeMillisUnsafe()
        const nowSeconds = Math.floor(nowMs / 1_000)
        const verification = verifyMessage(arrival, { secret, nowSeconds, mac: hmacSha256 })
        const refused = verification._tag === "Refused" ? verificationFaults[verification.reason] : null
        say(isJson ? jsonLine(arrival, refused) : textLine(arrival, refused, nowMs))
        return refused === null ? 204 : 401
      })
      if (!isJson) say(`listening on http://127.0.0.1:${options.port}, any path; Ctrl-C ends it`)
      return yield* Effect.never
    })
  ).pipe(Effect.provide(NodeCrypto.layer))

/** The flag, the environment, or standard input, in this order; arguments can be read by other users. */
const secretOf = Effect.fnUntraced(function* (flag: string | null): Effect.fn.Return<string, CommandRefused> {
  const given =
    flag ??
    readWebhookSecret((yield* Terminal).environment) ??
    (yield* stdinText("Paste the endpoint's secret and press Enter: "))
  const secret = given.trim()
  if (secret === "")
    return yield* refuse(
      "VALIDATION_REQUIRED_FIELD",
      "The endpoint's secret must be given: on standard input, in WEBHOOK_SECRET, or with --secret."
    )
  const fault = secretFault(secret)
  if (fault !== undefined)
    return yield* refuse(
      "VALIDATION_INVALID_FORMAT",
      `The endpoint's secret cannot be used: ${secretFaults[fault]}.`
    )
  return secret
})

const jsonLine = ({ headers, body }: Arrival, refused: string | null): string =>
  JSON.stringify({
    verified: refused === null,
    reason: refused,
    webhook_id: headers["webhook-id"] ?? null,
    event: eventOf(body)
  })

const textLine = ({ headers, body }: Arrival, refused: string | null, nowMs: number): string => {
  const event = eventOf(body)
  const type = event === null ? "?" : String(event["type"])
  const what = refused ?? JSON.stringify(event?.["data"] ?? null)
  const time = new Date(nowMs).toISOString().slice(11, 19)
  const row = [
    time,
    refused === null ? "verified" : "refused",
    type,
    String(headers["webhook-id"] ?? "?"),
    what
  ]
  return alignColumns([row])[0] ?? ""
}

const eventOf = (body: string): Readonly<Record<string, unknown>> | null => {
  try {
    const event: unknown = JSON.parse(body)
    return isObject(event) ? event : null
  } catch {
    return null
  }
}
