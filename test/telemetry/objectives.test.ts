import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Http from "../../adapters/http/server.ts"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { layer as database } from "../../adapters/postgres/Database.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import { metricsPage } from "../../adapters/telemetry/metricsPage.ts"
import * as Probing from "../../apps/http/probes.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import { operationIds } from "../../core/operation/catalogue.ts"
import { objectives } from "../../core/status/objectives.ts"
import { failoverLimits } from "../../core/call/limits.ts"
import { customer, settings } from "../http/harness.ts"
import { memoryReceivers } from "../http/settings.ts"
import { inMemory } from "../http/stores.ts"
import { mutedWay } from "../kit/mutedWay.ts"
import type { Carriage } from "../kit/mutedWay.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { redisServer } from "../kit/redis.ts"
import type { RedisServer } from "../kit/redis.ts"

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, "../..", file), "utf8")
const guide = textOf("docs/objectives.md")
const alerts = textOf("docs/operating/alerts.yaml")
const files = [
  ["docs/objectives.md", guide],
  ["docs/operating/alerts.yaml", alerts]
] as const

/** The service over real probes of a real PostgreSQL and a real Redis, either of which can be taken away. */
const opened = async (scope: Scope.Scope) => {
  const stores = Effect.gen(function* () {
    const connection = yield* freshDatabase
    if (!("folder" in connection)) return yield* Effect.die("only a socket can be relayed")
    return { redis: yield* redisServer, ...(yield* mutedWay(connection, "")) }
  })
  const { carry, redis, way } = await Effect.runPromise(Scope.provide(stores, scope))
  const serving = Http.layer({ host: "127.0.0.1", port: 0, trustedProxies: [], graceMs: 0 }, () =>
    Effect.succeed([metricsPage({ trustedProxies: [] })])
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(Sandbox.layer, Probing.layer).pipe(
        Layer.provideMerge(Layer.mergeAll(inMemory, shared(redis), database(way), memoryReceivers)),
        Layer.provideMerge(settings)
      )
    )
  )
  const context = await Effect.runPromise(Layer.buildWithScope(serving, scope))
  const { address } = Context.get(context, HttpServer.HttpServer)
  return {
    url: "port" in address ? `http://127.0.0.1:${address.port}` : "",
    customer: () => Effect.runPromise(Effect.provideContext(customer(), context)),
    carry: (carriage: Carriage) => Effect.runPromise(carry(carriage)),
    redis
  }
}

const shared = (redis: RedisServer) =>
  failoverLimits({
    shared: RedisLimits.layer({ clock: "server" }).pipe(Layer.provide(Redis.layer(redis.url))),
    local: LocalLimits.layer,
    nodes: 1
  })

