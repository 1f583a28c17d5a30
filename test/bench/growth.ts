import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Redis } from "ioredis"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { judge } from "./compare.ts"
import { median, requestText } from "./load.ts"
import { measure } from "./measure.ts"
import type { Server } from "./processes.ts"
import { say } from "./say.ts"
import { keyOf, seed } from "./seed.ts"
import { connections, grownOrganizations, organizations } from "./sizes.ts"

/** Whom a fresh server meets before anything is measured, until its code is compiled, and whom after it. */
const acquaintances = 2_000
const strangersEach = 3_000
const warmingMs = 8_000
/** Fresh servers whose medians are compared. */
const servers = 5

/** What the strangers call: the database, its Redis, and how a server over both is started. */
export interface Grounds {
  readonly connection: Connection
  readonly redisUrl: string
  readonly start: () => Promise<Server>
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
    yield* seed(grounds.connection, grownOrganizations)
    const many = yield* strangers(grownOrganizations, grounds)
    say(
      `key lookup and charge at ${grownOrganizations} organizations against ${organizations}: ` +
        `whole machine ` +
        `${(many / few).toFixed(2)}x${judge(many / few, { atMost: 1.5 })} ` +
        `(${many.toFixed(0)} against ${few.toFixed(0)} µs)`
    )
  })

/**
 * Microseconds of the whole machine for each call by somebody whom the server has not met: the median of
 * servers that are each asked once by every stranger.
 */
const strangers = Effect.fnUntraced(function* (among: number, { connection, redisUrl, start }: Grounds) {
  const figures: Array<number> = []
  const step = Math.floor(among / (acquaintances + strangersEach))
  for (let round = 0; round < servers; round++) {
    yield* afresh(connection, redisUrl)
    const requests = Array.from({ length: acquaintances + strangersEach }, (_, index) =>
      requestText("/api/v1/policies/L33831", keyOf((index * step + round) % among))
    )
    const asked = async (): Promise<number> => {
      const server = await start()
      const met = { server, requests: requests.slice(0, acquaintances), connections }
      await measure({ ...met, durationMs: warmingMs })
      const { node, postgres, redis } = await measure({
        ...met,
        requests: requests.slice(acquaintances),
        durationMs: 60_000,
        passes: 1
      })
      await server.stop()
      return node + postgres + redis
    }
    figures.push(yield* Effect.promise(asked))
  }
  return median(figures)
})

const afresh = (connection: Connection, redisUrl: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* PgClient.make({ ...(yield* Database.address(connection)), maxConnections: 1 }).pipe(
        Effect.provide(Reactivity.layer)
      )
      yield* sql.unsafe("checkpoint")
      const redis = new Redis(redisUrl)
      yield* Effect.promise(() => redis.flushall().finally(() => redis.disconnect()))
    })
  )
