import * as Effect from "effect/Effect"
import type { BodyReading } from "../admission/body.ts"
import { noBody } from "../admission/body.ts"
import type { Provoked } from "../admission/gates.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { ApiKey } from "../key/Key.ts"
import type { Claim } from "../port/Idempotency.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import type { CallRequest } from "./CallRequest.ts"
import type { Opened } from "./cursors.ts"
import type { Envelope } from "./opening.ts"
import type { Party } from "./party.ts"
import { nobody } from "./party.ts"
import type { Receipt } from "./Receipt.ts"
import { untaken } from "./Receipt.ts"
import type { Reply } from "./reply.ts"
import type { Surface } from "./surfaces.ts"
import type { Target } from "./targets.ts"

/**
 * A call on its way through the pipeline. What is known of it grows: each field below the first group is set
 * once, by the step that its comment names, and changed by nobody after; `receipt` is replaced whenever
 * something was taken.
 */
export interface Call {
  readonly request: CallRequest
  readonly envelope: Envelope
  readonly surface: Surface
  readonly target: Target
  /** The key that it brought (step 2), and who calls (step 3, or 2 where it brought a token). */
  key: ApiKey | undefined
  party: Party
  /** Its body, still to be read or not, as it was read, and what that and the rest decoded to (step 8). */
  reading: Effect.Effect<BodyReading>
  body: BodyReading
  parts: ReadonlyArray<Opened>
  /** Its turn at its idempotency key (step 9), to be begun or begun; undefined: it has no key. */
  turn: Turn | undefined
  claim: Claim | undefined
  /** Whether the turn was completed, or somebody else's, and nothing is left to give back (step 11). */
  isTurnOver: boolean
  /** The refusal that it asks for (faultInjection.ts). */
  provoked: Provoked | undefined
  receipt: Receipt
}

/** A turn at an idempotency key: its record, and what tells another request with the same key. */
export interface Turn {
  readonly recordId: string
  readonly fingerprint: string
}

/** A call that has passed no step. */
export const arrived = (
  request: CallRequest,
  envelope: Envelope,
  { surface, target }: Pick<Call, "surface" | "target">
): Call => ({
  request,
  envelope,
  surface,
  target,
  key: undefined,
  party: nobody,
  reading: target.hasBody ? request.readBody : nothing,
  body: noBody,
  parts: [],
  turn: undefined,
  claim: undefined,
  isTurnOver: false,
  provoked: undefined,
  receipt: untaken
})

const nothing: Effect.Effect<BodyReading> = Effect.succeed(noBody)

/** The steps that follow. */
export type Next = (call: Call) => Effect.Effect<Reply, Unavailable>

/** One step: it refuses, or goes on. What is known without waiting is answered as an Exit. */
export type Step = (call: Call, next: Next) => Effect.Effect<Reply, Unavailable>

/** A step that only looks. */
export const check =
  (refuses: (call: Call) => Refusal | undefined): Step =>
  (call, next) => {
    const refusal = refuses(call)
    return refusal === undefined ? next(call) : Effect.succeed(refusal)
  }
