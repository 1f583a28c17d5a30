import * as Effect from "effect/Effect"
import type { Connection } from "../../adapters/postgres/Database.ts"
import { median, requestText } from "./load.ts"
import { measure } from "./measure.ts"
import type { Server } from "./processes.ts"
import { policy } from "./rows.ts"
import { say } from "./say.ts"
import { keyOf, seed } from "./seed.ts"
import { connections, grown, organizations, rounds } from "./sizes.ts"

/** How many different callers each round has; a fresh server knows none of their keys. */
const callers = 20_000

/**
 * Key lookup and charge by callers whom the process has not met, among few organizations and among many: what
 * a call costs must not follow how many customers there are.
 */
export const growth = (connection: Connection, start: () => Promise<Server>, stores: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const few = yield* Effect.promise(() => strangers(organizations, start, stores))
    yield* seed(connection, grown)
    const many = yield* Effect.promise(() => strangers(grown, start, stores))
    say(
      `key lookup and charge at ${grown} organizations against ${organizations}: whole machine ` +
        `${(many / few).toFixed(2)}x (bar 1.5x; ${many.toFixed(0)} against ${few.toFixed(0)} µs)`
    )
  })

/** Microseconds of the whole machine for each call, the median of rounds that each meet a fresh server. */
const strangers = async (
  among: number,
  start: () => Promise<Server>,
  stores: ReadonlyArray<number>
): Promise<number> => {
  const figures: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const server = await start()
    const step = Math.max(1, Math.floor(among / callers))
    const numbers = Array.from({ length: callers }, (_, index) => (index * step + round) % among)
    const requests = numbers.map((number) => requestText(policy, keyOf(number)))
    figures.push((await measure({ server, stores, requests, connections })).machine)
    await server.stop()
  }
  return median(figures)
}
