import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** So many attempts of one endpoint are under way at once in one process; of one that is failing, fewer. */
export const inFlightMax = { sound: 8, failing: 2 } as const

/** A delivery waits so long for a slot of a sound endpoint, which answers in far less; then it goes back. */
export const slotWaitMs = 250

/** What goes back returns this long after, and then so much later than the one before it. */
export const returnsAfterMs = 1_000
const returnsApartMs = 60

export type Entry =
  | { readonly _tag: "Entered" }
  /** Nothing is free: the delivery is to come back at the time, Unix ms. */
  | { readonly _tag: "Busy"; readonly returnAtMs: number }

interface Endpoint {
  inFlight: number
  readonly waiting: Array<Deferred.Deferred<void>>
  /** When the one that was sent back last returns. */
  lastReturnMs: number
}

/**
 * The slots of every endpoint in this process. One that hangs keeps its own slots and no more: what comes for
 * it meanwhile is sent back, spread out, and the others' deliveries pass by. A sound one may be met by many
 * at once, so they wait a moment for each other before that.
 */
export const makeSlots = () => {
  const endpoints = new Map<number, Endpoint>()

  const endpointOf = (endpointId: number): Endpoint => {
    const known = endpoints.get(endpointId)
    if (known !== undefined) return known
    const fresh: Endpoint = { inFlight: 0, waiting: [], lastReturnMs: 0 }
    endpoints.set(endpointId, fresh)
    return fresh
  }

  const sendBack = (endpoint: Endpoint, nowMs: number): Entry => {
    endpoint.lastReturnMs = Math.max(endpoint.lastReturnMs + returnsApartMs, nowMs + returnsAfterMs)
    return { _tag: "Busy", returnAtMs: endpoint.lastReturnMs }
  }

  /** Takes the place of one that leaves, if one does in time. */
  const wait = Effect.fnUntraced(function* (endpoint: Endpoint): Effect.fn.Return<Entry> {
    const turn = Deferred.makeUnsafe<void>()
    endpoint.waiting.push(turn)
    const giveUp = Effect.sync(() => {
      const place = endpoint.waiting.indexOf(turn)
      if (place >= 0) endpoint.waiting.splice(place, 1)
      return place >= 0
    })
    const handedOver = Effect.as(Deferred.await(turn), true)
    const entered = yield* Effect.timeoutOrElse(handedOver, {
      duration: slotWaitMs,
      // Handed over in the very moment it gave up: then it has the slot after all.
      orElse: () => Effect.map(giveUp, (gaveUp) => !gaveUp)
    }).pipe(Effect.onInterrupt(() => Effect.map(giveUp, (gaveUp) => void (gaveUp || leaveNow(endpoint)))))
    return entered ? { _tag: "Entered" } : sendBack(endpoint, yield* Clock.currentTimeMillis)
  })

  const leaveNow = (endpoint: Endpoint): void => {
    const next = endpoint.waiting.shift()
    if (next === undefined) endpoint.inFlight -= 1
    else Deferred.doneUnsafe(next, Effect.void)
  }

  return {
    enter: Effect.fnUntraced(function* (of: {
      readonly endpointId: number
      readonly failing: boolean
    }): Effect.fn.Return<Entry> {
      const nowMs = yield* Clock.currentTimeMillis
      const endpoint = endpointOf(of.endpointId)
      if (endpoint.inFlight < inFlightMax[of.failing ? "failing" : "sound"]) {
        endpoint.inFlight += 1
        return { _tag: "Entered" }
      }
      const sendsBack = of.failing || endpoint.lastReturnMs > nowMs
      return sendsBack ? sendBack(endpoint, nowMs) : yield* wait(endpoint)
    }),
    leave: (endpointId: number): Effect.Effect<void> =>
      Effect.clockWith((clock) =>
        Effect.sync(() => {
          const endpoint = endpointOf(endpointId)
          leaveNow(endpoint)
          const isOver = endpoint.inFlight === 0 && endpoint.lastReturnMs <= clock.currentTimeMillisUnsafe()
          if (isOver) endpoints.delete(endpointId)
        })
      )
  } as const
}
