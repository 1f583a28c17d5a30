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
  await warmed(serviceRound)
  for (let round = 0; round < rounds; round++) {
    plain.push(await measure(plainRound))
    service.push(await measure(serviceRound))
  }
  say(reportOf(row, plain, service))
}

/** Every request is made once before anything is measured: a service that runs knows its callers. */
const warmed = async (round: Round): Promise<void> => {
  let calls = 0
  for (let time = 0; time < warmingRoundsMax && calls < round.requests.length; time++) {
    calls += (await measure(round)).outcome.calls
  }
}

const warmingRoundsMax = 10

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
