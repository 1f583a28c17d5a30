import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, pause, readPath, say, tally, until } from "../faults/calling.ts"
import { patiently } from "../faults/patiently.ts"
import type { RunningServer } from "../faults/server.ts"
import { openSite } from "../faults/site.ts"
import type { Site } from "../faults/site.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { freePort } from "../kit/redis.ts"
import { ownPostgres } from "../kit/ownPostgres.ts"
import type { OwnPostgres } from "../kit/ownPostgres.ts"
import { boundsOf, chance, keyOf, oneOf } from "./books.ts"
import type { MadeCall } from "./books.ts"

const kills = Number(process.env["COVERAGE_SOAK_KILLS"] ?? 1_000)
const minutesMax = Number(process.env["COVERAGE_SOAK_MINUTES"] ?? 18)
const seed = Number(process.env["COVERAGE_SOAK_SEED"] ?? Date.now() % 1_000_000)
const servers = 4
const organizations = 8
/** Every so many kills PostgreSQL or Redis is killed too. */
const storeEvery = 50
/** A server lives this long after it answers, at least and at most. */
const livesMs = { least: 100, most: 900 }
/** Charges of calls that never answered are given back within a minute. */
const sweptMs = 75_000

describe(`kill -9, ${kills} times in at most ${minutesMax} minutes (seed ${seed})`, () => {
  const scope = Scope.makeUnsafe()
  const draw = chance(seed)
  let database: OwnPostgres
  let site: Site
  let customers: ReadonlyArray<Customer> = []
  const ports: Array<number> = []
  const running = new Map<number, RunningServer>()
  beforeAll(async () => {
    database = await Effect.runPromise(Scope.provide(ownPostgres(), scope))
    await database.start(...settings)
    await database.ask("create database coverage")
    site = await openSite({ url: Redacted.make(database.url("coverage")) })
    const one = customer({ pack: "scale", record: { scopes: ["read", "write"] } })
    customers = await site.run(Effect.forEach(Array.from({ length: organizations }), () => one))
    for (let nth = 0; nth < servers; nth++) ports.push(await freePort())
  })
  afterAll(async () => {
    await site.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const url = (): string => `http://127.0.0.1:${oneOf(ports, draw)}`
  const calls: Array<MadeCall> = []
  const wanted = new Set<string>()
  let killed = 0
  let stopping = false

  const reader = async (organization: number) => {
    while (!stopping) {
      const result = await call(url() + readPath, keyOf(customers, organization))
      calls.push({ organization, cost: 1, isKeyed: false, result })
      await pause(80 + draw() * 80)
    }
  }
  /** A write with its key, repeated until it is acknowledged, as a client must. */
  const keyed = async (organization: number, cost: number, path: string, init: RequestInit) => {
    const name = `write ${calls.length} ${draw()}`
    const answers = await patiently(
      () =>
        call(url() + path, keyOf(customers, organization), {
          ...init,
          headers: { "x-idempotency-key": name }
        }),
      [0, 409, 429, 500, 503, 504]
    )
    const result = answers.at(-1)
    if (result !== undefined) calls.push({ organization, cost, isKeyed: true, result })
    return result
  }
  const writer = async (organization: number) => {
    for (let nth = 0; !stopping; nth++) {
      const body = JSON.stringify({ codes: ["E0601", `Q${nth}`] })
      await keyed(organization, 4, "/api/v1/codes/batch", { method: "POST", body })
      const target = `http://127.0.0.1:9/${organization}/${nth}`
      wanted.add(target)
      const made = await keyed(organization, 1, "/api/v1/webhooks", {
        method: "POST",
        body: JSON.stringify({ url: target, events: ["*"] })
      })
      const id = (made?.body.data as { readonly id?: number } | undefined)?.id
      await keyed(organization, 1, `/api/v1/webhooks/${id}`, {
        method: "PATCH",
        body: JSON.stringify({ status: "paused" })
      })
      await keyed(organization, 1, `/api/v1/webhooks/${id}`, { method: "DELETE" })
      await pause(200 + draw() * 200)
    }
  }
  /** Starts a server again and again, and kills it some time after it answers. */
  const victim = async (port: number, untilMs: number) => {
    while (killed < kills && performance.now() < untilMs) {
      const server = await site
        .start({ PORT: String(port), NODES: String(servers), WEBHOOK_LOOPBACK: "9" })
        .catch(() => undefined)
      if (server === undefined) continue
      running.set(port, server)
      await pause(livesMs.least + draw() * (livesMs.most - livesMs.least))
      await server.end("SIGKILL")
      killed += 1
      if (killed % storeEvery === 0) await killStore(killed)
      if (killed % 25 === 0) say(`${killed} killed, ${calls.length} calls`)
    }
  }
  /** In turn, PostgreSQL and Redis; each comes back by itself a moment later. */
  const killStore = async (nth: number) => {
    if ((nth / storeEvery) % 2 === 0) {
      await Effect.runPromise(site.redis.stop)
      await pause(300)
      await Effect.runPromise(site.redis.start)
    } else {
      await database.kill("SIGKILL")
      await pause(300)
      await database.start(...settings)
    }
  }

  it("leaves the books exact", async () => {
    const beganMs = performance.now()
    const callers = customers.flatMap((_, organization) => [
      reader(organization),
      reader(organization),
      writer(organization)
    ])
    const untilMs = beganMs + minutesMax * 60_000
    await Promise.all(ports.map((port) => victim(port, untilMs)))
    const seconds = (performance.now() - beganMs) / 1_000
    // What is on its way ends with servers that stay.
    for (const port of ports)
      await site.start({ PORT: String(port), NODES: String(servers), WEBHOOK_LOOPBACK: "9" })
    stopping = true
    await Promise.all(callers)
    say(`${killed} kills and ${calls.length} calls in ${seconds.toFixed(0)} s`)
    say(
      JSON.stringify(
        tally(calls.map(({ result: { code, failure, status } }) => failure ?? (code || String(status))))
      )
    )
    expect(killed).toBeGreaterThanOrEqual(kills)

    const isSettled = async () => {
      for (const [organization, { organizationId }] of customers.entries()) {
        const { charged, refunded } = await site.statement(organizationId)
        const { least, most } = boundsOf(calls, organization)
        if (charged - refunded < least || charged - refunded > most) return false
      }
      return true
    }
    await until(isSettled, sweptMs).catch(() => undefined)
    let open = 0
    let above = 0
    for (const [organization, { organizationId }] of customers.entries()) {
      const { balance, charged, expired, granted, refunded } = await site.statement(organizationId)
      const { least, most } = boundsOf(calls, organization)
      expect(granted - charged + refunded - expired).toBe(balance)
      expect([organization, charged - refunded]).toEqual([
        organization,
        expect.toSatisfy((net: number) => net >= least && net <= most)
      ])
      open += most - least
      above += charged - refunded - least
    }
    say(`of ${open} reads without an answer ${above} were charged, as who disconnects pays`)

    const targets = await site.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ readonly url: string; readonly status: string; readonly rows: number }>`
          select url, min(status) as status, count(*)::int as rows from webhook_endpoint group by url`
      )
    )
    expect(targets.filter(({ rows, status }) => rows !== 1 || status !== "deleted")).toEqual([])
    expect(new Set(targets.map((row) => row.url))).toEqual(wanted)
  })
})

const settings = ["max_connections=150", "synchronous_commit=on"]
