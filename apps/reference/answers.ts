import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { certifiedScope } from "../../core/operation/scope.ts"
import { anyError, keyRequest } from "../../core/sandbox/guide.ts"
import { examples, standIns } from "../../core/sandbox/examples.ts"
import type { ReservedRequest } from "../../core/sandbox/reservedInputs.ts"
import { makeLibraries } from "../../core/call/libraries.ts"
import { makePipeline } from "../../core/call/pipeline.ts"
import { makeNewEnvelope } from "../../core/call/answer.ts"
import { callRequest } from "./callRequest.ts"
import { makeStillTime, deterministicSandbox } from "./chanceless.ts"

/**
 * What the sandbox answers to the example of each operation, and to a call that provokes each error: asked
 * for in this process, on the one path of every call. What does not answer as its example says, dies.
 */
export const takeAnswers = (): Promise<SandboxAnswers> => {
  const { layer, pass } = makeStillTime()
  const asked = Effect.provide(askSandbox(pass), Layer.provideMerge(deterministicSandbox, layer))
  return Effect.runPromise(Effect.scoped(asked))
}

const askSandbox = (pass: () => number) =>
  Effect.gen(function* () {
    const ask = yield* makeAsk(pass)
    const certified = yield* ask("createTestKey", withBody({ scopes: [certifiedScope] }), {})
    const own = yield* ask("createTestKey", keyRequest, {})
    const known: Record<string, string> = {
      certified: `Bearer ${memberOf(certified, "key")}`,
      own: `Bearer ${memberOf(own, "key")}`
    }
    const operations: Partial<Record<OperationId, unknown>> = {
      createTestKey: own,
      health: yield* ask("health", healthRequest, known)
    }
    for (const [id, request] of Object.entries(examples) as ReadonlyArray<[OperationId, ReservedRequest]>) {
      operations[id] = yield* ask(id, request, known)
      if (id === "createWebhook") known[standIns.webhook] = memberOf(operations[id], "id")
      if (id === "listDeliveries") known[standIns.delivery] = memberOf(operations[id], "delivery_id")
    }
    const errors = Object.fromEntries(
      yield* Effect.forEach(errorCodes, (code) =>
        Effect.map(ask("listJurisdictions", reservedRequest(code), known, errorRow(code).status), (body) => [
          code,
          body
        ])
      )
    ) as SandboxAnswers["errors"]
    return { operations: inOrder(operations), errors }
  })

const makeAsk = (pass: () => number) =>
  Effect.gen(function* () {
    const newEnvelope = yield* makeNewEnvelope
    const pipeline = yield* makePipeline(yield* makeLibraries)
    return (
      id: OperationId,
      request: ReservedRequest,
      known: Readonly<Record<string, string>>,
      status = 200
    ): Effect.Effect<unknown> =>
      Effect.suspend(() =>
        pipeline.operation(id, "sandbox").answer(callRequest(id, request, known), newEnvelope(pass()))
      ).pipe(
        Effect.flatMap((answer) =>
          answer.status === status
            ? Effect.succeed(JSON.parse(answer.body ?? "null"))
            : Effect.die(new Error(`${id} was to answer ${status}, and answered ${answer.body}`))
        )
      )
  })

const withBody = (body: unknown): ReservedRequest => ({
  ...keyRequest,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const healthRequest: ReservedRequest = {
  method: "GET",
  path: `${surfacePrefix.sandbox}/health`,
  authorization: "none"
}

const reservedRequest = (code: ErrorCode): ReservedRequest => ({
  ...anyError,
  path: anyError.path.replace("SERVER_TIMEOUT", code)
})

/** A member of an answer's `data`, or of the first of a list. */
const memberOf = (body: unknown, name: string): string => {
  const { data } = body as { readonly data: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> }
  const [first] = Array.isArray(data) ? data : [data]
  return String((first as Readonly<Record<string, unknown>>)[name])
}

const inOrder = (answers: Partial<Record<OperationId, unknown>>): SandboxAnswers["operations"] =>
  Object.fromEntries(operationIds.filter((id) => answers[id] !== undefined).map((id) => [id, answers[id]]))
