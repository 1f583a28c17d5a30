import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"

/** The real service as a process of its own. */
export interface RunningServer {
  readonly url: string
  readonly child: ChildProcess
  /** All it wrote to stderr so far. */
  readonly said: () => string
  /** Ends it with the signal and gives its exit code; null when the signal ended it. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/**
 * Starts the service with this environment only, and waits for its line `listening on`; fails with what it
 * said.
 */
export const startServer = (environment: Readonly<Record<string, string>>): Promise<RunningServer> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["apps/http/main.ts"], {
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", PORT: "0", ...environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let errors = ""
    let out = ""
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString()
      const url = /listening on (\S+)/.exec(out)?.[1]
      if (url !== undefined) resolve({ url, child, said: () => errors, end: (signal) => end(child, signal) })
    })
    child.once("exit", (code) => reject(new Error(`exit ${code}: ${errors}`)))
  })

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = once(child, "exit")
  child.kill(signal)
  const [code] = (await gone) as [number | null]
  return code
}
