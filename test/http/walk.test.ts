import { Session } from "node:inspector/promises"
import type { Profiler } from "node:inspector/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import { DayUses } from "../../core/port/DayUses.ts"
import { dailyUsageBackfill } from "../../core/call/dailyUsageBackfill.ts"
import { failoverLimits, rejectionCache } from "../../core/call/limits.ts"
import { projectRoot } from "../architecture/Source.ts"
import { readWalks } from "../architecture/walks.ts"
import { redisLayer } from "../kit/redis.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inPostgres } from "./stores.ts"

/** The limits as a server over Redis composes them. Nothing was used of the day before. */
const shared = rejectionCache(RedisLimits.layer({ clock: "server" }).pipe(Layer.provide(redisLayer)))
const limits = dailyUsageBackfill(failoverLimits({ shared, local: MemoryLimits.layer, nodes: 1 })).pipe(
  Layer.provide(Layer.succeed(DayUses, { read: () => Effect.succeed(0) }))
)
const ports = Layer.mergeAll(inPostgres, limits, healthy)
let serving: ServedApp<Layer.Success<typeof ports>>
const session = new Session()

beforeAll(async () => {
  serving = await serve(ports)
  await serving.run(seedLibrary)
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
})
afterAll(() => {
  session.disconnect()
  return serving.close()
})

/** A library is taken to have settled, and answers about it are kept, when it has stood for so long. */
const settledMs = 2_300

it("a hot read passes the files that docs/architecture.md names, and no other", { retry: 3 }, async () => {
  const { key } = await serving.run(customer({ pack: "scale" }))
  const call = () =>
    fetch(`${serving.url}/api/v1/policies/L33831`, { headers: { authorization: `Bearer ${key}` } }).then(
      (response) => response.text()
    )
  await call()
  await filesIn(settledMs)
  await call()
  await filesIn(500)
  // What runs by itself, for as long as nobody calls.
  const idle = await filesIn(1_000)
  await call()
  await call()
  await filesIn(0)
  expect(JSON.parse(await call())).toMatchObject({ success: true })
  const run = await filesIn(0)
  const named = (readWalks().get("a hot read") ?? []).map(({ path }) => path)
  expect(named.filter((path) => !run.has(path))).toEqual([])
  expect([...run].filter(([path, isNamed]) => isNamed && !idle.has(path) && !named.includes(path))).toEqual(
    []
  )
})

/** The files that ran since this was called last, until `ms` from now, and whether a named function did. */
const filesIn = async (ms: number): Promise<ReadonlyMap<string, boolean>> => {
  await new Promise((resolve) => setTimeout(resolve, ms))
  const { result } = await session.post("Profiler.takePreciseCoverage")
  return new Map(
    result.flatMap(({ functions, url }) => {
      const path = url.replace(/^file:\/\//, "").replace(projectRoot, "")
      const run = functions.filter(hasRun)
      // Vitest puts a nameless function around each export, which runs whenever the export is used.
      return /^(core|adapters)\//.test(path) && run.length > 0
        ? [[path, run.some(({ functionName }) => functionName !== "")] as const]
        : []
    })
  )
}

const hasRun = ({ ranges }: Profiler.FunctionCoverage): boolean => (ranges[0]?.count ?? 0) > 0
