import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Addresses } from "../../core/port/Addresses.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { readRetryAfter } from "../../core/webhook/Outcome.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import type { TargetPolicy } from "../../core/webhook/target.ts"
import type { ExchangeResult } from "./exchange.ts"
import { makeGuard } from "./guard.ts"

/** So much of an answer's body is told, for the owner's log (contract §2, Webhooks). */
export const excerptBytesMax = 1_024

/**
 * Receivers over the guard. `policy` is `publicTargets` but where the operator allows ports of the loopback
 * (WEBHOOK_LOOPBACK), which apps refuse in production.
 */
export const layer = (policy: TargetPolicy = publicTargets): Layer.Layer<Receiver, never, Addresses> =>
  Layer.effect(
    Receiver,
    Effect.map(Addresses, (addresses) => {
      const guard = makeGuard(addresses, policy)
      return {
        judge: guard.judge,
        post: ({ url, headers, body, deadlineMs }) =>
          Effect.flatMap(guard.exchange({ method: "POST", url, headers, body, deadlineMs }), (heard) =>
            Effect.map(Clock.currentTimeMillis, (nowMs) => outcomeOf(heard, nowMs))
          )
      }
    })
  )

const outcomeOf = (heard: ExchangeResult, nowMs: number): Outcome =>
  heard._tag === "Failed"
    ? heard
    : {
        _tag: "Answered",
        status: heard.status,
        retryAfterMs: readRetryAfter(heard.headers["retry-after"], nowMs),
        excerpt: excerptOf(heard)
      }

/** Text alone, in characters that every store keeps; an encoded body is not decoded and so not told. */
const excerptOf = ({ headers, body }: Extract<ExchangeResult, { readonly _tag: "Heard" }>): string => {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  if (encoding !== "identity") return ""
  const text = new TextDecoder().decode(body.subarray(0, excerptBytesMax))
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD")
}
