import { spawn } from "node:child_process"
import { once } from "node:events"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as runs from "../../apps/cli/run.ts"
import { Terminal } from "../../apps/cli/Terminal.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What a process of the command line left behind. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type Environment = Readonly<Record<string, string>>

/** Runs the operator's command in this process, over streams of its own and with this environment alone. */
export const command = async (
  words: ReadonlyArray<string>,
  environment: Environment,
  stdin = ""
): Promise<Ran> => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  streams.stdin.end(stdin)
  const said = { stdout: text(streams.stdout), stderr: text(streams.stderr) }
  const exit = await Effect.runPromiseExit(
    Effect.provideService(runs.command(words), Terminal, { environment, ...streams })
  )
  streams.stdout.end()
  streams.stderr.end()
  return { code: runs.codeOf(exit), stdout: await said.stdout, stderr: await said.stderr }
}

/** The same in a process of its own; nothing of our environment but PATH goes with it. */
export const commandProcess = async (
  words: ReadonlyArray<string>,
  environment: Environment,
  stdin = ""
): Promise<Ran> => {
  const child = begin(["apps/cli/main.ts", ...words], environment)
  child.stdin.end(stdin)
  return outputOf(child)
}

/**
 * The answer of a command that is to succeed: one JSON object on stdout and nothing on stderr (contract §4).
 */
export const answer = async (
  words: ReadonlyArray<string>,
  environment: Environment,
  stdin = ""
): Promise<Record<string, unknown>> => {
  const ran = await command([...words, "--json"], environment, stdin)
  if (ran.code !== 0 || ran.stderr !== "") throw new Error(`${words.join(" ")} failed: ${ran.stderr}`)
  return JSON.parse(ran.stdout)
}

/** A process of the project's that goes on by itself. */
export const begin = (words: ReadonlyArray<string>, environment: Environment) =>
  spawn(process.execPath, [...words], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: "pipe"
  })

/** All it said, once it has ended. */
export const outputOf = async (child: ReturnType<typeof begin>): Promise<Ran> => {
  const said = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString()
  })
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString()
  })
  const [code] = await once(child, "close")
  return { code, ...said }
}

/** Starts the service and waits until it says that it answers; `stop` drains it. */
export const startServer = async (environment: Environment) => {
  const child = begin(["apps/http/main.ts"], { ...environment, PORT: "0" })
  const gone = once(child, "close")
  child.stderr.resume()
  const [line]: ReadonlyArray<Buffer> = await Promise.race([
    once(child.stdout, "data"),
    gone.then(() => Promise.reject(new Error("the server ended before it answered")))
  ])
  return {
    url: String(line).replace("listening on ", "").trim(),
    stop: async () => {
      child.kill("SIGTERM")
      await gone
    }
  }
}
