import { execFileSync, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createConnection, createServer } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { layer } from "../../adapters/redis/Redis.ts"

/** A private `redis-server` that a test may pause, kill and start again. */
export interface RedisServer {
  readonly url: Redacted.Redacted
  /** The server hangs: it keeps its connections and answers nothing. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** The server ends, and all it knew with it. */
  readonly stop: Effect.Effect<void>
  /** Starts it again on the same port and waits until it answers. */
  readonly start: Effect.Effect<void>
}

/** A private server that ends with the scope. */
export const redisServer: Effect.Effect<RedisServer, never, Scope.Scope> = Effect.gen(function* () {
  const binary = yield* Effect.sync(findBinary)
  const port = yield* Effect.promise(freePort)
  let child: ReturnType<typeof spawn> | undefined
  const start = Effect.promise(async () => {
    child = spawn(
      binary,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
      {
        stdio: "ignore",
        cwd: "/"
      }
    )
    await untilAnswers(port, child)
  })
  const stop = Effect.promise(async () => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once("exit", resolve))
    running.kill("SIGKILL")
    await gone
  })
  yield* Effect.acquireRelease(start, () => stop)
  return {
    url: Redacted.make(`redis://127.0.0.1:${port}`),
    pause: Effect.sync(() => void child?.kill("SIGSTOP")),
    resume: Effect.sync(() => void child?.kill("SIGCONT")),
    stop,
    start
  }
})

/**
 * A client of REDIS_URL where it is set, else of a private server. The laws use subjects of their own there.
 */
export const redisLayer = Layer.unwrap(
  Effect.gen(function* () {
    const given = process.env["REDIS_URL"]
    return layer(given === undefined ? (yield* redisServer).url : Redacted.make(given), longTimeouts)
  })
).pipe(Layer.orDie)

/** The laws ask what is decided; how soon is asked by the suites of faults. */
export const longTimeouts = { connectMs: 10_000, commandMs: 10_000, silenceMs: 15_000 }

/**
 * The server of PATH; on Debian as root it is installed when absent; otherwise the test fails and says how.
 */
export const findBinary = (): string => {
  const folders = (process.env["PATH"] ?? "").split(":")
  const found = folders.map((folder) => `${folder}/redis-server`).find((path) => existsSync(path))
  if (found !== undefined) return found
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) throw new Error(absent)
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  execFileSync("apt-get", ["update", "-qq"], { env: environment })
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "redis-server"], {
    env: environment
  })
  return "/usr/bin/redis-server"
}

const absent =
  "These tests need Redis: install `redis-server` (Debian and Ubuntu: `apt-get install redis-server`; " +
  "macOS: `brew install redis`), so that it is on PATH, and run them again."

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(address)
      )
    })
  })

// The end of the server is the only reason to give up; a machine that is busy may take its time.
export const untilAnswers = async (port: number, child: ReturnType<typeof spawn>): Promise<void> => {
  while (!(await answersPing(port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" }, () => socket.write("PING\r\n"))
    socket.once("data", (reply) => {
      socket.destroy()
      resolve(reply.toString().startsWith("+PONG"))
    })
    socket.once("error", () => resolve(false))
  })
