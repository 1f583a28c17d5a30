import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { refusedFields } from "../error/fieldFaults.ts"
import { Receiver } from "../port/Receiver.ts"
import { targetRefusals, targetRefusalText } from "../webhook/target.ts"
import type { RefusedTarget } from "../webhook/target.ts"

/**
 * Why a URL may not be an endpoint's, told at its pointer (contract §2, Webhooks); undefined: it may. Asks
 * the name system, so it stands before the transaction, and tells no address that a name resolved to.
 */
export const makeValidateTarget = Effect.map(
  Receiver,
  ({ judge }) =>
    (url: string, path: "/body/url" | "/url"): Effect.Effect<Refusal | undefined> =>
      Effect.map(judge(url), (verdict) => {
        switch (verdict._tag) {
          case "Allowed":
            return undefined
          case "ResolverDown":
            return refused("SERVER_UPSTREAM_UNAVAILABLE")
          case "Refused":
            return refusalFor(verdict, path)
        }
      })
)

const refusalFor = (refused: RefusedTarget, path: string): Refusal => {
  const { fault } = targetRefusals[refused.reason]
  const message = `\`url\` is a public https URL. ${targetRefusalText(refused)}`
  return refusedFields([{ path, code: fault === "malformed" ? "invalid_format" : "not_public", message }])
}
