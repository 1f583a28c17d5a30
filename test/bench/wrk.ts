import { spawn } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Load, Outcome } from "./load.ts"
import { load } from "./load.ts"

/**
 * `wrk` costs a sixth of the CPU per request of the bench's own load, which on two cores would itself be what
 * is measured.
 */
export const hasWrk = (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, "wrk")))

let runs = 0

/** Sends requests by `wrk` where it is on PATH, else by the bench's own load. */
export const send = (wanted: Load): Promise<Outcome> =>
  hasWrk && wanted.passes === undefined ? byWrk(wanted) : load(wanted)

const byWrk = ({ port, connections, requests, durationMs }: Load): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const file = join(tmpdir(), `coverage-bench-${process.pid}.requests`)
    writeFileSync(file, requests.join("\x1e"))
    const script = join(import.meta.dirname, "load.lua")
    const seconds = Math.ceil(durationMs / 1_000)
    const child = spawn(
      "wrk",
      ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", script, `http://127.0.0.1:${port}/`],
      { env: { ...process.env, REQUESTS: file, RUN: `${process.pid}-${Date.now()}-${runs++}` } }
    )
    const end = () => {
      child.kill()
      rmSync(file, { force: true })
    }
    process.once("exit", end)
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
    child.once("close", () => {
      process.off("exit", end)
      rmSync(file, { force: true })
      const figures = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(said)?.slice(1).map(Number)
      if (figures === undefined) return reject(new Error(`wrk: ${said}`))
      const [calls = 0, microseconds = 1, p50Microseconds = 0, p99Microseconds = 0, wrong = 0, broken = 0] =
        figures
      resolve({
        calls,
        seconds: microseconds / 1_000_000,
        wrong: wrong + broken,
        p50Microseconds,
        p99Microseconds
      })
    })
  })
