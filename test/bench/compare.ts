import { median } from "./load.ts"
import { bareRequests, measure } from "./measure.ts"
import type { Round, Sample } from "./measure.ts"
import type { Server } from "./processes.ts"
import type { Row } from "./rows.ts"
import { say } from "./say.ts"
import { roundMs, rounds, warmingMs } from "./sizes.ts"

/** The two servers of a comparison, and the stores behind ours. */
export interface Pair {
  readonly bare: Server
  readonly ours: Server
  readonly stores: ReadonlyArray<number>
}

/** A round of bare and the round of ours beside it. */
interface Beside {
  readonly plain: Sample
  readonly service: Sample
}

/**
 * Alternates short rounds of bare and ours. A noisy machine is noisy for both rounds of a pair, so each pair
 * is a ratio of its own, and the median of these is told, with the middle half of them.
 */
export const compare = async ({ bare, ours, stores }: Pair, row: Row): Promise<void> => {
  const { requests, connections } = row
  const plainRound = { server: bare, stores: [], requests: bareRequests, connections }
  const serviceRound = { server: ours, stores, requests, connections }
  await warmed(plainRound)
  await warmed(serviceRound)
  const pairs: Array<Beside> = []
  for (let round = 0; round < rounds; round++)
    pairs.push({ plain: await measure(plainRound), service: await measure(serviceRound) })
  say(reportOf(row, pairs))
}

/** What is compared is a service that runs: it has met every caller, and its code is compiled. */
const warmed = async (round: Round): Promise<void> => {
  const untilMs = performance.now() + warmingMs
  for (let calls = 0; calls < round.requests.length || performance.now() < untilMs; )
    calls += (await measure(round)).outcome.calls
}

const reportOf = (row: Row, pairs: ReadonlyArray<Beside>): string => {
  const node = spreadOf(pairs.map(({ plain, service }) => service.node / plain.node))
  const machine = spreadOf(pairs.map(({ plain, service }) => service.machine / plain.node))
  const [ours, bare] = [pairs.map(({ service }) => service.node), pairs.map(({ plain }) => plain.node)]
  const calls = median(pairs.map(({ service }) => service.outcome.calls))
  const wrong = pairs
    .flatMap(({ service }) => [...service.outcome.statuses])
    .filter(([status]) => status !== row.expects)
  return (
    `${row.what}, ${row.connections} connections: Node CPU ${node} bare ` +
    `(bar ${row.bar}x; ${median(ours).toFixed(0)} against ${median(bare).toFixed(0)} µs)` +
    (row.machineBar === undefined ? "" : `, whole machine ${machine} (bar ${row.machineBar}x)`) +
    `, ${Math.round((calls / roundMs) * 1_000)} calls/s` +
    (wrong.length === 0 ? "" : `; OTHER STATUSES: ${JSON.stringify(wrong)}`)
  )
}

/** The median, and between which two the middle half lies. */
const spreadOf = (ratios: ReadonlyArray<number>): string => {
  const sorted = ratios.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2)
  return `${median(ratios).toFixed(2)}x (${at(0.25)} to ${at(0.75)})`
}
