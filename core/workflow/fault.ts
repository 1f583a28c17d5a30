import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { faultCodes } from "../error/fault.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { Unavailable } from "./Handler.ts"
import { refuse, seal } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/** What a broken dependency answers (contract §1, Server faults). */
export const faultRefusal = (unavailable: Unavailable): Refusal => {
  const code = faultCodes[unavailable.fault]
  return code === "SERVER_UNAVAILABLE" ? refused(code, {}) : refused(code)
}

/**
 * Turns what broke into an answer: a store's fault by the table, anything else into SERVER_INTERNAL_ERROR.
 * The log gets the request id and the kind of fault, never what was submitted.
 */
export const answerFault = (
  envelope: Envelope,
  steps: Effect.Effect<Answer, Unavailable>
): Effect.Effect<Answer> =>
  Effect.matchCauseEffect(steps, {
    onSuccess: (answer) => Effect.succeed(seal(envelope, answer)),
    onFailure: (cause) => {
      const failure = Cause.findErrorOption(cause)
      if (Option.isSome(failure)) return logged(envelope, failure.value._tag, faultRefusal(failure.value))
      return Cause.hasInterruptsOnly(cause)
        ? logged(envelope, "Interrupted", refused("SERVER_UNAVAILABLE", {}))
        : logged(envelope, defectName(cause), refused("SERVER_INTERNAL_ERROR"))
    }
  })

const logged = (envelope: Envelope, kind: string, refusal: Refusal): Effect.Effect<Answer> =>
  Effect.as(
    Effect.annotateLogs(Effect.logError("call failed"), {
      request_id: envelope.requestId,
      kind,
      code: refusal.code
    }),
    seal(envelope, refuse(envelope, refusal))
  )

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
