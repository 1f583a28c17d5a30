import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { conform } from "../../apps/conformance/conform.ts"
import { Keys } from "../../core/port/Keys.ts"
import { customer } from "../http/harness.ts"
import { ownPostgres, password } from "../kit/ownPostgres.ts"
import type { OwnPostgres } from "../kit/ownPostgres.ts"
import { pgbouncer } from "../kit/pgbouncer.ts"
import type { Pooler } from "../kit/pgbouncer.ts"
import { call, readPath, say, underLoad, until } from "./calling.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

/** What docs/operating.md has the operator set for the login. */
const settings = ["statement_timeout = '10s'", "idle_in_transaction_session_timeout = '15s'", "jit = off"]

describe("contract §4 PgBouncer before PostgreSQL", () => {
  const scope = Scope.makeUnsafe()
  let database: OwnPostgres
  let direct: string
  let site: Site
  beforeAll(async () => {
    database = await Effect.runPromise(Scope.provide(ownPostgres(), scope))
    await database.start("max_connections=120")
    await database.ask(
      "create database coverage",
      `create role service login password '${password}'`,
      "alter database coverage owner to service"
    )
    direct = database.url("coverage").replace("//coverage:", "//service:")
    site = await openSite({ url: Redacted.make(direct) })
  })
  afterAll(async () => {
    await site.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const pooled = (mode: Pooler["mode"], more: Partial<Pooler> = {}) =>
    Effect.runPromise(
      Scope.provide(pgbouncer({ mode, port: database.port, user: "service", ...more }), scope)
    )
  const refusal = (environment: Readonly<Record<string, string>>) =>
    site.start(environment).then(
      () => "it started",
      (error: Error) => error.message
    )

  it("a pooler that drops or refuses the settings of a session is refused at the start", async () => {
    expect(await refusal({ DATABASE_URL: await pooled("session", { ignores: "" }) })).toMatch(
      /^exit 1: The pooler of DATABASE_URL refuses settings of a session: let it ignore statement_timeout,/
    )
    expect(await refusal({ DATABASE_URL: await pooled("session") })).toMatch(
      /^exit 1: The pooler of DATABASE_URL drops settings of a session: set statement_timeout = '10s',/
    )
    await database.ask(...settings.map((setting) => `alter role service set ${setting}`))
  })

  it("transaction mode is refused at the start without a direct connection for notifications", async () => {
    const url = await pooled("transaction")
    expect(await refusal({ DATABASE_URL: url })).toMatch(
      /^exit 1: DATABASE_URL is a pooler in transaction mode, which loses notifications: set DATABASE_LISTEN_URL/
    )
    expect(await refusal({ DATABASE_URL: url, DATABASE_LISTEN_URL: url })).toMatch(
      /^exit 1: DATABASE_LISTEN_URL is a pooler in transaction mode: it must be a direct connection/
    )
  })

  it.each(["session", "transaction"] as const)(
    "%s mode: conformance passes, and a suspension holds within a second",
    async (mode) => {
      const url = await pooled(mode)
      const more = mode === "session" ? {} : { DATABASE_LISTEN_URL: direct }
      // Limits of its own, or the second run would wait a minute for new sandbox keys.
      const server = await site.start({ DATABASE_URL: url, REDIS_URL: "", ...more })
      const made = await site.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))
      const verdicts = await conform({
        baseUrl: server.url,
        key: made.key,
        credits: 50,
        only: undefined,
        say: () => undefined
      })
      const failing = verdicts.filter(({ outcome }) => outcome === "fail")
      say(`${mode} mode: ${verdicts.length} checks, ${failing.length} failed`)
      expect(failing).toEqual([])
      expect(verdicts.length).toBeGreaterThan(300)

      const { key, keyId } = await site.run(customer({ pack: "scale" }))
      const load = underLoad(8, 5, () => call(server.url + readPath, key))
      await until(() => load.calls.length > 100, 10_000)
      await site.run(Effect.flatMap(Keys, (keys) => keys.change({ keyId, action: "suspend", reason: null })))
      const suspendedMs = performance.now()
      await until(() => load.calls.at(-1)?.code === "AUTH_KEY_SUSPENDED", 5_000)
      const calls = await load.end()
      const late = calls.filter(({ beganMs, status }) => status === 200 && beganMs > suspendedMs)
      const lastMs = Math.max(0, ...late.map(({ beganMs }) => beganMs - suspendedMs))
      say(`${mode} mode: a suspension held after ${lastMs.toFixed(0)} ms`)
      expect(lastMs).toBeLessThan(1_000)
      await server.end("SIGTERM")
    },
    120_000
  )
})