describe("objectives, alerts and status over real stores", () => {
  const scope = Scope.makeUnsafe()
  let site: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    site = await opened(scope)
    await until("up up up up")
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const metrics = async () => (await fetch(`${site.url}/metrics`)).text()

  const status = async () => {
    const response = await fetch(`${site.url}/status.json`)
    const body = (await response.json()) as {
      readonly status: string
      readonly components: ReadonlyArray<{ readonly name: string; readonly condition: string }>
      readonly outages: ReadonlyArray<{ readonly component: string; readonly to: string | null }>
    }
    expect([response.status, (await fetch(`${site.url}/status`)).status]).toEqual([200, 200])
    return { ...body, conditions: body.components.map(({ condition }) => condition).join(" ") }
  }

  /** Waits until the components are so; the test's own time limit ends it. */
  const until = async (conditions: string) => {
    for (;;) {
      const seen = await status()
      if (seen.conditions === conditions) return seen
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it.each(files)("%s asks for metrics, buckets, surfaces and operations that there are", async (_, text) => {
    const { key } = await site.customer()
    await fetch(`${site.url}/api/v1/codes/lookup?code=E0650`, { headers: { authorization: `Bearer ${key}` } })
    const page = await metrics()
    const present = new Set([...page.matchAll(/^coverage_\w+/gm)].map(([name]) => name))
    const asked = namesOf(text)
    expect(asked.length).toBeGreaterThan(4)
    expect(asked.filter((name) => !present.has(name))).toEqual([])
    expect(
      namesOf("rate(coverage_calls_answered_total[5m])").filter((name) => !present.has(name))
    ).toHaveLength(1)
    const lookUps = page.split("\n").filter((line) => line.includes('operation="lookupCode"'))
    for (const [, bound] of text.matchAll(/le="([^"]+)"/g))
      expect(lookUps.filter((line) => line.includes(`le="${bound}"`))).not.toEqual([])
    for (const [, operation] of text.matchAll(/operation!?="([^"]+)"/g))
      expect(operationIds).toContain(operation)
    // Charges are kept in memory here; what their commits take is the database adapter's to say.
    for (const [, label, value] of text.matchAll(/(surface|store)="([^"]+)"/g))
      if (value !== "charges") expect(page).toContain(`${label}="${value}"`)
  })

  it("Redis, then PostgreSQL, go and come back: outages that last, then that ended", async () => {
    await Effect.runPromise(site.redis.stop)
    expect(await until("degraded up degraded up")).toMatchObject({
      status: "degraded",
      outages: [{ component: "limits", to: null }]
    })
    await Effect.runPromise(site.redis.start)
    await until("up up up up")
    await site.carry("refused")
    expect(await until("down down up unknown")).toMatchObject({
      status: "down",
      outages: [{ component: "database", to: null }, { component: "limits" }]
    })
    expect((await fetch(`${site.url}/api/v1/health`)).status).toBe(503)
    expect(await metrics()).toMatch(/^coverage_calls_total\{[^}]*operation="health"[^}]*status="503"/m)
    await site.carry("through")
    const { outages, status: service } = await until("up up up up")
    expect(service).toBe("healthy")
    expect(outages.map(({ component, to }) => [component, typeof to])).toEqual([
      ["database", "string"],
      ["limits", "string"]
    ])
  }, 60_000)
})

describe("objectives and alerts", () => {
  const { answeredShare, firstAttemptSeconds, firstAttemptShare, lookUpSeconds, revocationSeconds } =
    objectives
  const percent = (share: number): string => `${Number((share * 100).toFixed(3))} %`

  it("state the figures of core/status/objectives.ts", () => {
    const table = guide.slice(0, guide.indexOf("## "))
    expect(table).toContain(`| ${percent(answeredShare)} of calls`)
    expect(table).toContain(`95 % of look-ups within ${lookUpSeconds.p95 * 1_000} ms`)
    expect(table).toContain(`99 % within ${lookUpSeconds.p99 * 1_000} ms`)
    expect(table).toContain(
      `first attempt within ${firstAttemptSeconds} s of its event, in ${percent(firstAttemptShare)} of the time`
    )
    expect(table).toContain(`within ${revocationSeconds} s, by every process`)
    expect(guide).toContain(`coverage_webhook_queue_wait_seconds) <= bool ${firstAttemptSeconds})`)
    expect(alerts).toContain(`coverage_webhook_queue_wait_seconds) > ${firstAttemptSeconds}\n`)
    const left = (1 - answeredShare).toFixed(3)
    const burns = [...alerts.matchAll(/> [\d.]+ \* ([\d.]+)\)/g)].map((match) => match[1])
    expect(burns).toEqual([left, left, left, left])
    const { p95, p99 } = lookUpSeconds
    for (const text of [guide, alerts])
      expect([...new Set([...text.matchAll(/le="([^"]+)"/g)].map((match) => Number(match[1])))]).toEqual([
        p95,
        p99
      ])
  })

  it("every alert has an expression, a time, a severity and a summary, and a name of its own", () => {
    const rules = alerts.split(/^ {6}- alert: /m).slice(1)
    expect(rules.length).toBeGreaterThan(5)
    for (const rule of rules) {
      expect(rule).toMatch(/^Coverage\w+\n {8}expr: \S/)
      expect(rule).toMatch(/^ {8}for: \d+m$/m)
      expect(rule).toMatch(/^ {8}labels: \{ severity: (page|ticket) \}$/m)
      expect(rule).toMatch(/^ {8}annotations:\n {10}summary: "[^"\n]+"$/m)
    }
    const names = rules.map((rule) => rule.split("\n")[0])
    expect(new Set(names).size).toBe(names.length)
  })
})

/** Every name of ours in a text, as the page writes it. */
const namesOf = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/coverage_\w+/g)].map(([name]) => name))
]
