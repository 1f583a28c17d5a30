import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { standIns } from "../../core/operation/Operation.ts"
import { certifiedScope } from "../../core/operation/scope.ts"
import { anyError } from "../../core/sandbox/guide.ts"
import { examples } from "../../core/sandbox/examples.ts"
import type { ReservedRequest } from "../../core/sandbox/reservedInputs.ts"
import { makeLibraries } from "../../core/call/libraries.ts"
import { makePipeline } from "../../core/call/pipeline.ts"
import { makeNewEnvelope } from "../../core/call/answer.ts"
import { callRequest } from "./callRequest.ts"
import { makeDeterministicSandbox } from "./deterministicSandbox.ts"

/**
 * What the sandbox answers to the example of each operation, and to a call that provokes each error: asked
 * for in this process, on the one path of every call. What does not answer as its example says, dies.
 */
export const takeAnswers = (): Promise<SandboxAnswers> => {
  const { begin, layer } = makeDeterministicSandbox()
  return Effect.runPromise(Effect.scoped(Effect.provide(askSandbox(begin), layer)))
}

type Begin = ReturnType<typeof makeDeterministicSandbox>["begin"]

const askSandbox = (begin: Begin) =>
  Effect.gen(function* () {
    const ask = yield* makeAsk
    begin("certified key", firstCallMs)
    const certified = yield* ask("createTestKey", withBody({ scopes: [certifiedScope] }), {})
    begin("createTestKey", firstCallMs)
    const own = yield* ask("createTestKey", examples.createTestKey, {})
    const known: Record<string, string> = {
      certified: `Bearer ${memberOf(certified, "key")}`,
      own: `Bearer ${memberOf(own, "key")}`
    }
    const operations: Partial<Record<OperationId, unknown>> = { createTestKey: own }
    for (const [id, request, atMs] of inTime(examples)) {
      begin(id, atMs)
      operations[id] ??= yield* ask(id, request, known)
      const { gives } = operationRow(id).example
      if (gives !== undefined) known[standIns[gives]] = memberOf(operations[id], givenBy[gives])
    }
    const errors = Object.fromEntries(
      yield* Effect.forEach(errorCodes, (code) => {
        begin(code, lastCallMs)
        const answer = ask("listJurisdictions", reservedRequest(code), known, errorRow(code).status)
        return Effect.map(answer, (body) => [code, body])
      })
    ) as SandboxAnswers["errors"]
    return { operations: inOrder(operations), errors }
  })

/** The day of the examples; a call at each of its times, so that each example keeps its own. */
const firstCallMs = Date.UTC(2026, 8, 1, 9)
const lastCallMs = firstCallMs + 3_600_000

const needsWebhook = (id: OperationId): boolean => operationRow(id).example.path.includes(standIns.webhook)
const afterOthers = operationIds.filter(needsWebhook)

/** What makes a row of the reader's own comes first, what needs one last; any other has a time of its own. */
const offsetMs = (id: OperationId): number => {
  if (needsWebhook(id)) return 1_800_000 + afterOthers.indexOf(id) * 2_000
  if (operationRow(id).example.gives !== undefined) return 0
  return 2_000 + (hash("sha256", id, "buffer").readUInt16BE() % 600) * 2_000
}

const inTime = (requests: typeof examples) =>
  (Object.entries(requests) as ReadonlyArray<[OperationId, ReservedRequest]>)
    .map(([id, request]) => [id, request, firstCallMs + offsetMs(id)] as const)
    .toSorted(([, , one], [, , other]) => one - other)

const makeAsk = Effect.gen(function* () {
  const newEnvelope = yield* makeNewEnvelope
  const pipeline = yield* makePipeline(yield* makeLibraries)
  return (
    id: OperationId,
    request: ReservedRequest,
    known: Readonly<Record<string, string>>,
    status = 200
  ): Effect.Effect<unknown> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      pipeline.operation(id, "sandbox").answer(callRequest(id, request, known), newEnvelope(nowMs))
    ).pipe(
      Effect.flatMap((answer) =>
        answer.status === status
          ? Effect.succeed(JSON.parse(answer.body ?? "null"))
          : Effect.die(new Error(`${id} was to answer ${status}, and answered ${answer.body}`))
      )
    )
})

const withBody = (body: unknown): ReservedRequest => ({
  ...examples.createTestKey,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

const reservedRequest = (code: ErrorCode): ReservedRequest => ({
  ...anyError,
  path: anyError.path.replace("SERVER_TIMEOUT", code)
})

/** The member of an answer that a stand-in stands for. */
const givenBy = { webhook: "id", delivery: "delivery_id", release: "release_id" } as const

/** A member of an answer's `data`, or of the first of a list. */
const memberOf = (body: unknown, name: string): string => {
  const { data } = body as { readonly data: Readonly<Record<string, unknown>> | ReadonlyArray<unknown> }
  const [first] = Array.isArray(data) ? data : [data]
  return String((first as Readonly<Record<string, unknown>>)[name])
}

const inOrder = (answers: Partial<Record<OperationId, unknown>>): SandboxAnswers["operations"] =>
  Object.fromEntries(operationIds.filter((id) => answers[id] !== undefined).map((id) => [id, answers[id]]))
