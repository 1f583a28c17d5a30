import * as Effect from "effect/Effect"
import { isRefusal } from "../error/Refusal.ts"
import type { AnyHandler, AnyWriteHandler, Unavailable } from "../workflow/Handler.ts"
import type { Call, Next } from "./Call.ts"
import type { Handling, Handlings } from "./handling.ts"
import type { Reply } from "./reply.ts"
import { makeWriting } from "./writing.ts"

/** Step 11: what the operation does, in its commit where it is one. */
export const makeHandlerStep = (handlings: Handlings) =>
  Effect.map(makeWriting, (writing): Next => {
    const handled = (call: Call, handling: Handling): Effect.Effect<Reply, Unavailable> => {
      const { parts, target, claim } = call
      const [part] = parts
      if (part === undefined) return Effect.die(new Error("a call of no operation"))
      const { handlers, responder } = handling
      const handler = handlers[part.operation]
      if (target.tool !== undefined) return answerParts(call, handling)
      if (target.isWrite) return writing(call, responder.write(call, part, handler as AnyWriteHandler))
      const read = () => responder.answer(call, part, handler as AnyHandler)
      if (claim === undefined) return read()
      return writing(call, { _tag: "Read", read: Effect.suspend(read) })
    }
    return (call) =>
      call.surface.library === "live"
        ? handled(call, handlings.live)
        : Effect.flatMap(handlings.sandbox, (handling) => handled(call, handling))
  })

/** A tool's parts in their order; what one of them refuses is the answer, and none after it runs. */
const answerParts = Effect.fnUntraced(function* (
  call: Call,
  { handlers, responder }: Handling
): Effect.fn.Return<Reply, Unavailable> {
  const data: Record<string, unknown> = {}
  const coverage = {}
  const metas: Record<string, object> = {}
  for (const part of call.parts) {
    const found = yield* responder.values(call, part, handlers[part.operation] as AnyHandler)
    if (isRefusal(found) || found._tag !== "Values") return found
    data[part.name] = found.data
    Object.assign(coverage, found.coverage)
    if (Object.keys(found.meta).length > 0) metas[part.name] = found.meta
  }
  const parts = Object.keys(metas).length === 0 ? {} : { parts: metas }
  return { _tag: "Told", data, meta: { ...coverage, ...parts } }
})
