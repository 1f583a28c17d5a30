import * as Effect from "effect/Effect"
import { makeCodeHandlers } from "./codes.ts"
import type { Handlers } from "./Handler.ts"
import { makeHealthHandler } from "./health.ts"
import { makeJurisdictionHandlers } from "./jurisdictions.ts"
import { makePolicyHandlers } from "./policies.ts"

/**
 * Every built operation's handler; a row without one does not compile unless it is in operation/pending.ts.
 */
export const makeHandlers = Effect.gen(function* () {
  const handlers: Handlers = {
    ...(yield* makeHealthHandler),
    ...(yield* makeCodeHandlers),
    ...(yield* makePolicyHandlers),
    ...(yield* makeJurisdictionHandlers)
  }
  return handlers
})
