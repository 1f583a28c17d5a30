import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { BodyReading } from "../admission/body.ts"
import type { InjectedFault } from "../admission/gates.ts"
import { keyRefusal } from "../idempotency/key.ts"
import { isUnreadable, injectedFault } from "../sandbox/injectFault.ts"
import { commit } from "../handler/WritePlan.ts"
import type { Call, Row, Step } from "./Call.ts"
import { recordLimits } from "./checks.ts"
import { makeIdempotencyStep } from "./idempotency.ts"
import { makeWriteStep } from "./writing.ts"

/**
 * The sandbox's own part of the pipeline (contract §3): a request may ask for a refusal by a value that it
 * holds. It is read once there is a credential, its body too, and the refusal then answers at its own place,
 * when the checks before it have passed. A limit that is injected counts nothing, and what is refused from
 * step 8 on is refused before a schema could object to the value that asks for it.
 */
export const makeFaultInjection = Effect.gen(function* () {
  const atInput = yield* makeAtInput
  return (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
    rows.flatMap((row) => {
      const { at } = row
      if (at === 2) return [row, { at, name: "fault injection", step: inject }, refusing(at)]
      if (at === 5) return [refusing(at), row]
      return at === 8 ? [{ at, name: "injected input", step: atInput }, row] : [row, refusing(at)]
    })
})

/** Looks for the refusal that the request asks for. */
const inject: Step = (call, next) =>
  Effect.flatMap(call.reading, (body) => {
    const { params, query } = call.request
    const [row] = call.target.rows
    const nowMs = DateTime.makeUnsafe(call.envelope.now).epochMilliseconds
    call.reading = Effect.succeed(body)
    call.injected = row && injectedFault({ params, query, body: textOf(body) }, { row, nowMs })
    return next(call)
  })

/** Answers what is injected at this place. */
const refusing = (at: number): Row => ({
  at,
  name: "injected",
  step: (call, next) => {
    const { injected } = call
    if (injected === undefined || !isDue(injected, at)) return next(call)
    if (injected.limit !== undefined) recordLimits(call, injected.limit)
    return Effect.succeed(injected.refusal)
  }
})

/** What would answer before step 2 answers there, where it is first known. */
const isDue = ({ step }: InjectedFault, at: number): boolean => step === at || (at === 2 && step < at)

/** What is injected at step 8 or later; the handler's own refusals are kept under the call's key. */
const makeAtInput = Effect.gen(function* () {
  const idempotency = yield* makeIdempotencyStep
  const writing = yield* makeWriteStep
  const refuse = (call: Call, { step, refusal, remaining }: InjectedFault) => {
    call.receipt.remaining = remaining
    return step === 11
      ? idempotency(call, (claimed) =>
          claimed.claim === undefined && claimed.idempotent === undefined
            ? Effect.succeed(refusal)
            : writing(claimed, commit(Effect.succeed(refusal)))
        )
      : Effect.succeed(refusal)
  }
  const step: Step = (call, next) =>
    call.injected === undefined
      ? next(call)
      : Effect.flatMap(call.reading, (body) => {
          const { injected, request, target } = call
          if (injected === undefined || target.tool !== undefined) return next(call)
          if (isUnreadable(target.decode(request, body))) return next(call)
          call.body = body
          const misnamed = target.takesKey ? keyRefusal(request) : undefined
          return misnamed === undefined ? refuse(call, injected) : Effect.succeed(misnamed)
        })
  return step
})

const textOf = (body: BodyReading): string => (body._tag === "Text" ? body.text : "")
