import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { refused } from "../error/Refusal.ts"
import type { ToolContent } from "../mcp/toolAnswer.ts"
import type { ToolName } from "../mcp/tools.ts"
import type { TokenHolder } from "../oauth/TokenHolder.ts"
import type { Unavailable } from "../workflow/Handler.ts"
import { arrived, check } from "./Call.ts"
import type { Call, Next, Step } from "./Call.ts"
import type { CallRequest } from "./CallRequest.ts"
import { makeChargeStep } from "./charge.ts"
import { allowLists, credential, makeKeyStep, plan, route, scope } from "./checks.ts"
import { makeDeadlines } from "./deadline.ts"
import { logBroken, refusalOfCause } from "./fault.ts"
import { makeFaultInjection } from "./faultInjection.ts"
import type { Row } from "./faultInjection.ts"
import { makeHandlerStep } from "./handler.ts"
import type { Handlings } from "./handling.ts"
import { makeIdempotencyStep } from "./idempotency.ts"
import { makeInputStep } from "./input.ts"
import { leakedKeyTarget } from "./leakedKey.ts"
import { makeLimitsStep } from "./limits.ts"
import type { Envelope } from "./opening.ts"
import { timedOut } from "./Receipt.ts"
import { statusOf } from "./reply.ts"
import type { Answer, Reply } from "./reply.ts"
import { answerOf, contentOf, headersOf } from "./respond.ts"
import type { Answered } from "./respond.ts"
import { surfaceOf, surfaces } from "./surfaces.ts"
import type { Surface } from "./surfaces.ts"
import { targetOf, targetOfTool } from "./targets.ts"

/**
 * What happens to a call, in this order (contract §1, Order of the checks): the first refusal is the answer,
 * and what was taken is given back. Every surface passes the same steps (surfaces.ts says what each does
 * otherwise); the sandbox's also hold the refusals that a request may ask for. Three steps may wait: the
 * limits, an idempotency key's record, and the charge; besides them a key that is not in memory, a body, and
 * what the handler reads.
 */
const makeSteps = (handlings: Handlings) =>
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
      { at: 9, name: "idempotency", step: yield* makeIdempotencyStep },
      { at: 10, name: "charge", step: yield* makeChargeStep }
    ]
    const handler = yield* makeHandlerStep(handlings) // 11
    const injecting = yield* makeFaultInjection
    const usual = inOrder(rows, handler)
    const provokable = inOrder(injecting(rows), handler)
    return ({ faultInjection }: Surface): Next => (faultInjection ? provokable : usual)
  })

const inOrder = (rows: ReadonlyArray<Row>, last: Next): Next =>
  rows.reduceRight<Next>((next, { step }) => followed(step, next), last)

const followed =
  (step: Step, next: Next): Next =>
  (call) =>
    step(call, next)

/** A tool's answer: its content, the headers of the message that brought its call, and its HTTP status. */
export interface ToolAnswer {
  readonly content: ToolContent
  readonly headers: Answer["headers"]
  readonly status: number
}

/** Where calls of every surface come in, and leave as answers. */
export const makePipeline = (handlings: Handlings) =>
  Effect.gen(function* () {
    const stepsOf = yield* makeSteps(handlings)
    const deadlines = yield* makeDeadlines
    const log = Effect.runForkWith(yield* Effect.context<never>())

    /** What the call comes to; an Exit where nothing has to be waited for. */
    const started = (call: Call): Effect.Effect<Reply, Unavailable> => stepsOf(call.surface)(call)

    /** The reply of a call that ended: of a late one, whose time was over before, it is SERVER_TIMEOUT. */
    const replyOf = (call: Call, exit: Exit.Exit<Reply, Unavailable> | undefined): Reply => {
      if (exit === undefined) {
        call.receipt = timedOut(call.receipt)
        return refused("SERVER_TIMEOUT")
      }
      if (Exit.isSuccess(exit)) return exit.value
      const broken = refusalOfCause(exit.cause)
      log(logBroken(call.envelope, broken))
      return broken.refusal
    }

    const asked = (request: CallRequest, envelope: Envelope): Call =>
      arrived(request, envelope, {
        surface: surfaceOf(request.operation, request.surface),
        target: targetOf(request.operation)
      })

    const within = (call: Call): Effect.Effect<Reply> =>
      Effect.map(deadlines.within(Effect.suspend(() => started(call))), (exit) => replyOf(call, exit))

    const answered = (call: Call): Effect.Effect<Answered> =>
      Effect.map(within(call), (reply) => answerOf(call, reply))

    return {
      /**
       * Begins a call of an operation for somebody who has no fiber to wait in; `told` is told once, at once
       * where nothing has to be waited for. A bug in a step that waits for nothing is thrown.
       */
      begin: (request: CallRequest, envelope: Envelope, told: (answer: Answered) => void): void => {
        const call = asked(request, envelope)
        deadlines.begin(started(call), (exit) => told(answerOf(call, replyOf(call, exit))))
      },
      /** The same within a fiber. */
      answer: (request: CallRequest, envelope: Envelope): Effect.Effect<Answered> =>
        Effect.suspend(() => answered(asked(request, envelope))),
      /** `POST /security/leaked-key`. */
      leakedKey: (request: CallRequest, envelope: Envelope): Effect.Effect<Answered> =>
        Effect.suspend(() =>
          answered(arrived(request, envelope, { surface: surfaces.leakedKey, target: leakedKeyTarget }))
        ),
      /** A call of a tool, by whoever the HTTP request that brought it was let in for. */
      tool: ({ tool, input, token }: ToolRequest, envelope: Envelope): Effect.Effect<ToolAnswer> =>
        Effect.suspend(() => {
          const request = { ...toolRequest, token, toolInput: input }
          const call = arrived(request, envelope, { surface: surfaces.mcp, target: targetOfTool(tool) })
          return Effect.map(within(call), (reply) => ({
            content: contentOf(call, reply),
            headers: headersOf(call),
            status: statusOf(reply)
          }))
        })
    } as const
  })

/** A call of a tool as the message says it. */
export interface ToolRequest {
  readonly tool: ToolName
  /** As it came. */
  readonly input: unknown
  readonly token: TokenHolder
}

/** What HTTP says of a call, and a tool's call does not. */
const toolRequest: CallRequest = {
  operation: "health",
  surface: "live",
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
  address: "",
  readBody: Effect.die(new Error("a tool's call has no body"))
}
