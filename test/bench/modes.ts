import { Redis } from "ioredis"
import { alternate, compare, figuresOf, judge, ratio, sayPairs } from "./compare.ts"
import type { Bar } from "./compare.ts"
import { requestText } from "./load.ts"
import { bareRequests, cpuUsed, measure } from "./measure.ts"
import type { Sample } from "./measure.ts"
import { memoryOf } from "./processes.ts"
import type { Server } from "./processes.ts"
import { say } from "./say.ts"
import { coldMs, connections, idleMs, lostMs, roundMs, rounds, settlingMs, warmingMs } from "./sizes.ts"
import { mix, policyReads, reads, works, yardstickReads } from "./works.ts"
import type { Yardstick } from "./yardstick.ts"

/** A yardstick that runs. */
export interface RunningYardstick {
  readonly yardstick: Yardstick
  readonly server: Server
}

/** The servers of a run, all warm or about to be; without a yardstick, bare is what ours is compared with. */
export interface Servers {
  readonly ours: Server
  readonly bare: Server
  readonly rival: RunningYardstick | undefined
}

/** Requests per second of servers that have run for a while and whose stores keep what they know. */
export const hot = async ({ ours, bare, rival }: Servers): Promise<void> => {
  for (const work of works) {
    const common = { connections: work.connections, durationMs: roundMs }
    const other =
      rival === undefined
        ? { ...common, server: bare, requests: bareRequests }
        : { ...common, server: rival.server, requests: work.yardstick(rival.yardstick) }
    const pairs = await compare({ ours: { ...common, server: ours, requests: work.ours }, other })
    const bar = rival === undefined ? {} : { atLeast: work.bar }
    const of = rival === undefined ? "bare" : "the yardstick"
    sayPairs(`hot ${work.what}, ${connectionsText(work.connections)}`, { pairs, bar, of })
  }
}

const connectionsText = (count: number) => `${count} connection${count === 1 ? "" : "s"}`

/** How ours and the yardstick are started. */
export interface Starts {
  readonly start: () => Promise<Server>
  readonly yardstick: Yardstick | undefined
}

/** The first seconds of a server that has just begun to listen, against those of the same one when warm. */
export const cold = async ({ start, yardstick }: Starts): Promise<void> => {
  const sides = [
    { what: "ours", start, requests: policyReads, bar: { atLeast: 0.6 } },
    ...(yardstick === undefined
      ? []
      : [{ what: "the yardstick", start: yardstick.start, requests: yardstickReads(yardstick), bar: {} }])
  ]
  for (const { what, start: startOne, requests, bar } of sides) {
    const [ours, other]: [Array<Sample>, Array<Sample>] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const server = await startOne()
      const common = { connections, requests, server, durationMs: coldMs }
      ours.push(await measure(common))
      await measure({ ...common, durationMs: warmingMs - coldMs })
      other.push(await measure(common))
      await server.stop()
    }
    const title = `cold GET policy of ${what}, first ${coldMs / 1_000} s`
    sayPairs(title, { pairs: { ours, other }, bar, of: "its own hot" })
  }
}

const sideOf = ({ yardstick, server }: RunningYardstick) => ({
  server,
  requests: yardstickReads(yardstick)
})

/** The seconds after the limits' store lost its data, against those before. */
export const lostLimits = async ({ ours, rival }: Servers, redisUrl: string): Promise<void> => {
  const sides = [
    { what: "ours", server: ours, requests: policyReads, bar: { atLeast: 0.8 } },
    ...(rival === undefined ? [] : [{ what: "the yardstick", ...sideOf(rival), bar: {} }])
  ]
  for (const { what, server, requests, bar } of sides) {
    const common = { connections, requests, server, durationMs: lostMs }
    await measure({ ...common, durationMs: warmingMs })
    const after = async (): Promise<Sample> => {
      const redis = new Redis(redisUrl)
      await redis.flushall().finally(() => redis.disconnect())
      return measure(common)
    }
    const pairs = await alternate({ ours: after, other: () => measure(common) })
    sayPairs(`GET policy of ${what} after the limits were lost, ${lostMs / 1_000} s`, {
      pairs,
      bar,
      of: "its own hot"
    })
  }
}

/** Ours alone: what a call of these costs. */
export const alone = async (
  { ours }: Servers,
  loads: ReadonlyArray<{ readonly what: string; readonly ours: ReadonlyArray<string> }>
): Promise<void> => {
  for (const { what, ours: requests } of loads) {
    const round = { server: ours, requests, connections, durationMs: roundMs }
    await measure({ ...round, durationMs: warmingMs })
    const samples: Array<Sample> = []
    for (let index = 0; index < rounds; index++) samples.push(await measure(round))
    say(`${what}, ${connectionsText(connections)}: ${figuresOf(samples)}`)
  }
}

/** The loads of the modes `mix` and `reads`. */
export const mixedLoads = [
  { what: "mix of 60 % policy, 20 % code, 10 % evaluate, 5 % search, 5 % PATCH", ours: mix }
]
export const single = reads

/** CPU of Node against a server that does nothing but answer. */
export const bareRatios = async ({ ours, bare }: Servers): Promise<void> => {
  const rows: ReadonlyArray<{ what: string; requests: ReadonlyArray<string>; bar: Bar }> = [
    { what: "health", requests: [requestText("/api/v1/health", undefined)], bar: { atMost: 1.7 } },
    {
      what: "401 of a mistyped key",
      requests: [requestText("/api/v1/policies/L33831", "svc_live_mistyped")],
      bar: { atMost: 1.7 }
    },
    { what: "GET policy", requests: policyReads, bar: {} }
  ]
  for (const { what, requests, bar } of rows) {
    const common = { connections, durationMs: roundMs }
    const pairs = await compare({
      ours: { ...common, server: ours, requests },
      other: { ...common, server: bare, requests: bareRequests }
    })
    say(
      `${what}: Node CPU ${ratio(pairs, ({ node }) => node, bar)} bare\n` +
        `    ours  ${figuresOf(pairs.ours)}\n    bare  ${figuresOf(pairs.other)}`
    )
  }
}

/** Memory, and CPU of all parts, of a server that nobody calls. */
export const idle = async (server: Server): Promise<void> => {
  await sleep(settlingMs)
  const before = cpuUsed(server)
  await sleep(idleMs)
  const after = cpuUsed(server)
  const percent = (part: keyof typeof after) => (after[part] - before[part]) / (idleMs * 10)
  const [node, postgres, redis] = [percent("node"), percent("postgres"), percent("redis")]
  const all = node + postgres + redis
  const memory = memoryOf(server.pid)
  say(
    `idle: ${all.toFixed(1)} % of a core${judge(all, { atMost: 2 })}; Node/PostgreSQL/Redis ` +
      `${node.toFixed(1)}/${postgres.toFixed(1)}/${redis.toFixed(1)}; ` +
      `${memory.toFixed(0)} MB of Node${judge(memory, { atMost: 250 })}`
  )
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
