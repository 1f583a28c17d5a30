import { connect } from "node:net"
import type { Socket } from "node:net"
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { DatabaseHost } from "./hosts.ts"

/** How long a host may take to say whether it takes writes. */
const answerWithin = "1 second"

/** When the hosts are asked again: after a lost connection or where none took writes, and at rest. */
const againEvery = { lost: "200 millis", resting: "2 seconds" } as const

/** A start waits this long for one of the hosts. */
const startWithin = "5 seconds"

const keepAliveMs = 10_000

/**
 * Finds which of several hosts takes writes (`target_session_attrs=read-write`), and goes on looking: when
 * another one does, connections to all others are cut, and the driver makes new ones there. Answers what the
 * driver opens its sockets by. With TLS the certificate is checked against the first host's name.
 */
export const followPrimary = Effect.fnUntraced(function* (
  config: PgClient.PgClientConfig,
  hosts: readonly [DatabaseHost, ...ReadonlyArray<DatabaseHost>]
) {
  const sockets = new Map<Socket, DatabaseHost>()
  const lost = Latch.makeUnsafe(false)
  let current: DatabaseHost = hosts[0]

  const search = Effect.gen(function* () {
    for (const host of [current, ...hosts.filter((other) => other !== current)])
      if (yield* takesWrites(config, host)) return host
    return undefined
  })
  const follow = Effect.gen(function* () {
    const found = yield* search
    if (found === undefined) return false
    if (found !== current) {
      current = found
      yield* Effect.annotateLogs(Effect.logWarning("the primary is another host now"), {
        host: found.host,
        port: found.port
      })
    }
    for (const [socket, host] of sockets) if (host !== current) socket.destroy()
    return true
  })
  const watch = Effect.flatMap(follow, (isFound) =>
    isFound
      ? Effect.andThen(
          Effect.race(lost.await, Effect.sleep(againEvery.resting)),
          Effect.andThen(
            Effect.sync(() => lost.closeUnsafe()),
            Effect.sleep(againEvery.lost)
          )
        )
      : Effect.sleep(againEvery.lost)
  )
  const untilFound = Effect.repeat(Effect.delay(follow, againEvery.lost), { until: (isFound) => isFound })
  yield* Effect.ignore(Effect.timeout(untilFound, startWithin))
  yield* Effect.forkScoped(Effect.forever(watch))

  return (): Socket => {
    const { host, port } = current
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs })
    sockets.set(socket, current)
    socket.once("close", () => {
      sockets.delete(socket)
      lost.openUnsafe()
    })
    return socket
  }
})

const takesWrites = (config: PgClient.PgClientConfig, { host, port }: DatabaseHost) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make({ ...config, host, port })
      const [row] = yield* connection.queryValues(
        "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'",
        []
      )
      return row?.[0] === true
    })
  ).pipe(
    Effect.timeout(answerWithin),
    Effect.catchCause(() => Effect.succeed(false))
  )
