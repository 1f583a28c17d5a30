import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { BodyReading } from "../admission/body.ts"
import { isRefusal } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import type { Call, Step } from "./Call.ts"
import { makeAgain } from "./checks.ts"
import { makeOpen } from "./cursors.ts"
import type { Opened } from "./cursors.ts"
import type { Reply } from "./reply.ts"

/**
 * Step 8: the body, what it and the rest decode to, and the cursor. A body that had to be waited for may come
 * seconds after its key was looked at, so the key is looked at again.
 */
export const makeInputStep = Effect.gen(function* () {
  const again = yield* makeAgain
  const open = yield* makeOpen

  const read = (call: Call, body: BodyReading): Refusal | undefined => {
    const parts = call.target.read(call.request, body)
    if (isRefusal(parts)) return parts
    const opened: Array<Opened> = []
    for (const part of parts) {
      const one = open(part, call.party.caller)
      if (isRefusal(one)) return one
      opened.push(one)
    }
    call.body = body
    call.parts = opened
    return undefined
  }

  const step: Step = (call, next) => {
    const goOn = (body: BodyReading): Effect.Effect<Reply, Unavailable> => {
      const refusal = read(call, body)
      return refusal === undefined ? next(call) : Effect.succeed(refusal)
    }
    const { reading } = call
    if (Exit.isExit(call.reading)) return Effect.flatMapEager(reading, goOn)
    return Effect.flatMap(reading, (body) =>
      Effect.flatMap(again(call), (refusal) => (refusal === undefined ? goOn(body) : Effect.succeed(refusal)))
    )
  }
  return step
})
