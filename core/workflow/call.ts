import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { noBody } from "../admission/body.ts"
import type { BodyReading } from "../admission/body.ts"
import { decodeInput } from "../admission/decode.ts"
import type { DecodedInput } from "../admission/decode.ts"
import { admitting } from "../admission/gates.ts"
import type { Facts, Provoked } from "../admission/gates.ts"
import { isRefusal, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { readCredential } from "../key/credential.ts"
import type { ApiKey } from "../key/Key.ts"
import type { KeyHash, KeyHolder } from "../key/state.ts"
import { ownOrganization } from "../key/testKey.ts"
import { limitPolicyOf } from "../limit/policy.ts"
import { keyRefusal } from "../idempotency/key.ts"
import { isWrite, operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import type { LimitEntry } from "../port/Limits.ts"
import { isUnreadable } from "../sandbox/provoke.ts"
import { reservedHolder } from "../sandbox/reservedKeys.ts"
import type { CallRequest } from "./CallRequest.ts"
import { makeCharging } from "./charging.ts"
import type { Bill } from "./charging.ts"
import { corsHeaders } from "./cors.ts"
import { makeDeadlines } from "./deadline.ts"
import type { Desk, Desks } from "./desk.ts"
import { makeEntering } from "./entering.ts"
import type { Restore } from "./entering.ts"
import { answerFault } from "./fault.ts"
import type { AnyHandler, AnyWriteHandler, Caller, Handlers, Unavailable } from "./Handler.ts"
import { makeIdempotent } from "./idempotent.ts"
import type { KeyedRequest } from "./idempotent.ts"
import { before } from "./Phased.ts"
import { readProvocation } from "./provoking.ts"
import { makePublicly } from "./publicly.ts"
import type { Work } from "./writing.ts"
import { isoTimeOf } from "./opening.ts"
import { refuse, seal } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"
import { timedOut } from "./timedOut.ts"

const admitEarly = admitting(new Set([3, 4]))
const admitLate = admitting(new Set([6, 7]))
const admitAgain = admitting(new Set([3, 4, 6, 7]))

/**
 * The one path of every call (contract §1, Order of the checks): the first refusal answers, and what was
 * taken is given back. HTTP, sandbox and MCP all enter here. The steps' numbers are the contract's.
 */
export const makeCall = (desks: Desks) =>
  Effect.gen(function* () {
    const [keys, { sha256Hex }] = [yield* Keys, yield* Crypto]
    const entering = yield* makeEntering
    const charging = yield* makeCharging
    const idempotent = yield* makeIdempotent
    const publicly = yield* makePublicly(desks)
    const deadlines = yield* makeDeadlines

    /** Steps 6 to 11, inside the concurrency slot. */
    const admitted = (held: Held, restore: Restore): Effect.Effect<Answer, Unavailable> => {
      const { request, envelope, facts } = held
      const late = admitLate(facts)
      if (late !== undefined) return Effect.succeed(refuse(envelope, late))
      const reading = bodyOf(request)
      const wasThere = Exit.isExit(reading)
      return Effect.flatMapEager(restoredUnlessThere(restore, reading), (body) =>
        wasThere
          ? asked(held, body, restore)
          : Effect.flatMap(restore(gone(keys, facts)), (refusal) =>
              refusal === undefined ? asked(held, body, restore) : Effect.succeed(refuse(envelope, refusal))
            )
      )
    }

    /** Steps 8 to 11. */
    const asked = (held: Held, body: BodyReading, restore: Restore): Effect.Effect<Answer, Unavailable> => {
      const { request, envelope, facts } = held
      const input = decodeInput(request.operation, request, body) // 8
      if (facts.provoked !== undefined && !isUnreadable(input)) {
        return restore(provoking(request, envelope, facts, facts.provoked, body))
      }
      if (isRefusal(input)) return Effect.succeed(refuse(envelope, input))
      return request.surface === "live"
        ? decided(held, input, body, desks.live, restore)
        : Effect.flatMap(restore(desks.sandbox), (desk) => decided(held, input, body, desk, restore))
    }

    /** Steps 8's end to 11, of a call whose input is decoded. */
    const decided = (
      { request, envelope, facts }: Held,
      input: DecodedInput,
      body: BodyReading,
      { run, handlers }: Desk,
      restore: Restore
    ): Effect.Effect<Answer, Unavailable> => {
      const opened = run.open(request, input, callerOf(request, facts))
      if (isRefusal(opened)) return Effect.succeed(refuse(envelope, opened))
      const handler = handlers[request.operation as keyof Handlers]
      const turn = turnOf(request, body)
      if (isRefusal(turn)) return Effect.succeed(refuse(envelope, turn))
      const work = () => run.answer(request, envelope, opened, handler as AnyHandler)
      if (turn !== undefined || isWrite(request.operation)) {
        const write = { facts, operation: request.operation, surface: request.surface, envelope }
        const writing = isWrite(request.operation)
          ? run.write(envelope, opened, handler as AnyWriteHandler)
          : beforehand(Effect.suspend(work))
        return restore(idempotent(write, turn, writing)) // 9 to 11
      }
      // The sandbox has no credits.
      if (request.surface === "sandbox") return restore(work())
      return charging(billOf(facts, request.operation), envelope, restore, work) // 10 and 11
    }

    /** Steps 8 to 11 of a sandbox call that asks for a refusal: it answers where the service's own would. */
    const provoking = Effect.fnUntraced(function* (
      request: CallRequest,
      envelope: Envelope,
      facts: Facts,
      { step, refusal, headers }: Provoked,
      body: BodyReading
    ) {
      const turn = turnOf(request, body)
      if (isRefusal(turn)) return refuse(envelope, turn)
      Object.assign(envelope.headers, headers)
      const answer = refuse(envelope, refusal)
      if (step !== 11 || turn === undefined) return answer
      const write = { facts, operation: request.operation, surface: request.surface, envelope }
      return yield* idempotent(write, turn, beforehand(Effect.succeed(answer)))
    })

    /** Step 3. */
    const keyed = (
      request: CallRequest,
      envelope: Envelope,
      key: ApiKey,
      provoked?: Provoked
    ): Effect.Effect<Answer, Unavailable> => {
      const reserved = request.surface === "sandbox" ? reservedHolder(key) : undefined
      return Effect.flatMapEager(
        reserved === undefined ? keys.find(sha256Hex(key) as KeyHash) : Effect.succeed(reserved),
        (holder) =>
          holder === undefined
            ? Effect.succeed(refuse(envelope, refused("AUTH_KEY_NOT_FOUND")))
            : known(request, envelope, holder, provoked)
      )
    }

    /** Steps 3 to 5 of a call whose key is known. */
    const known = (
      request: CallRequest,
      envelope: Envelope,
      holder: KeyHolder,
      provoked: Provoked | undefined
    ): Effect.Effect<Answer, Unavailable> => {
      const row = operationRow(request.operation)
      if (request.origin !== undefined) Object.assign(envelope.headers, corsHeaders(holder, request.origin))
      const facts: Facts = {
        row,
        holder,
        now: envelope.now,
        address: request.address,
        origin: request.origin,
        provoked
      }
      const early = admitEarly(facts)
      if (early !== undefined) return Effect.succeed(refuse(envelope, early))
      const entry: LimitEntry = {
        subject:
          request.surface === "sandbox" ? `key:${holder.key.keyId}` : `org:${holder.key.organizationId}`,
        requestId: envelope.requestId,
        cost: row.credits,
        policy: limitPolicyOf(request.surface, holder)
      }
      const held = { request, envelope, facts }
      return entering(entry, envelope, provoked, (restore) => admitted(held, restore)) // 5
    }

    /** A sandbox call may ask for a refusal, by its body too, which is therefore read first. */
    const sandboxed = (request: CallRequest, envelope: Envelope, key: ApiKey) =>
      Effect.flatMap(readProvocation(request, envelope), ({ asked, provoked }) =>
        provoked !== undefined && provoked.step <= 2
          ? Effect.succeed(refuse(envelope, provoked.refusal))
          : keyed(asked, envelope, key, provoked)
      )

    /** All steps; an Exit where nothing has to be waited for. */
    const steps = (request: CallRequest, envelope: Envelope): Effect.Effect<Answer> => {
      if (operationRow(request.operation).requirement === null) {
        return answerFault(
          envelope,
          Effect.suspend(() => publicly(request, envelope))
        )
      }
      const credential = readCredential(request.authorization, request.surface) // 2
      return isRefusal(credential)
        ? Effect.succeed(seal(envelope, refuse(envelope, credential)))
        : answerFault(
            envelope,
            Effect.suspend(() =>
              (request.surface === "live" ? keyed : sandboxed)(request, envelope, credential.key)
            )
          )
    }

    return {
      /** Answers within a fiber. */
      answer: (request: CallRequest, envelope: Envelope): Effect.Effect<Answer> => {
        const all = steps(request, envelope)
        return Exit.isExit(all) ? all : deadlines.within(all, () => timedOut(envelope))
      },
      /** The same for an edge that has no fiber to wait in; `answered` is told once. */
      begin: (request: CallRequest, envelope: Envelope, answered: (answer: Answer) => void): void =>
        deadlines.begin(steps(request, envelope), (exit) => {
          if (exit === undefined) return answered(timedOut(envelope))
          answered(Exit.isSuccess(exit) ? exit.value : seal(envelope, refuse(envelope, unanswered)))
        })
    } as const
  })

/** What no step made an answer of. */
const unanswered = refused("SERVER_INTERNAL_ERROR")

/** A call whose key is known, and what the gates look at. */
interface Held {
  readonly request: CallRequest
  readonly envelope: Envelope
  readonly facts: Facts
}

/** Why a call may not go on whose body came later, seconds perhaps, than its key was looked at. */
const gone = (keys: Keys["Service"], facts: Facts): Effect.Effect<Refusal | undefined, Unavailable> =>
  Effect.flatMap(keys.find(facts.holder.key.hash), (holder) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) =>
      holder === undefined
        ? refused("AUTH_KEY_NOT_FOUND")
        : admitAgain({ ...facts, holder, now: isoTimeOf(nowMs) })
    )
  )

