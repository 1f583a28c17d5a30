import { load, requestText } from "./load.ts"
import type { Outcome } from "./load.ts"
import { cpuOf, familyOf } from "./processes.ts"
import type { Server } from "./processes.ts"
import { roundMs } from "./sizes.ts"

/** One round: microseconds of CPU for each call, by Node alone and by all the machine's parts in it. */
export interface Sample {
  readonly node: number
  readonly machine: number
  readonly outcome: Outcome
}

/** What a round asks of a server; `stores` are the processes whose work counts as the machine's. */
export interface Round {
  readonly server: Server
  readonly stores: ReadonlyArray<number>
  readonly requests: ReadonlyArray<string>
  readonly connections: number
  /** As of a load. */
  readonly passes?: number
}

/** The whole load of the bare server, which answers any request alike. */
export const bareRequests = [requestText("/", undefined)]

/** Loads a server for one round. */
export const measure = async (round: Round): Promise<Sample> => {
  const { server, stores, requests, connections } = round
  const machine = () => [...parts(server, stores)].reduce((sum, pid) => sum + cpuOf(pid), 0)
  const [nodeBefore, machineBefore] = [cpuOf(server.pid), machine()]
  const port = Number(new URL(server.url).port)
  const limits =
    round.passes === undefined ? { durationMs: roundMs } : { durationMs: 60_000, passes: round.passes }
  const outcome = await load({ port, connections, requests, ...limits })
  const [node, all] = [cpuOf(server.pid) - nodeBefore, machine() - machineBefore]
  return { node: node / outcome.calls, machine: all / outcome.calls, outcome }
}

/** Each process once, though a store's children, which come and go, may be named beside it. */
const parts = (server: Server, stores: ReadonlyArray<number>): ReadonlySet<number> =>
  new Set([server.pid, ...stores.flatMap(familyOf)])
