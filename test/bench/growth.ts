import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Redis } from "ioredis"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { median, requestText } from "./load.ts"
import { measure } from "./measure.ts"
import type { Server } from "./processes.ts"
import { policy } from "./rows.ts"
import { say } from "./say.ts"
import { keyOf, seed } from "./seed.ts"
import { connections, grown, organizations } from "./sizes.ts"

/** Whom a fresh server meets before anything is measured, until its code is compiled, and whom after it. */
const acquaintances = 2_000
const strangersEach = 3_000
const warmingRounds = 8
/** Fresh servers whose medians are compared. */
const servers = 5

/** What the strangers call: the database, its Redis, and how a server over both is started. */
export interface Grounds {
  readonly connection: Connection
  readonly redisUrl: string
  readonly start: () => Promise<Server>
  readonly stores: ReadonlyArray<number>
}

/**
 * Key lookup and charge by callers whom the process has not met, among few organizations and among many: what
 * a call costs must not follow how many customers there are. Every server starts with a Redis that knows
 * nobody and after a checkpoint, so that each stranger's call is the first of its day and logs the pages that
 * it touches first, among few as among many.
 */
export const growth = (grounds: Grounds) =>
  Effect.gen(function* () {
    const few = yield* strangers(organizations, grounds)
    yield* seed(grounds.connection, grown)
    const many = yield* strangers(grown, grounds)
    say(
      `key lookup and charge at ${grown} organizations against ${organizations}: whole machine ` +
        `${(many / few).toFixed(2)}x (bar 1.5x; ${many.toFixed(0)} against ${few.toFixed(0)} µs)`
    )
  })

/**
 * Microseconds of the whole machine for each call by somebody whom the server has not met: the median of
 * servers that are each asked once by every stranger.
 */
const strangers = Effect.fnUntraced(function* (
  among: number,
  { connection, redisUrl, start, stores }: Grounds
) {
  const figures: Array<number> = []
  const step = Math.floor(among / (acquaintances + strangersEach))
  for (let round = 0; round < servers; round++) {
    yield* afresh(connection, redisUrl)
    const requests = Array.from({ length: acquaintances + strangersEach }, (_, index) =>
      requestText(policy, keyOf((index * step + round) % among))
    )
    const asked = async (): Promise<number> => {
      const server = await start()
      const met = { server, stores, requests: requests.slice(0, acquaintances), connections }
      for (let warming = 0; warming < warmingRounds; warming++) await measure(met)
      const { machine } = await measure({ ...met, requests: requests.slice(acquaintances), passes: 1 })
      await server.stop()
      return machine
    }
    figures.push(yield* Effect.promise(asked))
  }
  return median(figures)
})

const afresh = (connection: Connection, redisUrl: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* PgClient.make({ ...Database.address(connection), maxConnections: 1 }).pipe(
        Effect.provide(Reactivity.layer)
      )
      yield* sql.unsafe("checkpoint")
      const redis = new Redis(redisUrl)
      yield* Effect.promise(() => redis.flushall().finally(() => redis.disconnect()))
    })
  )
