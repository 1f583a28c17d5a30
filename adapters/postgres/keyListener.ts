import { randomUUID } from "node:crypto"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { keyChanged } from "./keyChanged.ts"

/**
 * Three heartbeats fit into the half second for which one is believed, so that a late one does no harm. A
 * cache that nobody asks need not be believed, and only hears that its connection lives.
 */
export const heartbeatEvery = { asked: "150 millis", resting: "1 second" } as const

/**
 * A connection that is silent for longer is given up for another; the cache stopped believing it long before.
 */
export const silenceMax = "3 seconds"

/** The wait before listening again: doubled from the first to the last, and never given up. */
export const listenAgainMs = { first: 50, last: 2_000 } as const

/** Whoever wants to know of changed keys. All of it is called in the order in which PostgreSQL committed. */
export interface Subscribers {
  readonly changed: (payload: string) => void
  /** Every change that was committed before `sentMs`, on the steady clock, has been told. */
  readonly onHeartbeat: (sentMs: number) => void
  /** Changes are missed from now on, until the next heartbeat is heard. */
  readonly ended: () => void
  /** The wait until somebody asks; nothing while somebody did lately. */
  readonly asked: () => Effect.Effect<void> | undefined
}

/**
 * Listens for changed keys over one connection of its own, for ever: it comes back by itself however it
 * ended. The connection's own heartbeats travel through PostgreSQL's queue of notifications behind
 * everybody's changes, which is what makes hearing one a proof.
 */
export const listenForKeys = (
  config: PgConnection.Config,
  subscribers: Subscribers
): Effect.Effect<never> => {
  let failures = 0
  const onHeartbeat = (sentMs: number) => {
    failures = 0
    subscribers.onHeartbeat(sentMs)
  }
  const wait = Effect.flatMap(Random.next, (share) => {
    const longestMs = Math.min(listenAgainMs.first * 2 ** failures, listenAgainMs.last)
    failures += 1
    return Effect.sleep((longestMs * (1 + share)) / 2)
  })
  return Effect.forever(
    Effect.andThen(Effect.exit(listenOnce(ownSession(config), { ...subscribers, onHeartbeat })), wait)
  )
}

/** Heartbeats say nothing worth a flush to disk, and one that hangs must not hold up the others' commits. */
const ownSession = (config: PgConnection.Config): PgConnection.Config => ({
  ...config,
  multiplex: false,
  applicationName: `${config.applicationName ?? "keys"} listener`,
  startupParameters: { ...config.startupParameters, synchronous_commit: "off", statement_timeout: "2000" }
})

/**
 * Ends when the connection does. It is closed before anything else is waited for: with the connection gone
 * every statement on it fails at once, whereas on a silent one even UNLISTEN would hang.
 */
const listenOnce = (config: PgConnection.Config, subscribers: Subscribers) =>
  Effect.acquireUseRelease(
    Effect.all({ connected: Scope.make(), listening: Scope.make() }),
    ({ connected, listening }) =>
      Effect.gen(function* () {
        const connection = yield* Scope.provide(PgConnection.make(config), connected)
        const channel = `key_heartbeat_${randomUUID().replaceAll("-", "")}`
        const subscription = yield* Scope.provide(subscribe(connection, channel), listening)
        const heartbeat = yield* Effect.forkDetach(sendHeartbeat(subscription.pinned, channel, subscribers))
        return yield* Effect.raceAllFirst([
          receive(subscription, subscribers),
          receiveHeartbeats(subscription, subscribers),
          Fiber.join(heartbeat)
        ])
      }),
    ({ connected, listening }) =>
      Effect.andThen(
        Effect.sync(subscribers.ended),
        Effect.andThen(Scope.close(connected, Exit.void), Scope.close(listening, Exit.void))
      )
  )

type Notifications = Queue.Dequeue<PgConnection.Notification, SqlError>

interface Subscription {
  readonly pinned: PgConnection.PgConnection
  readonly changes: Notifications
  readonly heartbeats: Notifications
}

const subscribe = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, channel: string) {
  const pinned = yield* connection.pin
  return { pinned, changes: yield* pinned.listen(keyChanged), heartbeats: yield* pinned.listen(channel) }
})

/** Detached, and ended by the end of its connection: interrupting a statement would wait for its answer. */
const sendHeartbeat = (pinned: PgConnection.PgConnection, channel: string, { asked }: Subscribers) =>
  Effect.forever(
    Effect.andThen(
      Effect.suspend(() => pinned.query("select pg_notify($1, $2)", [channel, String(performance.now())])),
      Effect.suspend(() => {
        const untilAsked = asked()
        return untilAsked === undefined
          ? Effect.sleep(heartbeatEvery.asked)
          : Effect.race(Effect.sleep(heartbeatEvery.resting), untilAsked)
      })
    )
  )

const receive = (subscription: Subscription, subscribers: Subscribers) =>
  Effect.forever(
    Effect.andThen(
      Queue.peek(subscription.changes),
      Effect.sync(() => tell(subscription, subscribers))
    )
  )

/** The changes that came before a heartbeat wait in a queue of their own, so they are told first. */
const receiveHeartbeats = (subscription: Subscription, subscribers: Subscribers) =>
  Effect.forever(
    Effect.map(Effect.timeout(Queue.take(subscription.heartbeats), silenceMax), ({ payload }) => {
      if (tell(subscription, subscribers)) subscribers.onHeartbeat(Number(payload))
    })
  )

/**
 * Takes all changes and passes them on without a pause between. False: the connection ended.
 */
const tell = ({ changes }: Subscription, subscribers: Subscribers): boolean => {
  for (let change = Queue.takeUnsafe(changes); change !== undefined; change = Queue.takeUnsafe(changes)) {
    if (Exit.isFailure(change)) return false
    subscribers.changed(change.value.payload)
  }
  return true
}
