import { execFile, spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { untilAnswers, findBinary } from "./redis.ts"

/** A private Redis Cluster on loopback: three primaries, each with a replica. */
export interface RedisCluster {
  readonly url: Redacted.Redacted
  readonly ports: ReadonlyArray<number>
  /** Kills the primary that holds a key, and tells its port. */
  readonly killPrimaryOf: (key: string) => Promise<number>
  /** Moves the first `movedSlots` slots of the primary that holds a key to another one. */
  readonly moveSlotsOf: (key: string) => Promise<void>
  /** Whether the key is among those that `moveSlotsOf` moves. */
  readonly isMoved: (key: string) => Promise<boolean>
}

const run = promisify(execFile)
const nodes = 6

/** Where a primary is killed, the others notice it soon. */
const nodeTimeoutMs = 2_000

/** Not all that a primary has: one without slots has no vote when another is lost. */
const movedSlots = 4_000

/** For tests that kill no node: a node that is only slow does not count as dead. */
export const patientNodeTimeoutMs = 60_000

/** A cluster that ends with the scope. A node that is silent for `silenceMs` counts as dead. */
export const redisCluster = Effect.fn(function* (silenceMs: number = nodeTimeoutMs) {
  const binary = yield* Effect.sync(findBinary)
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "redis-cluster-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  )
  const ports = yield* Effect.promise(freePorts)
  const running = new Map<number, ChildProcess>()
  yield* Effect.acquireRelease(
    Effect.promise(() =>
      Promise.all(
        ports.map(async (port) => {
          const child = spawn(binary, optionsOf(port, folder, silenceMs), { stdio: "ignore", cwd: folder })
          running.set(port, child)
          await untilAnswers(port, child)
        })
      )
    ),
    () => Effect.promise(() => Promise.all([...running.values()].map(killed)))
  )
  const cli = async (port: number, ...words: Array<string>): Promise<string> =>
    (await run("redis-cli", ["-h", "127.0.0.1", "-p", String(port), ...words])).stdout.trim()
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  yield* Effect.promise(async () => {
    await run("redis-cli", ["--cluster", "create", ...addresses, "--cluster-replicas", "1", "--cluster-yes"])
    const isReady = async (port: number) => (await cli(port, "cluster", "info")).includes("cluster_state:ok")
    for (const port of ports) while (!(await isReady(port))) await new Promise((done) => setTimeout(done, 50))
  })
  const alive = () => ports.find((port) => running.get(port)?.exitCode === null) ?? 0
  const primaryOf = async (key: string) => {
    const port = alive()
    const slot = Number(await cli(port, "cluster", "keyslot", key))
    const primaries = primariesIn(await cli(port, "cluster", "nodes"))
    const owner = primaries.find(({ ranges }) => ranges.some(([from, to]) => slot >= from && slot <= to))
    if (owner === undefined) throw new Error("a primary holds every slot")
    return { owner, slot, others: primaries.filter(({ id }) => id !== owner.id) }
  }
  return {
    url: Redacted.make(`redis-cluster://${addresses.join(",")}`),
    ports,
    killPrimaryOf: async (key) => {
      const { owner } = await primaryOf(key)
      await killed(running.get(owner.port))
      return owner.port
    },
    isMoved: async (key) => {
      const { owner, slot } = await primaryOf(key)
      return slot < (owner.ranges[0]?.[0] ?? 0) + movedSlots
    },
    moveSlotsOf: async (key) => {
      const { others, owner } = await primaryOf(key)
      const to = others[0]?.id ?? ""
      const how = ["--cluster-from", owner.id, "--cluster-to", to, "--cluster-slots", String(movedSlots)]
      await run("redis-cli", ["--cluster", "reshard", `127.0.0.1:${alive()}`, ...how, "--cluster-yes"])
    }
  } satisfies RedisCluster
})

const optionsOf = (port: number, folder: string, silenceMs: number): Array<string> => [
  ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"],
  ...["--cluster-enabled", "yes", "--cluster-config-file", `nodes-${port}.conf`],
  ...["--cluster-node-timeout", String(silenceMs), "--cluster-require-full-coverage", "no"],
  ...["--repl-diskless-sync-delay", "0"]
]

interface Primary {
  readonly id: string
  readonly port: number
  readonly ranges: ReadonlyArray<readonly [number, number]>
}

/** The primaries that live, by `CLUSTER NODES`. */
const primariesIn = (text: string): ReadonlyArray<Primary> =>
  text
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , flags = ""]) => flags.includes("master") && !flags.includes("fail"))
    .map(([id = "", address = "", , , , , , , ...slots]) => ({
      id,
      port: Number(/:(\d+)@/.exec(address)?.[1]),
      ranges: slots
        .filter((slot) => !slot.startsWith("["))
        .map((slot) => {
          const [from, to = from] = slot.split("-").map(Number)
          return [from ?? 0, to ?? 0] as const
        })
    }))

const killed = async (child: ChildProcess | undefined): Promise<void> => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGKILL")
  await gone
}

/** The bus of a node listens 10,000 ports above its own. */
const freePorts = async (): Promise<ReadonlyArray<number>> => {
  const found = new Set<number>()
  while (found.size < nodes) {
    const port = 20_000 + Math.floor(Math.random() * 30_000)
    if ((await isFree(port)) && (await isFree(port + 10_000))) found.add(port)
  }
  return [...found]
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
