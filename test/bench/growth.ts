import * as Effect from "effect/Effect"
import type { Connection } from "../../adapters/postgres/Database.ts"
import { median, requestText } from "./load.ts"
import { measure } from "./measure.ts"
import type { Server } from "./processes.ts"
import { policy } from "./rows.ts"
import { say } from "./say.ts"
import { keyOf, seed } from "./seed.ts"
import { connections, grown, organizations, rounds } from "./sizes.ts"

/** Whom a fresh server meets before anything is measured, until its code is compiled, and whom after it. */
const acquaintances = 2_000
const strangersEach = 3_000
const warmingRounds = 4

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

/**
 * Microseconds of the whole machine for each call by somebody whom the server has not met: the median of
 * rounds that each begin with a fresh server. Each stranger calls once.
 */
const strangers = async (
  among: number,
  start: () => Promise<Server>,
  stores: ReadonlyArray<number>
): Promise<number> => {
  const figures: Array<number> = []
  const step = Math.floor(among / (acquaintances + strangersEach))
  for (let round = 0; round < rounds; round++) {
    const server = await start()
    const requests = Array.from({ length: acquaintances + strangersEach }, (_, index) =>
      requestText(policy, keyOf((index * step + round) % among))
    )
    const met = { server, stores, requests: requests.slice(0, acquaintances), connections }
    for (let warming = 0; warming < warmingRounds; warming++) await measure(met)
    const unmet = { ...met, requests: requests.slice(acquaintances), passes: 1 }
    figures.push((await measure(unmet)).machine)
    await server.stop()
  }
  return median(figures)
}
