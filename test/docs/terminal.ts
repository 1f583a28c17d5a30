import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { forget } from "../kit/dataDir.ts"

/** The project, where a reader of its guides stands. */
export const root = fileURLToPath(new URL("../../", import.meta.url))

/** A port that nobody listens on. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** A process as a reader sees it: what it has said so far, and a line to type to it. */
export interface Terminal {
  readonly type: (text: string) => void
  readonly said: () => string
  /** What was said once these words are in it; rejects when they are not within a minute. */
  readonly until: (words: RegExp) => Promise<string>
  /** Ends it as Ctrl-C would, and resolves once it is gone. */
  readonly end: () => Promise<void>
}

const timeoutMs = 60_000

/** Terminals over one data folder of their own, each a process group, so that all that they started ends. */
export const terminals = () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "coverage-guide-"))
  const groups = new Set<number>()
  const open = (
    command: readonly [string, ...ReadonlyArray<string>] = ["bash", "-e"],
    environment: Readonly<Record<string, string>> = {},
    cwd: string = root
  ): Terminal => {
    const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR, ...environment }
    const [file, ...rest] = command
    const child = spawn(file, rest, { cwd, env, detached: true, stdio: "pipe" })
    const { pid = 0 } = child
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()))
    groups.add(pid)
    let said = ""
    const waiting = new Set<() => void>()
    const waitForText = (chunk: Buffer): void => {
      said += chunk.toString()
      for (const look of waiting) look()
    }
    child.stdout.on("data", waitForText)
    child.stderr.on("data", waitForText)
    return {
      type: (line) => child.stdin.write(line),
      said: () => said,
      until: (words) =>
        new Promise((resolve, reject) => {
          const settle = (finish: () => void): void => {
            waiting.delete(look)
            clearTimeout(timer)
            finish()
          }
          const look = () => (words.test(said) ? settle(() => resolve(said)) : undefined)
          const tooLate = () => reject(new Error(`${words} was not said, but: ${said}`))
          const timer = setTimeout(() => settle(tooLate), timeoutMs)
          waiting.add(look)
          look()
        }),
      end: () => {
        end(pid)
        return gone
      }
    }
  }
  const end = (pid: number): void => {
    if (!groups.delete(pid)) return
    try {
      process.kill(-pid, "SIGTERM")
    } catch {
      // It has ended by itself.
    }
  }
  const close = () => {
    for (const pid of groups) end(pid)
    forget(DATA_DIR)
  }
  return { open, close }
}
