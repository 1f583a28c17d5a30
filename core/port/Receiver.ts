import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Outcome } from "../webhook/Outcome.ts"
import type { RefusedTarget } from "../webhook/target.ts"

/** One signed message to one endpoint. */
export interface ReceiverRequest {
  readonly url: string
  /** `messageHeaders` of webhook/signature.ts. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text that was signed. */
  readonly body: string
  /** For everything, from the look-up of the name to the end of the answer. */
  readonly deadlineMs: number
  /** Signed with a secret that is nobody's. Nothing of it is sent: it is for receivers that only pretend. */
  readonly forged?: true
}

/** Whether a URL may be called now. */
export type TargetVerdict =
  | { readonly _tag: "Allowed" }
  | RefusedTarget
  /** The name could not be looked up: SERVER_UPSTREAM_UNAVAILABLE (contract §1, Server faults). */
  | { readonly _tag: "ResolverDown" }

/**
 * The receivers of webhooks, behind the guard of every outbound call.
 *
 * 1. Neither verb fails: what went wrong is a verdict or an Outcome.
 * 2. `judge` judges the URL's text, its host and, for a name, every address it resolves to now; it sends
 *    nothing.
 * 3. `post` judges the same again for the addresses it dials, and sends nothing to a URL that `judge` would
 *    refuse at that moment: the outcome is Failed with `blocked`.
 * 4. `post` sends one request: a redirect is an answer like another, and nothing is tried again.
 * 5. `post` ends within its deadline, however slowly a receiver answers.
 * 6. Of an answer at most 64 KiB of body are read, decoded by nobody, and at most 1 KiB is told; neither verb
 *    tells an address that a name resolved to.
 */
export class Receiver extends Context.Service<
  Receiver,
  {
    readonly judge: (url: string) => Effect.Effect<TargetVerdict>
    readonly post: (request: ReceiverRequest) => Effect.Effect<Outcome>
  }
>()("coverage/core/port/Receiver") {}
