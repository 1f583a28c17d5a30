import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { faultCodes } from "../error/fault.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { Unavailable } from "../handler/Handler.ts"
import { refuse } from "./answer.ts"
import type { Answer, Envelope } from "./Call.ts"

/** What a broken dependency answers (contract §1, Server faults). */
export const faultRefusal = (unavailable: Unavailable): Refusal => {
  const code = faultCodes[unavailable.fault]
  return code === "SERVER_UNAVAILABLE" ? refused(code, {}) : refused(code)
}

/** What broke, as it is answered and as the log names it: the kind alone, never what was submitted. */
export interface BrokenDependency {
  readonly refusal: Refusal
  readonly kind: string
}

/** A store's fault by the table, anything else SERVER_INTERNAL_ERROR. */
export const refusalOfCause = (cause: Cause.Cause<Unavailable>): BrokenDependency => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure)) return { refusal: faultRefusal(failure.value), kind: failure.value._tag }
  return Cause.hasInterruptsOnly(cause)
    ? { refusal: refused("SERVER_UNAVAILABLE", {}), kind: "Interrupted" }
    : { refusal: refused("SERVER_INTERNAL_ERROR"), kind: defectName(cause) }
}

/** Says in the log that a call failed. */
export const logBroken = (
  { requestId }: Envelope,
  { refusal, kind }: BrokenDependency
): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("call failed"), { request_id: requestId, kind, code: refusal.code })

/** The same for what is answered without the pipeline: it is logged, and answered in the envelope. */
export const answerFault = (
  envelope: Envelope,
  steps: Effect.Effect<Answer, Unavailable>
): Effect.Effect<Answer> =>
  Effect.catchCause(steps, (cause) => {
    const broken = refusalOfCause(cause)
    return Effect.as(logBroken(envelope, broken), refuse(envelope, broken.refusal))
  })

/** The class of what was thrown: its message may hold submitted values and is left out. */
const defectName = (cause: Cause.Cause<unknown>): string => {
  const defect = Cause.squash(cause)
  return defect instanceof Error ? `${defect.name}${firstFrame(defect)}` : typeof defect
}

/** Where our own code threw: file and line, no values. */
const firstFrame = (error: Error): string => {
  const frame = error.stack
    ?.split("\n")
    .find((line) => line.includes("/core/") || line.includes("/adapters/"))
  return frame === undefined ? "" : ` at ${frame.trim().replace(/^.*\/((core|adapters)\/[^)]*)\)?$/, "$1")}`
}
