import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { embedded } from "../../adapters/postgres/embedded.ts"
import { redisServer } from "../kit/redis.ts"
import { load, median, requestText } from "./load.ts"
import type { Outcome } from "./load.ts"
import { cpuOf, familyOf, memoryOf, startServer } from "./processes.ts"
import type { Server } from "./processes.ts"
import { keyOf, seed } from "./seed.ts"

const organizations = Number(process.env["BENCH_ORGANIZATIONS"] ?? 5_000)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const roundMs = 2_000
const connections = 32
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** One figure: what is measured, the bar it should stay under (performance), and its requests. */
interface Row {
  readonly what: string
  readonly bar: number
  readonly machineBar?: number
  readonly requests: ReadonlyArray<string>
  readonly expects: number
}

const policy = "/api/v1/policies/L33831"
const everybody = Array.from({ length: organizations }, (_, number) => requestText(policy, keyOf(number)))
const rows: ReadonlyArray<Row> = [
  {
    what: `GET policy, ${organizations} organizations`,
    bar: 4,
    machineBar: 7,
    requests: everybody,
    expects: 200
  },
  {
    what: "429 flood of one organization",
    bar: 2.5,
    requests: [requestText(policy, keyOf(0))],
    expects: 429
  },
  { what: "health", bar: 1.7, requests: [requestText("/api/v1/health", undefined)], expects: 200 },
  {
    what: "401 of a mistyped key",
    bar: 1.7,
    requests: [requestText(policy, "svc_live_mistyped")],
    expects: 401
  }
]

interface Sample {
  readonly node: number
  readonly machine: number
  readonly outcome: Outcome
}

const measure = async (
  server: Server,
  others: ReadonlyArray<number>,
  requests: ReadonlyArray<string>,
  wide = true
): Promise<Sample> => {
  const machine = () => [server.pid, ...others.flatMap(familyOf)].reduce((sum, pid) => sum + cpuOf(pid), 0)
  const [nodeBefore, machineBefore] = [cpuOf(server.pid), machine()]
  const outcome = await load({
    port: Number(new URL(server.url).port),
    connections: wide ? connections : 1,
    requests,
    durationMs: roundMs
  })
  const [node, all] = [cpuOf(server.pid) - nodeBefore, machine() - machineBefore]
  return { node: node / outcome.calls, machine: all / outcome.calls, outcome }
}

/**
 * Alternates short rounds of bare and ours, so that a noisy machine is noisy for both; medians are compared.
 */
const compare = async (
  bare: Server,
  ours: Server,
  stores: ReadonlyArray<number>,
  row: Row
): Promise<void> => {
  const [plain, service]: [Array<Sample>, Array<Sample>] = [[], []]
  await measure(ours, stores, row.requests)
  for (let round = 0; round < rounds; round++) {
    plain.push(await measure(bare, [], [requestText("/", undefined)]))
    service.push(await measure(ours, stores, row.requests))
  }
  const of = (samples: ReadonlyArray<Sample>, pick: (sample: Sample) => number) => median(samples.map(pick))
  const [node, base] = [of(service, (one) => one.node), of(plain, (one) => one.node)]
  const wrong = service
    .flatMap(({ outcome }) => [...outcome.statuses])
    .filter(([status]) => status !== row.expects)
  say(
    `${row.what}: Node CPU ${(node / base).toFixed(2)}x bare (bar ${row.bar}x; ${node.toFixed(0)} against ${base.toFixed(0)} µs)` +
      (row.machineBar === undefined
        ? ""
        : `, whole machine ${(of(service, (one) => one.machine) / base).toFixed(2)}x (bar ${row.machineBar}x)`) +
      `, ${Math.round((of(service, (one) => one.outcome.calls) / roundMs) * 1_000)} calls/s` +
      (wrong.length === 0 ? "" : `; OTHER STATUSES: ${JSON.stringify(wrong)}`)
  )
}

const oneConnection = async (bare: Server, ours: Server): Promise<void> => {
  const [plain, service]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round++) {
    plain.push((await measure(bare, [], [requestText("/", undefined)], false)).outcome.p50Microseconds)
    service.push((await measure(ours, [], everybody, false)).outcome.p50Microseconds)
  }
  say(
    `one connection, p50 of GET policy: ${(median(service) / median(plain)).toFixed(1)}x bare ` +
      `(${median(service).toFixed(0)} against ${median(plain).toFixed(0)} µs)`
  )
}

const starts = async (folder: string): Promise<void> => {
  const environment = { DATA_DIR: join(folder, "start"), PORT: "0", LOG_LEVEL: "error" }
  const first = await startServer("apps/http/main.ts", environment)
  await first.stop()
  const later: Array<number> = []
  let memory = 0
  for (let time = 0; time < 3; time++) {
    const beganMs = performance.now()
    const server = await startServer("apps/http/main.ts", environment)
    await fetch(`${server.url}/api/v1/health`)
    later.push(performance.now() - beganMs)
    memory = memoryOf(server.pid)
    await server.stop()
  }
  say(
    `start to first answer, embedded: first ${(first.startMs / 1_000).toFixed(2)} s, second ${(median(later) / 1_000).toFixed(2)} s (bar 1.5 s)`
  )
  say(`idle memory, embedded: ${memory.toFixed(0)} MB of Node (bar 250 MB)`)
}

const main = Effect.scoped(
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "coverage-bench-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    say(
      `Ratios to a bare node:http server of the same run; ${rounds} alternating rounds of ${roundMs / 1_000} s, medians; ` +
        `${connections} connections; ${cpus().length} cores. The load's own CPU is not counted.`
    )
    yield* Effect.promise(() => starts(folder))
    const dataDir = join(folder, "data")
    const connection = yield* embedded({ dataDir, role: "command" })
    yield* seed(connection, organizations)
    const redis = yield* redisServer
    const environment = {
      DATA_DIR: dataDir,
      PORT: "0",
      REDIS_URL: Redacted.value(redis.url),
      LOG_LEVEL: "error"
    }
    const ours = yield* Effect.acquireRelease(
      Effect.promise(() => startServer("apps/http/main.ts", environment)),
      (server) => Effect.promise(server.stop)
    )
    const answer = yield* Effect.promise(() =>
      fetch(ours.url + policy, { headers: { authorization: `Bearer ${keyOf(1)}` } })
    )
    const size = (yield* Effect.promise(() => answer.text())).length
    const bare = yield* Effect.acquireRelease(
      Effect.promise(() => startServer("test/bench/bare.ts", {}, String(size))),
      (server) => Effect.promise(server.stop)
    )
    const stores = storesOf(ours.pid)
    for (const row of rows) yield* Effect.promise(() => compare(bare, ours, stores, row))
    yield* Effect.promise(() => oneConnection(bare, ours))
  })
)

/**
 * PostgreSQL and Redis of this run: everything this process started, but for the servers that are measured.
 */
const storesOf = (server: number): ReadonlyArray<number> =>
  familyOf(process.pid).filter((pid) => pid !== process.pid && !familyOf(server).includes(pid))

await Effect.runPromise(main as Effect.Effect<void, unknown>)
