import * as Effect from "effect/Effect"
import { makeAcknowledgeHandlers } from "./acknowledge.ts"
import { makeChangeHandlers } from "./changes.ts"
import { makeClaimHandlers } from "./claims.ts"
import { makeCodeHandlers } from "./codes.ts"
import { makeCompareHandlers } from "./compare.ts"
import { makeReviewHandlers } from "./compliance.ts"
import { makeCriteriaHandlers } from "./criteria.ts"
import { makeDeliveryHandlers } from "./deliveries.ts"
import { makeEvaluateHandlers } from "./evaluate.ts"
import type { Handlers, PublicHandlers } from "./Handler.ts"
import { makeHealthHandler } from "./health.ts"
import { makeJurisdictionHandlers } from "./jurisdictions.ts"
import { makePayerHandlers } from "./payers.ts"
import { makePolicyHandlers } from "./policies.ts"
import { makePriorAuthHandler } from "./priorAuth.ts"
import { makeReleaseHandlers } from "./releases.ts"
import { makeTestKeyHandler } from "./testKeys.ts"
import { makeWebhookTestHandler } from "./webhookTest.ts"
import { makeWebhookHandlers } from "./webhooks.ts"

/** The handlers of what only reads a library. */
export const makeLibraryHandlers = Effect.gen(function* () {
  return {
    ...(yield* makeCodeHandlers),
    ...(yield* makePolicyHandlers),
    ...(yield* makeChangeHandlers),
    ...(yield* makeCompareHandlers),
    ...(yield* makeCriteriaHandlers),
    ...(yield* makeEvaluateHandlers),
    ...(yield* makePayerHandlers),
    ...(yield* makePriorAuthHandler),
    ...(yield* makeClaimHandlers),
    ...(yield* makeJurisdictionHandlers)
  } as const
})

/** The handler of every operation that takes a key; a row without one does not compile. */
export const makeHandlers = Effect.gen(function* () {
  const handlers: Handlers = {
    ...(yield* makeLibraryHandlers),
    ...(yield* makeReleaseHandlers),
    ...(yield* makeReviewHandlers),
    ...(yield* makeAcknowledgeHandlers),
    ...(yield* makeWebhookHandlers),
    ...(yield* makeWebhookTestHandler),
    ...(yield* makeDeliveryHandlers)
  }
  return handlers
})

/** The handlers of what takes no key: they read no library, so both surfaces share them. */
export const makePublicHandlers = Effect.gen(function* () {
  const handlers: PublicHandlers = { ...(yield* makeHealthHandler), ...(yield* makeTestKeyHandler) }
  return handlers
})
