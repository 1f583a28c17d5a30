import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { isKeyed, isWrite, operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { standIns } from "../../core/operation/Operation.ts"
import type { KeyedId } from "../../core/operation/catalogue.ts"
import { Policies } from "../../core/port/Policies.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { PriorAuthLists } from "../../core/port/PriorAuthLists.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Probes } from "../../core/port/Probes.ts"
import { Releases } from "../../core/port/Releases.ts"
import { Reviews } from "../../core/port/Reviews.ts"
import { inMemory, nowhere, inPostgresAt } from "./stores.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { Customer, ErrorBody, ServedApp } from "./harness.ts"
import { fillLibrary } from "../../apps/sandbox/library.ts"
import { seedRelease } from "./seededRelease.ts"
import { prepareRequest, optionsFor } from "./prepareRequest.ts"
import { sound } from "./refusalInputs.ts"
import type { TestRequest } from "./TestRequest.ts"

const built = operationIds.filter(isKeyed)

const call = async (url: string, id: KeyedId, key: string, request: TestRequest = sound[id]) => {
  const { path, ...asked } = request
  const response = await fetch(`${url}/api/v1${path}`, {
    ...asked,
    method: operationRow(id).method,
    headers: { ...asked.headers, authorization: `Bearer ${key}` }
  })
  const text = await response.text()
  return { response, text, body: JSON.parse(text) as ErrorBody }
}

const balance = ({ organizationId }: Customer) =>
  Effect.flatMap(Ledger, (ledger) => ledger.statement({ organizationId, nowMs: Date.now() }))

/** What must never leave the server: SQL, stacks, paths of files, the driver's own words. */
const leaks = /select |insert |relation|node_modules|\.ts\b|\bat .*\(|postgres|socket|SqlError/i

describe("contract §1 Server faults, over a real PostgreSQL", () => {
  const ports = Layer.unwrap(
    Effect.gen(function* () {
      const connection = yield* freshDatabase
      const admin = yield* PgClient.make({ ...Database.socketAddress(connection), maxConnections: 2 }).pipe(
        Effect.provide(Reactivity.layer)
      )
      return Layer.mergeAll(
        inPostgresAt(connection),
        MemoryLimits.layer,
        healthy,
        Layer.succeed(PgClient.PgClient, admin)
      )
    })
  ).pipe(Layer.orDie)
  let serving: ServedApp<Layer.Success<typeof ports>>
  const admin = (statement: string) =>
    serving.run(Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)))

  beforeAll(async () => {
    serving = await serve(ports)
    await serving.run(Effect.andThen(fillLibrary, seedRelease))
  })
  afterAll(() => serving.close())

  /** Each operation reads or writes at least one of these; none of them is on the path of every call. */
  const tables = [
    "code_edition",
    "jurisdiction",
    "payer",
    "policy_change",
    "policy_passage",
    "policy_span",
    "release_decision",
    "acknowledgement",
    "webhook_delivery",
    "webhook_endpoint"
  ]
  const rename = (from: string, to: string) =>
    admin(`do $$ begin
      ${tables.map((table) => `alter table ${table}${from} rename to ${table}${to};`).join("\n")}
    end $$`)

  it.each(built)(
    "%s: a refused statement is SERVER_DATABASE_ERROR, leaks nothing and is refunded",
    async (id) => {
      const found = await serving.run(customer(optionsFor(id)))
      const asked = await serving.run(prepareRequest(sound[id], found.organizationId))
      const before = await serving.run(balance(found))
      await rename("", "_gone")
      // As an import would: what was remembered of the library is asked for again within about a second.
      await admin("update library_generation set generation = generation + 1")
      const { response, body, text } = await eventually(
        () => call(serving.url, id, found.key, asked),
        (seen) => seen.response.status !== 200
      ).finally(() => rename("_gone", ""))
      expect(body.error.code).toBe("SERVER_DATABASE_ERROR")
      expect(response.status).toBe(500)
      expect(text).not.toMatch(leaks)
      expect(response.headers.get("x-credits-cost")).toBe("0")
      if (isWrite(id)) expect(await serving.run(balance(found))).toEqual(before)
      else {
        expect(await serving.run(balance(found))).toMatchObject({
          balance: Number(response.headers.get("x-credits-remaining")),
          refunded: operationRow(id).credits
        })
      }
      expect((await call(serving.url, id, found.key, asked)).response.status).toBe(200)
    }
  )

  it("an idempotency key beyond recording: SERVER_IDEMPOTENCY_UNAVAILABLE, and nothing ran", async () => {
    const found = await serving.run(customer())
    const send = () =>
      fetch(`${serving.url}/api/v1/codes/batch`, {
        method: "POST",
        headers: {
          ...sound.batchCodes.headers,
          authorization: `Bearer ${found.key}`,
          "x-idempotency-key": "k"
        },
        body: sound.batchCodes.body ?? ""
      })
    await admin("alter table idempotency rename to idempotency_gone")
    const response = await send().finally(() => admin("alter table idempotency_gone rename to idempotency"))
    const body = (await response.json()) as ErrorBody
    expect([response.status, body.error.code]).toEqual([503, "SERVER_IDEMPOTENCY_UNAVAILABLE"])
    expect(response.headers.get("x-credits-cost")).toBe("0")
    expect(await serving.run(balance(found))).toMatchObject({ charged: 0 })
    expect((await send()).status).toBe(200)
  })

  const stuck = [
    ["policy_version", "SERVER_SEARCH_UNAVAILABLE", ["listPolicies"]],
    ["api_key", "SERVER_TIMEOUT", built.filter((id) => id !== "listPolicies")]
  ] as const
  it.each(stuck)("where %s is locked, a stuck statement is %s", async (table, code, ids) => {
    const callOf = async (id: KeyedId) => {
      const found = await serving.run(customer(optionsFor(id)))
      return () => call(serving.url, id, found.key)
    }
    const calls = await Promise.all(ids.map(callOf))
    const answers = await serving.run(
      Effect.flatMap(PgClient.PgClient, (sql) =>
        sql.withTransaction(
          Effect.andThen(
            sql.unsafe(`lock table ${table} in access exclusive mode`),
            // At once: each waits for its whole deadline.
            Effect.promise(() => Promise.all(calls.map((one) => one())))
          )
        )
      )
    )
    const told = answers.map(({ body }, index) => [ids[index], body.error.code, body.error.retryable])
    expect(told).toEqual(ids.map((id) => [id, code, true]))
  })
})

