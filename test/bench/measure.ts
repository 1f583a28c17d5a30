import { requestText } from "./load.ts"
import type { Outcome } from "./load.ts"
import { cpuOf, familyOf, programOf } from "./processes.ts"
import type { Server } from "./processes.ts"
import { send } from "./wrk.ts"

/** One round: calls a second, and microseconds of CPU for each call by each part of the machine. */
export interface Sample {
  readonly callsPerSecond: number
  readonly node: number
  readonly postgres: number
  readonly redis: number
  readonly outcome: Outcome
}

/** What a round sends to a server. */
export interface Round {
  readonly server: Server
  readonly requests: ReadonlyArray<string>
  readonly connections: number
  readonly durationMs: number
  /** As of a load. */
  readonly passes?: number
}

/** The whole load of the bare server, which answers any request alike. */
export const bareRequests = [requestText("/", undefined)]

/** Microseconds of CPU that a server and the stores of this run have used. */
export interface Cpu {
  readonly node: number
  readonly postgres: number
  readonly redis: number
}

/** All stores are this process's own, so they are found among its children. */
export const cpuUsed = ({ pid }: Server): Cpu => {
  const family = familyOf(process.pid)
  const of = (program: string) =>
    family.filter((one) => programOf(one) === program).reduce((sum, one) => sum + cpuOf(one), 0)
  return { node: cpuOf(pid), postgres: of("postgres"), redis: of("redis-server") }
}

/** Loads a server for one round. */
export const measure = async (round: Round): Promise<Sample> => {
  const { server, requests, connections, durationMs, passes } = round
  const before = cpuUsed(server)
  const port = Number(new URL(server.url).port)
  const limits = passes === undefined ? { durationMs } : { durationMs, passes }
  const outcome = await send({ port, connections, requests, ...limits })
  const after = cpuUsed(server)
  const each = (part: keyof Cpu) => (after[part] - before[part]) / outcome.calls
  const callsPerSecond = outcome.calls / outcome.seconds
  return { callsPerSecond, node: each("node"), postgres: each("postgres"), redis: each("redis"), outcome }
}
