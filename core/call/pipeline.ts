import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { noBody } from "../admission/body.ts"
import type { BodyReading } from "../admission/body.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { ToolContent } from "../mcp/toolAnswer.ts"
import type { ToolName } from "../mcp/tools.ts"
import type { TokenHolder } from "../oauth/TokenHolder.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type * as Operation from "../operation/Operation.ts"
import type { Unavailable } from "../handler/Handler.ts"
import { answerOf, contentOf, headersOf, statusOf } from "./answer.ts"
import type { Answer, Call, CallRequest, Envelope, Next, Reply, Row, Step } from "./Call.ts"
import { makeChargeStep } from "./charge.ts"
import {
  allowLists,
  credential,
  makeInputStep,
  makeKeyStep,
  makeLimitsStep,
  plan,
  route,
  scope
} from "./checks.ts"
import { makeDeadlines } from "./deadline.ts"
import { logBroken, refusalOfCause } from "./fault.ts"
import { makeFaultInjection } from "./faultInjection.ts"
import { makeHandlerStep } from "./handler.ts"
import type { Libraries } from "./handler.ts"
import { makeIdempotencyStep } from "./idempotency.ts"
import { leakedKeyTarget } from "./leakedKey.ts"
import { nobody } from "./party.ts"
import { surfaces } from "./surfaces.ts"
import type { Surface } from "./surfaces.ts"
import { targetOf, targetOfTool } from "./targets.ts"
import type { Target } from "./targets.ts"

/**
 * What happens to a call, in this order (contract §1, Order of the checks): the first refusal is the answer,
 * and what was taken is given back. Every surface runs the same steps (surfaces.ts has the differences);
 * the sandbox's also inject the refusals that a request asks for. Three steps may wait: the
 * limits, an idempotency key's record, and the charge; besides them a key that is not in memory, a body, and
 * what the handler reads.
 */
const makeSteps = (libraries: Libraries) =>
  Effect.gen(function* () {
    const rows: ReadonlyArray<Row> = [
      { at: 1, name: "route", step: check(route) },
      { at: 2, name: "credential", step: check(credential) },
      { at: 3, name: "key", step: yield* makeKeyStep },
      { at: 4, name: "allow-lists", step: check(allowLists) },
      { at: 5, name: "limits", step: yield* makeLimitsStep },
      { at: 6, name: "scope", step: check(scope) },
      { at: 7, name: "plan", step: check(plan) },
      { at: 8, name: "input", step: yield* makeInputStep },
      { at: 9, name: "idempotency", step: ifTakesKey(yield* makeIdempotencyStep) },
      { at: 10, name: "charge", step: yield* makeChargeStep }
    ]
    const handler = yield* makeHandlerStep(libraries) // 11
    const injectFaults = yield* makeFaultInjection
    const usual = inOrder(rows, handler)
    const injecting = inOrder(injectFaults(rows), handler)
    return ({ faultInjection }: Surface): Next => (faultInjection ? injecting : usual)
  })

/** A step that takes nothing: it refuses or goes on. */
const check =
  (refuses: (call: Call) => Refusal | undefined): Step =>
  (call, next) => {
    const refusal = refuses(call)
    return refusal === undefined ? next(call) : Effect.succeed(refusal)
  }

/** A step for operations that take an idempotency key; others skip it. */
const ifTakesKey =
  (step: Step): Step =>
  (call, next) =>
    call.target.takesKey ? step(call, next) : next(call)

const inOrder = (rows: ReadonlyArray<Row>, last: Next): Next =>
  rows.reduceRight<Next>((next, { step }) => followed(step, next), last)

const followed =
  (step: Step, next: Next): Next =>
  (call) =>
    step(call, next)

/** A call that has passed no step. */
export const newCall = (
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
  idempotent: undefined,
  claim: undefined,
  isClaimSettled: false,
  injected: undefined,
  receipt: { limits: undefined, cost: undefined, remaining: undefined, replayed: false }
})

const nothing: Effect.Effect<BodyReading> = Effect.succeed(noBody)

