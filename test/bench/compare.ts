import { median } from "./load.ts"
import { bareRequests, measure } from "./measure.ts"
import type { Round, Sample } from "./measure.ts"
import type { Server } from "./processes.ts"
import type { Row } from "./rows.ts"
import { say } from "./say.ts"
import { connections, roundMs, rounds } from "./sizes.ts"

/** The two servers of a comparison, and the stores behind ours. */
export interface Pair {
  readonly bare: Server
  readonly ours: Server
  readonly stores: ReadonlyArray<number>
}

/**
 * Alternates short rounds of bare and ours, so that a noisy machine is noisy for both; medians are compared.
 */
export const compare = async ({ bare, ours, stores }: Pair, row: Row): Promise<void> => {
  const [plain, service]: [Array<Sample>, Array<Sample>] = [[], []]
  const plainRound = { server: bare, stores: [], requests: bareRequests, connections }
  const serviceRound = { server: ours, stores, requests: row.requests, connections }
  await warmed(plainRound)
  await warmed(serviceRound)
  for (let round = 0; round < rounds; round++) {
    plain.push(await measure(plainRound))
    service.push(await measure(serviceRound))
  }
  say(reportOf(row, plain, service))
}

/**
 * What is compared is a service that runs: it has met every caller, and its code is compiled. Rounds are
 * thrown away until two in a row cost no less than the best before them.
 */
const warmed = async (round: Round): Promise<void> => {
  let [calls, best, idle] = [0, Number.POSITIVE_INFINITY, 0]
  for (let time = 0; time < warmingRoundsMax && (idle < 2 || calls < round.requests.length); time++) {
    const { node, outcome } = await measure(round)
    calls += outcome.calls
    idle = node < best * (1 - noise) ? 0 : idle + 1
    best = Math.min(best, node)
  }
}

const warmingRoundsMax = 20
/** A smaller gain between two rounds is chance. */
const noise = 0.03

const reportOf = (row: Row, plain: ReadonlyArray<Sample>, service: ReadonlyArray<Sample>): string => {
  const of = (samples: ReadonlyArray<Sample>, pick: (sample: Sample) => number) => median(samples.map(pick))
  const [node, base] = [of(service, (one) => one.node), of(plain, (one) => one.node)]
  const machine = (of(service, (one) => one.machine) / base).toFixed(2)
  const wrong = service
    .flatMap(({ outcome }) => [...outcome.statuses])
    .filter(([status]) => status !== row.expects)
  return (
    `${row.what}: Node CPU ${(node / base).toFixed(2)}x bare ` +
    `(bar ${row.bar}x; ${node.toFixed(0)} against ${base.toFixed(0)} µs)` +
    (row.machineBar === undefined ? "" : `, whole machine ${machine}x (bar ${row.machineBar}x)`) +
    `, ${Math.round((of(service, (one) => one.outcome.calls) / roundMs) * 1_000)} calls/s` +
    (wrong.length === 0 ? "" : `; OTHER STATUSES: ${JSON.stringify(wrong)}`)
  )
}
