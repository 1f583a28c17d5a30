import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Receiver } from "../../core/port/Receiver.ts"
import type { ReceiverRequest, TargetVerdict } from "../../core/port/Receiver.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"
import { judgeUrl, publicTargets } from "../../core/webhook/target.ts"
import type { TargetPolicy } from "../../core/webhook/target.ts"

/** How the receivers of the process behave. */
export interface ReceiverBehavior {
  /** What comes back; it may take its time, and is given up at the deadline. */
  readonly answer: (request: ReceiverRequest) => Effect.Effect<Outcome>
  /** What a name that may be called by its text resolves to; the standard: an address that may be dialled. */
  readonly lookUp?: (url: string) => TargetVerdict
}

/**
 * Receivers that are functions: nothing leaves the process. URLs are judged by their text and, where the
 * host is one, their address, with no look-up: as the sandbox judges them (contract §3).
 */
export const layer = (
  receiving: ReceiverBehavior,
  policy: TargetPolicy = publicTargets
): Layer.Layer<Receiver> => {
  const judge = (url: string): TargetVerdict => {
    const judged = judgeUrl(url, policy)
    if (judged._tag === "Refused") return judged
    return judged.target.hostIs === "name" && receiving.lookUp !== undefined
      ? receiving.lookUp(url)
      : { _tag: "Allowed" }
  }
  return Layer.succeed(Receiver, {
    judge: (url) => Effect.sync(() => judge(url)),
    post: (request) =>
      Effect.suspend(() => {
        const verdict = judge(request.url)
        return verdict._tag === "Allowed" ? receiving.answer(request) : Effect.succeed(refusal(verdict))
      }).pipe(
        Effect.timeoutOrElse({
          duration: request.deadlineMs,
          orElse: () => Effect.succeed<Outcome>({ _tag: "Failed", cause: "timeout", status: null })
        })
      )
  })
}

const refusal = (verdict: Exclude<TargetVerdict, { readonly _tag: "Allowed" }>): Outcome => {
  if (verdict._tag === "ResolverDown") return { _tag: "Failed", cause: "resolver_down", status: null }
  return {
    _tag: "Failed",
    cause: verdict.reason === "unresolved" ? "unresolved" : "blocked",
    status: null
  }
}