describe("contract §1 Server faults: unreachable stores and bugs", () => {
  it.each(built)("%s: an unreachable store is SERVER_UNAVAILABLE at once", async (id) => {
    const serving = await serve(
      Layer.mergeAll(inPostgresAt(nowhere, MemoryJobs.layer), MemoryLimits.layer, healthy).pipe(Layer.orDie)
    )
    const { response, body, text } = await call(serving.url, id, "vrt_some_legacy_key")
    expect(body.error.code).toBe("SERVER_UNAVAILABLE")
    expect(response.status).toBe(503)
    expect(text).not.toMatch(leaks)
    await serving.close()
  })

  it.each(built)("%s: a bug is SERVER_INTERNAL_ERROR, names nobody's values and is refunded", async (id) => {
    const bug = Effect.die(new Error("select secrets from /etc/passwd where code = 'E0601'"))
    const broken = Layer.succeedContext(
      handlersPorts.reduce(
        (ports, port) => Context.add(ports, port as typeof Policies, everyVerb(bug) as never),
        Context.empty() as Context.Context<Policies>
      )
    )
    const serving = await serve(
      Layer.mergeAll(inMemory, MemoryLimits.layer, healthy).pipe((ports) => Layer.merge(ports, broken))
    )
    const found = await serving.run(customer(optionsFor(id)))
    const before = await serving.run(balance(found))
    const { response, body, text } = await call(serving.url, id, found.key, withIds(sound[id]))
    expect(body.error.code).toBe("SERVER_INTERNAL_ERROR")
    expect(response.headers.get("x-credits-cost")).toBe("0")
    expect(text).not.toMatch(leaks)
    expect(body.error.hint).toContain("https://coverage.example/support")
    if (isWrite(id)) expect(await serving.run(balance(found))).toEqual(before)
    else {
      expect(response.headers.get("x-credits-remaining")).toBe(String(before?.balance))
      const refunded = operationRow(id).credits
      expect(await serving.run(balance(found))).toMatchObject({ balance: before?.balance, refunded })
    }
    await serving.close()
  })
})

describe("contract §2 GET /health", () => {
  const checks = [
    ["both up", "up", "up", 200],
    ["the cache down", "up", "down", 200],
    ["the database down", "down", "up", 503]
  ] as const
  it.each(checks)("§4.1 with %s", async (_, database, cache, status) => {
    const read = Effect.succeed({
      database: { status: database, latencyMs: 3 },
      cache: { status: cache, latencyMs: null }
    })
    const serving = await serve(Layer.mergeAll(inMemory, MemoryLimits.layer, Layer.succeed(Probes, { read })))
    const response = await fetch(`${serving.url}/api/v1/health`, { headers: { authorization: "nonsense" } })
    expect(response.status).toBe(status)
    const body = (await response.json()) as Record<string, Record<string, unknown>>
    const expected = {
      database: { status: database, latency_ms: 3 },
      cache: { status: cache, latency_ms: null }
    }
    if (status === 503)
      expect(body).toMatchObject({ error: { code: "SERVER_UNAVAILABLE", details: { checks: expected } } })
    else
      expect(body["data"]).toMatchObject({
        status: cache === "up" ? "healthy" : "degraded",
        version: "v1",
        checks: expected
      })
    expect(response.headers.has("x-ratelimit-limit")).toBe(false)
    expect(response.headers.has("x-credits-cost")).toBe(false)
    await serving.close()
  })
})

/** The ports that handlers read and write through. */
const handlersPorts = [
  Policies,
  ClaimEdits,
  Codes,
  Deliveries,
  Endpoints,
  Payers,
  Payers,
  Policies,
  PriorAuthLists,
  Releases,
  Reviews
] as const

/** A port each of whose verbs, called or not, is the effect. */
const everyVerb = (effect: Effect.Effect<never>) => {
  const verb = Object.assign(() => effect, effect)
  Object.setPrototypeOf(verb, Object.getPrototypeOf(effect) as object)
  return new Proxy({}, { get: () => verb })
}

/** Ids of nobody, for a store that never looks. */
const withIds = (asked: TestRequest): TestRequest => ({
  ...asked,
  path: asked.path.replace(standIns.webhook, "7").replace(standIns.delivery, "7")
})

const eventually = async <A>(ask: () => Promise<A>, holds: (seen: A) => boolean): Promise<A> => {
  for (const deadlineMs = Date.now() + 5_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const seen = await ask()
    if (holds(seen) || Date.now() > deadlineMs) return seen
  }
}
