import type * as Effect from "effect/Effect"
import type { BodyReading } from "../admission/body.ts"
import type { RawInput } from "../admission/decode.ts"
import type { InjectedFault } from "../admission/gates.ts"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { ApiKey } from "../key/Key.ts"
import type { LimitDecision } from "../limit/policy.ts"
import type { TokenHolder } from "../oauth/TokenHolder.ts"
import type { Publication } from "../operation/errorText.ts"
import type { Claim } from "../port/Idempotency.ts"
import type { Unavailable } from "../handler/Handler.ts"
import type { Party } from "./party.ts"
import type { Surface } from "./surfaces.ts"
import type { Part, Target } from "./targets.ts"

/**
 * A call on its way through the pipeline. What is known of it grows: each field below the first group is set
 * once, by the step that its comment names, and changed by nobody after.
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
  parts: ReadonlyArray<Part>
  /** What its idempotency key stands for and its claim of it (step 9); undefined: it has no key. */
  idempotent: IdempotentRequest | undefined
  claim: Claim | undefined
  /** Whether the claim was completed, or is somebody else's, and nothing is left to release (step 11). */
  isClaimSettled: boolean
  /** The refusal that it asks for (faultInjection.ts). */
  injected: InjectedFault | undefined
  readonly receipt: Receipt
}

/** A call as a surface hands it over. */
export interface CallRequest extends RawInput {
  /** What is wrong with the request's line already (step 1); undefined: nothing. */
  readonly fault: Refusal | undefined
  readonly authorization: string | undefined
  readonly origin: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly idempotencyKey: string | undefined
  /** The same by the standard's name, Idempotency-Key. */
  readonly idempotencyAlias: string | undefined
  /** The caller's address, behind trusted proxies resolved. */
  readonly address: string
  /** Read at step 8 and not before, except in the sandbox (faultInjection.ts). */
  readonly readBody: Effect.Effect<BodyReading>
  /** Whose token it came with, and the tool's arguments: a call of MCP alone. */
  readonly token?: TokenHolder
  readonly toolInput?: unknown
}

/** What every answer says of its call, refused or not (contract §1): its id, its instant, and where it is. */
export interface Envelope {
  readonly requestId: string
  readonly now: IsoTime
  readonly today: IsoDate
  readonly publication: Publication
}

/** What was taken for a call so far. Headers are made of it once, at the end (answer.ts). */
export interface Receipt {
  /** What the limits decided (step 5); undefined: the call did not come so far, or nobody counts it. */
  limits: LimitDecision | undefined
  /** Credits that the call spent; undefined: as above. */
  cost: number | undefined
  /** Credits that are left (step 10); undefined: nothing looked. */
  remaining: number | undefined
  /** Whether a kept answer was given again (step 9). */
  replayed: boolean
}

/** A request that may be repeated: its record, and what tells another request with the same key. */
export interface IdempotentRequest {
  readonly recordId: string
  readonly fingerprint: string
}

/** An answer as every surface sends it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent on 304. */
  readonly body: string | undefined
  /** Credits that its call spent; absent where there was no call. */
  readonly cost?: number
}

/** What a call comes to, before what was taken for it is said in its headers. */
export type Reply = Refusal | HttpReply | ToolReply

/** The text of an HTTP answer, with the headers that are its own. */
export interface HttpReply extends Answer {
  readonly _tag: "Http"
}

/** The values of an answer that is not HTTP's: a tool's. */
export interface ToolReply {
  readonly _tag: "Tool"
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

/** The steps that follow. */
export type Next = (call: Call) => Effect.Effect<Reply, Unavailable>

/** One step: it refuses, or goes on. What is known without waiting is answered as an Exit. */
export type Step = (call: Call, next: Next) => Effect.Effect<Reply, Unavailable>

/** A step of the pipeline, with its place in the contract's order (§1, Order of the checks). */
export interface Row {
  readonly at: number
  readonly name: string
  readonly step: Step
}