/** The surface that an operation is called on. */
const surfaceOf = (on: Operation.Surface, { isPublic }: Target): Surface => {
  if (on === "live") return isPublic ? surfaces.public : surfaces.api
  return isPublic ? surfaces.publicSandbox : surfaces.sandbox
}

/** The entry of calls of every surface; it returns answers. */
export const makePipeline = (libraries: Libraries) =>
  Effect.gen(function* () {
    const stepsOf = yield* makeSteps(libraries)
    const deadlines = yield* makeDeadlines
    const log = Effect.runForkWith(yield* Effect.context<never>())

    /** What the call comes to; an Exit where nothing has to be waited for. */
    const run = (call: Call): Effect.Effect<Reply, Unavailable> => stepsOf(call.surface)(call)

    /** The reply of a call that ended: of a late one, whose time was over before, it is SERVER_TIMEOUT. */
    const replyOf = (call: Call, exit: Exit.Exit<Reply, Unavailable> | undefined): Reply => {
      if (exit === undefined) return timedOut(call)
      if (Exit.isSuccess(exit)) return exit.value
      const broken = refusalOfCause(exit.cause)
      log(logBroken(call.envelope, broken))
      return broken.refusal
    }

    const replyTo = (call: Call): Effect.Effect<Reply> =>
      Effect.map(deadlines.within(Effect.suspend(() => run(call))), (exit) => replyOf(call, exit))

    const callsOf = (surface: Surface, target: Target) => {
      const called = { surface, target }
      return {
        /**
         * Begins a call for somebody who has no fiber to wait in; `onAnswer` is called once, at once where
         * nothing has to be waited for. A bug in a step that waits for nothing is thrown.
         */
        begin: (request: CallRequest, envelope: Envelope, onAnswer: (answer: Answer) => void): void => {
          const call = newCall(request, envelope, called)
          deadlines.begin(run(call), (exit) => onAnswer(answerOf(call, replyOf(call, exit))))
        },
        /** The same within a fiber. */
        answer: (request: CallRequest, envelope: Envelope): Effect.Effect<Answer> =>
          Effect.suspend(() => {
            const call = newCall(request, envelope, called)
            return Effect.map(replyTo(call), (reply) => answerOf(call, reply))
          })
      } as const
    }

    return {
      /** The calls of an operation on one surface. */
      operation: (id: OperationId, on: Operation.Surface) => {
        const target = targetOf(id)
        return callsOf(surfaceOf(on, target), target)
      },
      /** Those of `POST /security/leaked-key`. */
      leakedKey: callsOf(surfaces.leakedKey, leakedKeyTarget),
      /** A call of a tool, by whoever the HTTP request that brought it was let in for. */
      tool: ({ tool, input, token }: ToolRequest, envelope: Envelope): Effect.Effect<ToolAnswer> =>
        Effect.suspend(() => {
          const request = { ...toolRequest, token, toolInput: input }
          const call = newCall(request, envelope, { surface: surfaces.mcp, target: targetOfTool(tool) })
          return Effect.map(replyTo(call), (reply) => ({
            content: contentOf(call, reply),
            headers: headersOf(call),
            status: statusOf(reply)
          }))
        })
    } as const
  })

/** A late call is refunded later, so its answer names no balance. */
const timedOut = ({ receipt }: Call): Refusal => {
  if (receipt.cost !== undefined) receipt.cost = 0
  receipt.remaining = undefined
  receipt.replayed = false
  return refused("SERVER_TIMEOUT")
}

/** A tool's answer: its content, the headers of the message that brought its call, and its HTTP status. */
export interface ToolAnswer {
  readonly content: ToolContent
  readonly headers: Answer["headers"]
  readonly status: number
}

/** A call of a tool as the message says it. */
export interface ToolRequest {
  readonly tool: ToolName
  /** As it came. */
  readonly input: unknown
  readonly token: TokenHolder
}

/** What HTTP says of a call, and a tool's call does not. */
const toolRequest: CallRequest = {
  fault: undefined,
  params: {},
  query: {},
  accept: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  authorization: undefined,
  origin: undefined,
  ifNoneMatch: undefined,
  idempotencyKey: undefined,
  idempotencyAlias: undefined,
  address: "",
  readBody: Effect.die(new Error("a tool's call has no body"))
}
