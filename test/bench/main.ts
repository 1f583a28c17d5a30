import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"
import { redisServer } from "../kit/redis.ts"
import { growth } from "./growth.ts"
import { alone, bareRatios, cold, hot, idle, lostLimits, mixedLoads, single } from "./modes.ts"
import type { Servers, Starts } from "./modes.ts"
import { startServer } from "./processes.ts"
import type { Server } from "./processes.ts"
import { say } from "./say.ts"
import { keyOf, policyOf, seed } from "./seed.ts"
import { organizations, roundMs, rounds, runs, warmingMs } from "./sizes.ts"
import { starts } from "./starts.ts"
import { hasWrk } from "./wrk.ts"
import { prepareYardstick } from "./yardstick.ts"

const main = Effect.scoped(
  Effect.gen(function* () {
    say(
      `${rounds} alternating rounds of ${roundMs / 1_000} s after ${warmingMs / 1_000} s of warming: medians, ` +
        `with the lowest and highest ratio; ${cpus().length} cores; load by ${hasWrk ? "wrk" : "the bench itself"}`
    )
    const folder = yield* temporaryFolder
    if (runs("starts")) yield* Effect.promise(() => starts(join(folder, "start")))
    const dataDir = join(folder, "data")
    const connection = yield* startEmbedded({ dataDir, role: "command" })
    if (!("folder" in connection)) return
    yield* seed(connection, organizations)
    const redisUrl = Redacted.value((yield* redisServer).url)
    const environment = { DATA_DIR: dataDir, PORT: "0", REDIS_URL: redisUrl, LOG_LEVEL: "error" }
    const start = () => startServer("apps/http/main.ts", environment)
    if (runs("idle"))
      yield* Effect.scoped(Effect.flatMap(running(start), (server) => Effect.promise(() => idle(server))))
    const calling = runs("hot") || runs("lost") || runs("mix") || runs("reads") || runs("bare")
    if (calling || runs("cold")) {
      const place = { folder, connection, redisUrl: `${redisUrl}/1` }
      const yardstick = yield* prepareYardstick(place)
      if (runs("cold")) yield* Effect.promise(() => cold({ start, yardstick }))
      if (calling)
        yield* Effect.scoped(Effect.flatMap(serversOf({ start, yardstick }), (all) => loads(all, redisUrl)))
    }
    if (runs("growth")) yield* growth({ connection, redisUrl, start })
  })
)

/** Every mode that calls servers which stay up. */
const loads = Effect.fnUntraced(function* (servers: Servers, redisUrl: string) {
  if (runs("hot")) yield* Effect.promise(() => hot(servers))
  if (runs("lost")) yield* Effect.promise(() => lostLimits(servers, redisUrl))
  if (runs("mix")) yield* Effect.promise(() => alone(servers, mixedLoads))
  if (runs("reads")) yield* Effect.promise(() => alone(servers, single))
  if (runs("bare")) yield* Effect.promise(() => bareRatios(servers))
})

const serversOf = Effect.fnUntraced(function* ({ start, yardstick }: Starts) {
  const ours = yield* running(start)
  const size = yield* sizeOfPolicy(ours)
  const bare = yield* running(() => startServer("test/bench/bare.ts", {}, String(size)))
  const rival = yardstick && { yardstick, server: yield* running(yardstick.start) }
  return { ours, bare, rival }
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "coverage-bench-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const running = (start: () => Promise<Server>) =>
  Effect.acquireRelease(Effect.promise(start), (server) => Effect.promise(server.stop))

/** The bare server answers as many characters. */
const sizeOfPolicy = (ours: Server) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${keyOf(1)}` }
    return (await (await fetch(`${ours.url}/api/v1/policies/${policyOf(1)}`, { headers })).text()).length
  })

NodeRuntime.runMain(main as Effect.Effect<void, unknown>)
