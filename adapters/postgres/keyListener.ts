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
import { steadyMs } from "./steadyMs.ts"

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
export interface KeyAudience {
  readonly changed: (payload: string) => void
  /** Every change that was committed before `sentMs`, on the steady clock, has been told. */
  readonly heard: (sentMs: number) => void
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
export const listenForKeys = (config: PgConnection.Config, audience: KeyAudience): Effect.Effect<never> => {
  let failures = 0
  const heard = (sentMs: number) => {
    failures = 0
    audience.heard(sentMs)
  }
  const wait = Effect.flatMap(Random.next, (share) => {
    const longestMs = Math.min(listenAgainMs.first * 2 ** failures, listenAgainMs.last)
    failures += 1
    return Effect.sleep((longestMs * (1 + share)) / 2)
  })
  return Effect.forever(
    Effect.andThen(Effect.exit(listenOnce(ownSession(config), { ...audience, heard })), wait)
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
const listenOnce = (config: PgConnection.Config, audience: KeyAudience) =>
  Effect.acquireUseRelease(
    Effect.all({ connected: Scope.make(), listening: Scope.make() }),
    ({ connected, listening }) =>
      Effect.gen(function* () {
        const connection = yield* Scope.provide(PgConnection.make(config), connected)
        const channel = `key_heartbeat_${randomUUID().replaceAll("-", "")}`
        const ears = yield* Scope.provide(openEars(connection, channel), listening)
        const beating = yield* Effect.forkDetach(beat(ears.voice, channel, audience))
        return yield* Effect.raceAllFirst([
          hear(ears, audience),
          hearBeats(ears, audience),
          Fiber.join(beating)
        ])
      }),
    ({ connected, listening }) =>
      Effect.andThen(
        Effect.sync(audience.ended),
        Effect.andThen(Scope.close(connected, Exit.void), Scope.close(listening, Exit.void))
      )
  )

type Heard = Queue.Dequeue<PgConnection.Notification, SqlError>

interface Ears {
  readonly voice: PgConnection.PgConnection
  readonly changes: Heard
  readonly beats: Heard
}

const openEars = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, channel: string) {
  const voice = yield* connection.pin
  return { voice, changes: yield* voice.listen(keyChanged), beats: yield* voice.listen(channel) }
})

/** Detached, and ended by the end of its connection: interrupting a statement would wait for its answer. */
const beat = (voice: PgConnection.PgConnection, channel: string, { asked }: KeyAudience) =>
  Effect.forever(
    Effect.andThen(
      Effect.suspend(() => voice.query("select pg_notify($1, $2)", [channel, String(steadyMs())])),
      Effect.suspend(() => {
        const untilAsked = asked()
        return untilAsked === undefined
          ? Effect.sleep(heartbeatEvery.asked)
          : Effect.race(Effect.sleep(heartbeatEvery.resting), untilAsked)
      })
    )
  )

const hear = (ears: Ears, audience: KeyAudience) =>
  Effect.forever(
    Effect.andThen(
      Queue.peek(ears.changes),
      Effect.sync(() => tell(ears, audience))
    )
  )

/** The changes that came before a heartbeat wait in a queue of their own, so they are told first. */
const hearBeats = (ears: Ears, audience: KeyAudience) =>
  Effect.forever(
    Effect.map(Effect.timeout(Queue.take(ears.beats), silenceMax), ({ payload }) => {
      if (tell(ears, audience)) audience.heard(Number(payload))
    })
  )

/**
 * Takes and tells all changes without a pause between, so that none is in nobody's hands. False: the
 * connection ended.
 */
const tell = ({ changes }: Ears, audience: KeyAudience): boolean => {
  for (let change = Queue.takeUnsafe(changes); change !== undefined; change = Queue.takeUnsafe(changes)) {
    if (Exit.isFailure(change)) return false
    audience.changed(change.value.payload)
  }
  return true
}
