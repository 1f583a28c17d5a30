import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { documentOf, importedAt, snapshotOf } from "../kit/library.ts"
import { ownPostgres, replicaOf } from "../kit/ownPostgres.ts"
import type { OwnPostgres } from "../kit/ownPostgres.ts"
import type { CallResult } from "./calling.ts"
import { call, pause, readPath, say, tally, underLoad, until } from "./calling.ts"
import { patiently } from "./patiently.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const readers = 6
const writers = 6
const batchCost = 4

describe("contract §4 a primary and a streaming replica", () => {
  const scope = Scope.makeUnsafe()
  let primary: OwnPostgres
  let replica: OwnPostgres
  let site: Site
  let server: RunningServer
  beforeAll(async () => {
    primary = await Effect.runPromise(Scope.provide(ownPostgres(), scope))
    await primary.start("wal_level=replica")
    await primary.ask("create database coverage")
    replica = await Effect.runPromise(Scope.provide(replicaOf(primary), scope))
    await replica.start("hot_standby=on", "hot_standby_feedback=on")
    // What was acknowledged is on both, so that losing one loses nothing.
    await primary.ask("alter system set synchronous_standby_names = '*'", "select pg_reload_conf()")
    const [host = ""] = [
      primary.url("coverage").replace(/:(\d+)\/coverage$/, `:$1,127.0.0.1:${replica.port}/coverage`)
    ]
    const url = `${host}?target_session_attrs=read-write`
    site = await openSite({ url: Redacted.make(url) })
    server = await site.start({ DATABASE_READ_URL: replica.url("coverage") })
  })
  afterAll(async () => {
    await site.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const metric = async (name: string) => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1])
  }
  const policy = async ({ key }: Customer) => {
    const { body, status } = await call(`${server.url}/api/v1/policies/L33831`, key)
    const { title } = (body.data ?? {}) as { readonly title?: string }
    return { status, title, asOf: String(body.meta?.["data_as_of"]) }
  }
  /** A newer download, in which the policy has another title. */
  const published = (title: string, day: string) =>
    site.run(
      Effect.gen(function* () {
        const snapshots = yield* Snapshots
        const sourceAsOf = day as IsoDate
        const snapshot = snapshotOf({ snapshotId: day.replaceAll("-", "").repeat(8), sourceAsOf })
        const documents = [documentOf({ policyId: "L33831", title, states: ["TX"] })]
        yield* snapshots.saveHistory({ snapshot, documents, at: importedAt })
        yield* snapshots.complete({ snapshot, at: importedAt })
      })
    )

  it("no answer is older than the version it names, also while the replica lags", async () => {
    const one = await site.run(customer({ pack: "scale" }))
    await until(async () => (await metric("coverage_replica_in_use")) === 1, 5_000)
    expect((await policy(one)).status).toBe(200)
    const before = Number((await replica.ask(readsSql))[0]?.[0])
    for (let nth = 0; nth < 20; nth++)
      expect(
        (await call(`${server.url}/api/v1/codes/lookup?code=E0601&as_of=2026-01-${10 + nth}`, one.key)).status
      ).toBe(200)
    await until(async () => Number((await replica.ask(readsSql))[0]?.[0]) > before, 5_000)

    await primary.ask("alter system set synchronous_standby_names = ''", "select pg_reload_conf()")
    const day = "2026-10-01"
    const title = "Manual wheelchair bases, revised"
    await replica.ask("select pg_wal_replay_pause()")
    const watched = underLoad(4, 5, async () => ({ ...((await policy(one)) as unknown as CallResult) }))
    await pause(200)
    await published(title, day)
    const seenMs = await until(async () => (await policy(one)).title === title, 5_000)
    await pause(500)
    expect(await metric("coverage_replica_in_use")).toBe(0)
    await replica.ask("select pg_wal_replay_resume()")
    await until(async () => (await metric("coverage_replica_in_use")) === 1, 10_000)
    await pause(500)
    const told = (await watched.end()) as unknown as ReadonlyArray<Awaited<ReturnType<typeof policy>>>
    say(
      `${told.length} reads, the new version seen after ${seenMs.toFixed(0)} ms while the replica stood still`
    )
    expect(told.filter(({ status }) => status !== 200)).toEqual([])
    expect(told.filter(({ asOf, title: shown }) => asOf >= day && shown !== title)).toEqual([])
    expect(told.at(-1)).toMatchObject({ title, asOf: day })
    await primary.ask("alter system set synchronous_standby_names = '*'", "select pg_reload_conf()")
  }, 60_000)

  it("fails over under load: acknowledged = charged = stored", async () => {
    const one = customer({ pack: "scale" })
    const many = await site.run(Effect.forEach(Array.from({ length: readers + writers }), () => one))
    const [reading, writing] = [many.slice(0, readers), many.slice(readers)]
    const reads = underLoad(readers, 30, (caller) => call(server.url + readPath, reading[caller]?.key ?? ""))
    const done = new Map<string, CallResult>()
    let nth = 0
    const writes = underLoad(writers, 20, async (caller) => {
      const write = `write ${nth++}`
      const answers = await patiently(
        () =>
          call(`${server.url}/api/v1/codes/batch`, writing[caller]?.key ?? "", {
            method: "POST",
            headers: { "x-idempotency-key": write },
            body: JSON.stringify({ codes: ["E0601", `Q${caller}`] })
          }),
        [0, 503]
      )
      const last = answers.at(-1) as CallResult
      done.set(`${caller} ${write}`, last)
      return last
    })
    await until(() => reads.calls.length > 100 && done.size > 60, 20_000)
    await primary.kill("SIGKILL")
    const wentMs = performance.now()
    await until(async () => (await call(`${server.url}/api/v1/health`, "")).status === 503, 3_000)
    await replica.ask("select pg_promote()")
    await until(async () => (await call(server.url + readPath, reading[0]?.key ?? "")).status === 200, 20_000)
    const outMs = performance.now() - wentMs
    await pause(2_000)
    const seen = await reads.end()
    await writes.end()
    const said = tally(seen.map(({ code, status }) => code || String(status)))
    say(`calls again ${outMs.toFixed(0)} ms after the primary was killed; ${JSON.stringify(said)}`)
    // The last one tells of a charge whose COMMIT was on its way (contract, Server faults).
    const allowed = ["200", "SERVER_UNAVAILABLE", "SERVER_DATABASE_ERROR"]
    expect(Object.keys(said).filter((word) => !allowed.includes(word))).toEqual([])
    expect([...done.values()].filter(({ status }) => status !== 200)).toEqual([])

    const balanced = async ({ organizationId }: { readonly organizationId: OrganizationId }) => {
      const { balance, charged, expired, granted, refunded } = await site.statement(organizationId)
      expect(granted - charged + refunded - expired).toBe(balance)
      return charged - refunded
    }
    for (const [caller, each] of writing.entries()) {
      const own = [...done.keys()].filter((name) => name.startsWith(`${caller} `)).length
      expect(await balanced(each)).toBe(own * batchCost)
    }
    let net = 0
    for (const each of reading) net += await balanced(each)
    // One of them asked when it was over, beside the load.
    const acknowledged = seen.filter(({ status }) => status === 200).length + 1
    expect(net - acknowledged).toBeGreaterThanOrEqual(0)
    expect(net - acknowledged).toBeLessThanOrEqual(readers)
  }, 90_000)
})

const readsSql = "select xact_commit from pg_stat_database where datname = 'coverage'"
