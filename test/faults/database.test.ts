import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"
import * as Keys from "../../adapters/postgres/Keys.ts"
import * as Ledgers from "../../adapters/postgres/Ledger.ts"
import * as Organizations from "../../adapters/postgres/Organizations.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { forget } from "../kit/dataDir.ts"
import { customer, settings } from "../http/harness.ts"
import type { Customer, ErrorBody } from "../http/harness.ts"
import { startServer } from "./server.ts"
import type { RunningServer } from "./server.ts"

const customers = 8
const callers = 16
/** What a call may be told while the database is unavailable or coming back (contract §1, Server faults). */
const faults = ["SERVER_UNAVAILABLE", "SERVER_DATABASE_ERROR", "SERVER_TIMEOUT"]

describe("a database that goes away under load", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "coverage-fault-"))
  const beside = ManagedRuntime.make(
    Layer.mergeAll(Keys.layer, Organizations.layer, Ledgers.layer).pipe(
      Layer.provideMerge(
        Layer.unwrap(Effect.map(startEmbedded({ dataDir, role: "command" }), Database.layer))
      ),
      Layer.provideMerge(settings)
    )
  )
  let server: RunningServer
  let found: ReadonlyArray<Customer> = []
  beforeAll(async () => {
    server = await startServer({ DATA_DIR: dataDir })
    found = await beside.runPromise(
      Effect.forEach(Array.from({ length: customers }), () => customer({ pack: "scale" }))
    )
  })
  afterAll(async () => {
    await server.end("SIGTERM")
    await beside.dispose()
    forget(dataDir)
  })

  const ask = async (key: string) => {
    const response = await fetch(`${server.url}/api/v1/jurisdictions`, {
      headers: { authorization: `Bearer ${key}` }
    })
    return { status: response.status, body: (await response.json()) as ErrorBody }
  }

  /** Calls from 16 callers until told to stop: how many were answered 200, and what else was said. */
  const underLoad = (keys: ReadonlyArray<string>) => {
    const seen = { acknowledged: 0, others: new Map<string, number>(), stop: false }
    const caller = async (index: number) => {
      while (!seen.stop) {
        const { status, body } = await ask(keys[index % keys.length] ?? "")
        if (status === 200) seen.acknowledged += 1
        else seen.others.set(body.error.code, (seen.others.get(body.error.code) ?? 0) + 1)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    const all = Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
    return {
      seen,
      end: async () => {
        seen.stop = true
        await all
      }
    }
  }

  const until = async (holds: () => Promise<boolean>, withinMs: number): Promise<void> => {
    const deadlineMs = Date.now() + withinMs
    while (!(await holds())) {
      if (Date.now() > deadlineMs) throw new Error(`not within ${withinMs} ms`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const postmaster = () =>
    beside.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{
          readonly folder: string
        }>`select current_setting('data_directory') as folder`
        return Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0])
      })
    )

  it("killed with -9: calls are told in an envelope, the service recovers, the books are right", async () => {
    const keys = found.map(({ key }) => key)
    const load = underLoad(keys)
    await until(() => Promise.resolve(load.seen.acknowledged > 100), 10_000)
    process.kill(await postmaster(), "SIGKILL")
    await until(async () => load.seen.others.size > 0 || (await ask(keys[0] ?? "")).status !== 200, 5_000)
    const told = load.seen.acknowledged
    await until(() => Promise.resolve(load.seen.acknowledged > told + 100), 20_000)
    await load.end()
    expect([...load.seen.others.keys()].filter((code) => !faults.includes(code))).toEqual([])
    expect(server.child.exitCode).toBeNull()
    const statements = await beside.runPromise(
      Effect.flatMap(Ledger, (ledger) =>
        Effect.forEach(found, ({ organizationId }) => ledger.statement({ organizationId, nowMs: Date.now() }))
      )
    )
    let net = 0
    for (const statement of statements) {
      if (statement === undefined) throw new Error("an organization has a statement")
      expect(statement.granted - statement.charged + statement.refunded - statement.expired).toBe(
        statement.balance
      )
      net += statement.charged - statement.refunded
    }
    // The probing calls of this test are acknowledged too, beside those of the load.
    expect(net).toBeGreaterThanOrEqual(load.seen.acknowledged)
    expect(net - load.seen.acknowledged).toBeLessThanOrEqual(callers + 2)
  }, 60_000)

  it("stopped with SIGSTOP: a call ends within its deadline, and all is well when it goes on", async () => {
    const pid = await postmaster()
    const family = familyOf(pid)
    for (const one of family) process.kill(one, "SIGSTOP")
    try {
      const beganMs = Date.now()
      const { body } = await ask(found[0]?.key ?? "")
      expect(faults).toContain(body.error.code)
      expect(Date.now() - beganMs).toBeLessThan(11_000)
    } finally {
      for (const one of family) process.kill(one, "SIGCONT")
    }
    await until(async () => (await ask(found[0]?.key ?? "")).status === 200, 15_000)
  }, 60_000)

  it("a second server on the same data folder is refused with a sentence that says what to do", async () => {
    await expect(startServer({ DATA_DIR: dataDir })).rejects.toThrow(
      /exit 1: Another server already uses the data folder .*: stop it first/
    )
  })

  it("a server killed with -9 leaves nothing that stops the next one", async () => {
    await server.end("SIGKILL")
    server = await startServer({ DATA_DIR: dataDir })
    expect((await ask(found[0]?.key ?? "")).status).toBe(200)
    expect(await server.end("SIGTERM")).toBe(0)
    server = await startServer({ DATA_DIR: dataDir })
    expect((await ask(found[1]?.key ?? "")).status).toBe(200)
    expect(server.said()).toBe("")
  }, 60_000)
})

const familyOf = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((text) => text !== "")
    .map(Number)
]
