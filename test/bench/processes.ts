import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** A server of the benchmark: where it listens, and how to end it. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** Milliseconds from its start to its line `listening on`. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

/**
 * Starts a Node program and waits until it writes `listening on <url>`, or `ready <port>` as the yardstick
 * does.
 */
export const startServer = (
  program: string,
  environment: NodeJS.ProcessEnv,
  ...parameters: ReadonlyArray<string>
) =>
  new Promise<Server>((resolve, reject) => {
    const beganMs = performance.now()
    const child: ChildProcess = spawn(process.execPath, [program, ...parameters], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()))
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const port = /^ready (\d+)$/m.exec(said)?.[1]
      const url = port === undefined ? /listening on (\S+)/.exec(said)?.[1] : `http://127.0.0.1:${port}`
      if (url !== undefined) {
        resolve({ url, pid: child.pid ?? 0, startMs: performance.now() - beganMs, stop: () => ended(child) })
      }
    })
    child.once("exit", () => reject(new Error(`${program} ended: ${said}`)))
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.removeAllListeners("exit").once("exit", () => resolve())
    child.kill("SIGTERM")
  })

/** The kernel counts CPU time in hundredths of a second. */
const tickMicroseconds = 10_000

/** CPU time a process has used, user and system, in microseconds; 0 when it has gone. */
export const cpuOf = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ")
    return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds
  } catch {
    return 0
  }
}

/** The process and all that it or its children started. */
export const familyOf = (pid: number): ReadonlyArray<number> => {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /, "")
          .split(" ")
        return [Number(name), Number(fields[1])] as const
      } catch {
        return [0, 0] as const
      }
    })
  const childrenOf = (parent: number): ReadonlyArray<number> =>
    parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...childrenOf(child)])
  return [pid, ...childrenOf(pid)]
}

/** What the kernel calls the program of a process; empty when it has gone. */
export const programOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim()
  } catch {
    return ""
  }
}

/** Resident memory of a process in megabytes. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024
