import { execFile } from "node:child_process"
import { mkdtemp, rm, rmdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { ownPostgres, password } from "../kit/ownPostgres.ts"
import type { OwnPostgres } from "../kit/ownPostgres.ts"
import { call, pause, readPath, say, tally, underLoad, until } from "./calling.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const run = promisify(execFile)
const callers = 6
/** What is told of a fault, and that it is over, comes within this. */
const healthMs = 2_000
const backMs = 8_000

/** A small disk of its own where the machine lets us make one, to be filled. */
const smallDisk = async (): Promise<string | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "coverage-disk-"))
  return run("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", folder]).then(
    () => folder,
    async () => {
      await rmdir(folder)
      return undefined
    }
  )
}

describe("contract §1 Server faults: a database that does not take charges, under load", () => {
  const scope = Scope.makeUnsafe()
  let disk: string | undefined
  let database: OwnPostgres
  let site: Site
  let server: RunningServer
  let many: ReadonlyArray<Customer> = []
  beforeAll(async () => {
    disk = await smallDisk()
    database = await Effect.runPromise(Scope.provide(ownPostgres(disk), scope))
    await database.start("max_connections=40", "max_wal_size=64MB")
    await database.ask(
      "create database coverage",
      "create role service login",
      "alter database coverage owner to service"
    )
    await database.ask(`alter role service password '${password}'`)
    const url = database.url("coverage").replace("//coverage:", "//service:")
    site = await openSite({ url: Redacted.make(url) })
    server = await site.start()
    const one = customer({ pack: "scale" })
    many = await site.run(Effect.forEach(Array.from({ length: callers }), () => one))
  }, 120_000)
  afterAll(async () => {
    await site.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    if (disk === undefined) return
    await run("umount", [disk])
    await rm(disk, { recursive: true, force: true })
  })

  const health = async () => {
    const { body, status } = await call(`${server.url}/api/v1/health`, "")
    const details = (body.error as { details?: { checks: { database: { reason?: string } } } } | undefined)
      ?.details
    return { status, reason: details?.checks.database.reason }
  }
  const net = async () => {
    let sum = 0
    for (const { organizationId } of many) {
      const { balance, charged, expired, granted, refunded } = await site.statement(organizationId)
      expect(granted - charged + refunded - expired).toBe(balance)
      sum += charged - refunded
    }
    return sum
  }
  const onServer = (statement: string) => database.ask(statement)

  /** A fault comes and goes under load: what callers and health were told, and what was charged. */
  const fault = async (reason: string, come: () => Promise<unknown>, go: () => Promise<unknown>) => {
    const before = await net()
    const load = underLoad(callers, 20, (caller) => call(server.url + readPath, many[caller]?.key ?? ""))
    await until(() => load.calls.length > 50, 10_000)
    const loggedBefore = server.said().length
    await come()
    const toldMs = await until(async () => (await health()).status === 503, 10_000)
    await until(async () => (await health()).reason === reason, 3_000)
    await pause(1_500)
    const during = load.calls.slice(-10)
    await go()
    const healthyMs = await until(async () => (await health()).status === 200, backMs)
    await until(() => load.calls.at(-1)?.status === 200, backMs)
    await pause(300)
    const calls = await load.end()
    const said = tally(calls.map(({ code, status }) => code || String(status)))
    say(
      `${reason}: health within ${toldMs.toFixed(0)} ms, back ${healthyMs.toFixed(0)} ms after; ${JSON.stringify(said)}`
    )
    expect(toldMs).toBeLessThan(healthMs)
    const codes = new Set(during.filter(({ status }) => status !== 200).map(({ code }) => code))
    expect([...codes]).toEqual(["SERVER_UNAVAILABLE"])
    expect(Object.keys(said).filter((word) => !allowed.has(word))).toEqual([])
    const log = server.said().slice(loggedBefore)
    expect(
      log.split("\n").filter((line) => line.includes("database unavailable") && line.includes(reason)).length
    ).toBe(1)
    expect(log).not.toContain(password)
    // Charged as answered, but for those whose COMMIT was lost, which a sweep gives back.
    const acknowledged = calls.filter(({ status }) => status === 200).length
    const lost = calls.filter(({ status }) => status >= 500).length
    const charged = (await net()) - before
    expect(charged).toBeGreaterThanOrEqual(acknowledged)
    expect(charged).toBeLessThanOrEqual(acknowledged + lost)
  }

  it("read-only", async () => {
    await fault(
      "read_only",
      () => onServer("alter system set default_transaction_read_only = on").then(reload),
      () => onServer("alter system reset default_transaction_read_only").then(reload)
    )
  }, 60_000)

  it("a right is missing", async () => {
    await fault(
      "privileges",
      () => inCoverage("revoke insert on usage from service"),
      () => inCoverage("grant insert on usage to service")
    )
  }, 60_000)

  it("the password was changed", async () => {
    await fault(
      "login",
      () => database.ask("alter role service password 'another one'", endSessions),
      () => database.ask(`alter role service password '${password}'`)
    )
  }, 60_000)

  it("no connection is left", async () => {
    await fault(
      "too_many_connections",
      () => database.ask("alter role service connection limit 0", endSessions),
      () => database.ask("alter role service connection limit -1")
    )
  }, 60_000)

  it("the disk is full", async () => {
    if (disk === undefined) return say("no disk of its own could be made: not tried here")
    const filler = join(disk, "filler")
    await fault(
      "disk_full",
      async () => {
        await run("sh", ["-c", `cat /dev/zero > ${filler} 2>/dev/null || true`])
      },
      () => rm(filler)
    )
  }, 60_000)

  const reload = () => database.ask("select pg_reload_conf()")
  const inCoverage = (statement: string) => database.askIn("coverage", statement)
})

const endSessions = "select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = 'service'"
const allowed = new Set(["200", "SERVER_UNAVAILABLE", "SERVER_DATABASE_ERROR"])