/** What is there already waits for nothing that a deadline could cut off. */
const restoredUnlessThere = <A, E>(restore: Restore, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Exit.isExit(effect) ? effect : restore(effect)

const nothing: Effect.Effect<BodyReading> = Effect.succeed(noBody)

/**
 * The turn of a call at its idempotency key, if it has one. A read that is posted with a key becomes one
 * commit like a write, so that it is charged and answered once.
 */
const turnOf = (request: CallRequest, body: BodyReading): undefined | KeyedRequest | Refusal => {
  const { method, path } = operationRow(request.operation)
  const key = method === "GET" ? undefined : request.idempotencyKey
  if (key === undefined) return undefined
  const text = body._tag === "Text" ? body.text : ""
  return keyRefusal(key) ?? { key, path, params: request.params, query: request.query, body: text }
}

/** What touches nothing that a transaction must hold runs before it. */
const beforehand = (work: Effect.Effect<Answer, Unavailable>): Work =>
  before(Effect.map(work, (answer) => Effect.succeed(answer)))

/** In the sandbox nobody but the key itself, whatever organization it was made for (contract §3). */
const callerOf = ({ surface }: CallRequest, { holder: { key, pack } }: Facts): Caller => ({
  organizationId: surface === "sandbox" ? ownOrganization(key.keyId) : key.organizationId,
  pack,
  releaseId: key.releaseId,
  auditor: surface === "sandbox" ? null : { kind: "key", id: key.keyId, label: key.name }
})

const billOf = ({ holder: { key }, row }: Facts, operation: OperationId): Bill => ({
  organizationId: key.organizationId,
  cost: row.credits,
  operation,
  caller: key.keyId,
  source: "api"
})

/** A body is only read where the operation has one (contract §1). */
const bodyOf = (request: CallRequest): Effect.Effect<BodyReading> =>
  operationRow(request.operation).body === undefined ? nothing : request.readBody
