import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  Attempts,
  AttemptsUnavailable,
  deliveriesKeptMs,
  forgottenDeliveriesMax,
  resumedMax,
  strandedMs
} from "../../core/port/Attempts.ts"
import type { DeliveryTurn } from "../../core/port/Attempts.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { testKeyMs } from "../../core/sandbox/testKey.ts"
import { resumeDelivery } from "../../core/webhook/delivery.ts"
import type { Delivery } from "../../core/webhook/delivery.ts"
import { settleAttempt } from "../../core/webhook/settle.ts"
import { mayAttempt } from "../../core/webhook/transitions.ts"
import { AccountStates } from "./AccountStates.ts"
import { hasWebhooks, Outbox, setEntry } from "./Outbox.ts"
import type { DeliveryJob } from "./Outbox.ts"

/** The worker's view of what is in the process. */
export const layer = Layer.effect(
  Attempts,
  Effect.gen(function* () {
    const states = yield* AccountStates
    const outbox = yield* Outbox
    const { offer } = yield* Jobs

    const turnOf = ({ deliveryId, turn }: DeliveryTurn): DeliveryJob | undefined => {
      const found = outbox.deliveries.get(deliveryId)
      return found?.turn === turn && found.delivery.status === "pending" ? found : undefined
    }
    const packOf = ({ organizationId }: Pick<Delivery, "organizationId">, nowMs: number) => ({
      hasWebhooks: hasWebhooks(states, organizationId, nowMs)
    })
    const mayBeSent = (delivery: Delivery, nowMs: number): boolean => {
      const endpoint = outbox.endpoints.get(delivery.endpointId)
      return endpoint !== undefined && mayAttempt(endpoint, packOf(delivery, nowMs))
    }
    /** Gives a delivery its next turn, with a job where it is to have one. */
    const turnTo = Effect.fnUntraced(function* (
      next: DeliveryJob,
      job: { readonly atMs: number | null; readonly nowMs: number }
    ) {
      const { deliveryId } = next.delivery
      yield* setEntry(outbox.deliveries, deliveryId, next)
      if (job.atMs === null) return
      const delayMs = Math.max(0, job.atMs - job.nowMs)
      yield* offer([{ job: { _tag: "Deliver", deliveryId, turn: next.turn }, delayMs }])
    })
    const resumeOne = (nowMs: number) => (found: DeliveryJob) => {
      const delivery = resumeDelivery(found.delivery, nowMs)
      return turnTo({ delivery, turn: found.turn + 1 }, { atMs: delivery.nextAttemptAtMs, nowMs })
    }

    return Attempts.of({
      due: (turn) =>
        Effect.clockWith((clock) =>
          Effect.sync(() => {
            const delivery = turnOf(turn)?.delivery
            const endpoint = delivery && outbox.endpoints.get(delivery.endpointId)
            const event = delivery && outbox.events.get(delivery.webhookId)
            if (delivery === undefined || endpoint === undefined || event === undefined) return undefined
            const isSandbox = !states.organizations.has(delivery.organizationId)
            const surface = isSandbox ? ("sandbox" as const) : ("live" as const)
            return {
              delivery,
              endpoint,
              event,
              surface,
              ...packOf(delivery, clock.currentTimeMillisUnsafe())
            }
          })
        ),
      settle: Effect.fnUntraced(function* (made) {
        const found = outbox.deliveries.get(made.deliveryId)
        const endpoint = found && outbox.endpoints.get(found.delivery.endpointId)
        if (found === undefined || endpoint === undefined) return undefined
        const isItsTurn = turnOf(made) !== undefined
        const standing = { ...found, endpoint, isItsTurn, ...packOf(found.delivery, made.nowMs) }
        const { delivery, moved, jobAtMs } = settleAttempt(standing, made, made.policy)
        const turn = isItsTurn ? found.turn + 1 : found.turn
        yield* setEntry(outbox.attempts, made.deliveryId, [
          ...(outbox.attempts.get(made.deliveryId) ?? []),
          made
        ])
        yield* setEntry(outbox.endpoints, endpoint.endpointId, moved.endpoint)
        yield* turnTo({ delivery, turn }, { atMs: jobAtMs, nowMs: made.nowMs })
        return moved.endpoint
      }, unavailable),
      defer: Effect.fnUntraced(function* ({ atMs, nowMs, ...turn }) {
        const found = turnOf(turn)
        if (found === undefined) return
        const delivery = { ...found.delivery, nextAttemptAtMs: atMs }
        yield* turnTo({ delivery, turn: found.turn + 1 }, { atMs, nowMs })
      }, unavailable),
      resume: Effect.fnUntraced(function* ({ endpointId, after, nowMs }) {
        const pending = [...outbox.deliveries.values()]
          .filter(({ delivery }) => delivery.endpointId === endpointId && delivery.status === "pending")
          .filter(({ delivery }) => delivery.deliveryId > after && mayBeSent(delivery, nowMs))
        const some = pending.slice(0, resumedMax)
        yield* Effect.forEach(some, resumeOne(nowMs), { discard: true })
        return pending.length > some.length ? (some.at(-1)?.delivery.deliveryId ?? null) : null
      }, unavailable),
      rescue: Effect.fnUntraced(function* (nowMs) {
        const stranded = [...outbox.deliveries.values()]
          .filter(({ delivery }) => (delivery.nextAttemptAtMs ?? nowMs) <= nowMs - strandedMs)
          .filter(({ delivery }) => mayBeSent(delivery, nowMs))
          .slice(0, resumedMax)
        yield* Effect.forEach(stranded, resumeOne(nowMs), { discard: true })
        return stranded.length
      }, unavailable),
      forget: (nowMs) =>
        Effect.sync(() => {
          const isTestKey = ({ organizationId }: Pick<Delivery, "organizationId">) =>
            !states.organizations.has(organizationId)
          const forgotten = forget(outbox, isTestKey, nowMs)
          for (const [id, endpoint] of outbox.endpoints)
            if (isTestKey(endpoint) && endpoint.createdAtMs <= nowMs - testKeyMs) outbox.endpoints.delete(id)
          return forgotten
        })
    })
  })
)

const unavailable = <A>(effect: Effect.Effect<A, { readonly fault: AttemptsUnavailable["fault"] }>) =>
  Effect.mapError(effect, ({ fault }) => new AttemptsUnavailable({ fault }))

const forget = (outbox: Outbox["Service"], isTestKey: (delivery: Delivery) => boolean, nowMs: number) => {
  const { deliveries, endpoints, attempts, events } = outbox
  const untilMs = nowMs - deliveriesKeptMs
  const vanishes = (each: Delivery): boolean => {
    const endpoint = endpoints.get(each.endpointId)
    if (endpoint === undefined) return true
    if (isTestKey(each) && endpoint.createdAtMs <= nowMs - testKeyMs) return true
    const waits = each.status === "pending" || each.status === "held"
    return each.createdAtMs <= untilMs && (!waits || endpoint.status === "deleted")
  }
  const old = [...deliveries.values()]
    .map(({ delivery }) => delivery)
    .filter(vanishes)
    .slice(0, forgottenDeliveriesMax)
  for (const { deliveryId } of old) {
    deliveries.delete(deliveryId)
    attempts.delete(deliveryId)
  }
  const kept = [...deliveries.values()].map(({ delivery }) => delivery)
  const needed = new Set<string>(kept.map(({ webhookId }) => webhookId))
  for (const [id, { occurredAtMs }] of events)
    if (occurredAtMs <= untilMs && !needed.has(id)) events.delete(id)
  return old.length
}
