import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { call, pause, say, until } from "./calling.ts"
import { addChanges } from "./changes.ts"
import { acknowledge, respondWith, openHooks } from "./hooks.ts"
import type { Hooks } from "./hooks.ts"
import { patiently, storyOf } from "./patiently.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

/** Acknowledgements in all, in full 10,000, and how often a worker is killed meanwhile. */
const acknowledgements = Number(process.env["COVERAGE_FAULT_ACKNOWLEDGEMENTS"] ?? 400)
const kills = Number(process.env["COVERAGE_FAULT_KILLS"] ?? (acknowledgements >= 10_000 ? 40 : 4))
const callers = 16
/** Each below its limit of a minute, however fast the machine. */
const organizations = Math.max(4, Math.ceil(acknowledgements / 500))

describe("contract §2 Webhooks: workers that are killed", () => {
  let site: Site
  let hooks: Hooks
  const changes: Array<number> = []
  const environment = () => ({ WEBHOOK_LOOPBACK: String(hooks.port) })
  beforeAll(async () => {
    site = await openSite()
    hooks = await openHooks()
    changes.push(...(await site.run(addChanges(Math.ceil(acknowledgements / organizations) + 350))))
  })
  afterAll(async () => {
    hooks.close()
    await site.close()
  })
  const writer = () => site.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))

  it("an attempt whose worker is killed with -9 in the middle runs again within 20 s", async () => {
    const { key } = await writer()
    const first = await site.start(environment())
    await hooks.endpoint(first.url, key, "/crash")
    hooks.behave("/crash", () => {})
    expect((await acknowledge(first.url, key, changes[0] ?? 0)).status).toBe(200)
    await until(() => hooks.received("/crash").length === 1, 5_000)
    await site.start(environment())
    hooks.behave("/crash", respondWith(204))
    const killedMs = performance.now()
    await first.end("SIGKILL")
    await until(() => hooks.received("/crash").length === 2, 20_000)
    say(`a killed worker's attempt ran again after ${((performance.now() - killedMs) / 1_000).toFixed(1)} s`)
    const ids = new Set(hooks.received("/crash").map(({ webhookId }) => webhookId))
    expect(ids.size).toBe(1)
    expect(hooks.forged).toEqual([])
  }, 40_000)

  it("a dump of the whole database holds no secret, as text or as bytes", async () => {
    const { key } = await writer()
    const server = await site.start(environment())
    await hooks.endpoint(server.url, key, "/kept")
    const secret = hooks.secret("/kept").replace("whsec_", "")
    expect(secret).toHaveLength(44)
    const bytes = Buffer.from(secret, "base64")
    const said = await site.run(dump)
    expect(said).toContain("/kept")
    for (const writing of [
      secret,
      secret.replace("=", ""),
      bytes.toString("hex"),
      bytes.toString("base64url")
    ])
      expect(said.includes(writing), "a secret is in the dump").toBe(false)
    await server.end("SIGTERM")
  }, 30_000)

  it("300 deliveries to a dead endpoint queued first: 40 to healthy ones are done within 2 s", async () => {
    const dead = await writer()
    const server = await site.start(environment())
    await hooks.endpoint(server.url, dead.key, "/dead")
    hooks.behave("/dead", () => {})
    const healthy = await Promise.all(
      Array.from({ length: 4 }, async (_, nth) => {
        const { key } = await writer()
        await hooks.endpoint(server.url, key, `/healthy/${nth}`)
        return { key, path: `/healthy/${nth}` }
      })
    )
    const waiting = changes.slice(0, 300)
    const queueing = async () => {
      for (let diffId = waiting.shift(); diffId !== undefined; diffId = waiting.shift())
        expect((await acknowledge(server.url, dead.key, diffId)).status).toBe(200)
    }
    await Promise.all(Array.from({ length: callers }, queueing))
    const queuedMs = new Map<string, number>()
    await Promise.all(
      healthy.map(async ({ key, path }) => {
        for (const diffId of changes.slice(0, 10)) {
          expect((await acknowledge(server.url, key, diffId)).status).toBe(200)
          queuedMs.set(`${path} ${diffId}`, performance.now())
        }
      })
    )
    const got = () =>
      healthy.flatMap(({ path }) => hooks.received(path).map(({ body, atMs }) => ({ path, body, atMs })))
    await until(() => got().length >= 40, 5_000)
    const tookMs = Math.max(
      ...got().map(
        ({ path, body, atMs }) => atMs - (queuedMs.get(`${path} ${body.data.diff_ids[0]}`) ?? Number.NaN)
      )
    )
    say(`40 deliveries behind 300 dead ones: each done at most ${tookMs.toFixed(0)} ms after it was queued`)
    expect(tookMs).toBeLessThan(2_000)
    expect(hooks.forged).toEqual([])
    hooks.behave("/dead", respondWith(410))
    // It waits for attempts under way, gives back what is left, and says that all is well.
    expect(await server.end("SIGTERM")).toBe(0)
  }, 60_000)

  it(`${acknowledgements} acknowledgements, workers killed ${kills} times: each event arrives`, async () => {
    const owners = await prepare()
    const servers: Array<RunningServer> = [await site.start(environment()), await site.start(environment())]
    for (const owner of owners) await endpointsOf(owner, servers[0]?.url ?? "")
    const work = owners.flatMap((owner) => owner.diffs.map((diffId) => ({ owner, diffId })))
    work.sort((one, other) => one.diffId - other.diffId)
    let done = 0
    let next = 0
    const caller = async () => {
      for (let each = work[next++]; each !== undefined; each = work[next++]) {
        const { owner, diffId } = each
        const nth = next % 2
        // Killed twice in the middle, a call finds its second turn under a lease, and asks again after it.
        const ask = () => acknowledge(servers[nth]?.url ?? "", owner.key, diffId)
        const answers = await patiently(ask, [0, 409])
        expect(answers.at(-1)?.code, storyOf(answers)).toBe("")
        done += 1
      }
    }
    const beganMs = performance.now()
    const all = Promise.all(Array.from({ length: callers }, caller))
    for (let kill = 0; kill < kills; kill++) {
      await until(() => done >= ((kill + 1) / (kills + 1)) * work.length * 0.97, 600_000)
      const victim = Math.floor(Math.random() * 2)
      const port = new URL(servers[victim]?.url ?? "").port
      await pause(Math.random() * 200)
      await servers[victim]?.end("SIGKILL")
      servers[victim] = await site.start({ ...environment(), PORT: port })
    }
    await all
    const ackedMs = performance.now() - beganMs
    const wanted = owners.flatMap(({ paths, diffs }) =>
      paths.flatMap((path) => diffs.map((diffId) => ({ path, diffId })))
    )
    const told = () => new Map(owners.flatMap(({ paths }) => paths).map((path) => [path, idsByDiff(path)]))
    const missing = () => {
      const seen = told()
      return wanted.filter(({ path, diffId }) => seen.get(path)?.get(diffId) === undefined)
    }
    await until(() => missing().length === 0, 120_000)
    // The last answers are still being written down.
    await until(async () => (await counted())?.pending === 0, 20_000)
    const allMs = performance.now() - beganMs
    const requests = owners
      .flatMap(({ paths }) => paths)
      .reduce((sum, path) => sum + hooks.received(path).length, 0)
    say(
      `${work.length} acknowledgements in ${(ackedMs / 1_000).toFixed(1)} s, ${wanted.length} deliveries ` +
        `all received after ${(allMs / 1_000).toFixed(1)} s in ${requests} requests`
    )
    for (const [path, ids] of told())
      for (const [diffId, known] of ids) expect([path, diffId, known.size]).toEqual([path, diffId, 1])
    expect(hooks.forged).toEqual([])
    for (const { silent } of owners) for (const path of silent) expect(hooks.received(path)).toEqual([])
    expect(await counted()).toEqual({ acknowledgements: work.length, events: work.length, pending: 0 })
  }, 1_200_000)

  /** Every row of every table as text. */
  const dump = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`select quote_ident(table_name) as name
      from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
    const rows = yield* Effect.forEach(tables, ({ name }) =>
      sql.unsafe<{ readonly row: string }>(`select t::text as row from ${name} t`)
    )
    return rows.flatMap((each) => each.map(({ row }) => row)).join("\n")
  })

  interface Owner extends Customer {
    readonly diffs: ReadonlyArray<number>
    readonly paths: ReadonlyArray<string>
    readonly silent: ReadonlyArray<string>
  }

  const prepare = async (): Promise<ReadonlyArray<Owner>> => {
    await site.run(wipe)
    const each = Math.ceil(acknowledgements / organizations)
    return Promise.all(
      Array.from({ length: organizations }, async (_, nth) => {
        const found = await writer()
        const diffs = changes.slice(0, Math.min(each, acknowledgements - nth * each))
        const paths = [`/kill/${nth}/a`, `/kill/${nth}/b`]
        return { ...found, diffs, paths, silent: [`/kill/${nth}/deleted`, `/kill/${nth}/gone`] }
      })
    )
  }

  /** Two that listen, one that is deleted, and one that its answer of 410 disables. */
  const endpointsOf = async ({ key, paths, silent }: Owner, api: string) => {
    for (const path of paths) await hooks.endpoint(api, key, path)
    const [deleted = "", gone = ""] = silent
    const id = await hooks.endpoint(api, key, deleted)
    expect((await call(`${api}/api/v1/webhooks/${id}`, key, { method: "DELETE" })).status).toBe(200)
    const goneId = await hooks.endpoint(api, key, gone)
    await site.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update webhook_endpoint set status = 'disabled' where endpoint_id = ${goneId}`
      })
    )
  }

  /** The webhook-ids under which a path heard of each change. */
  const idsByDiff = (path: string): Map<number, Set<string>> => {
    const ids = new Map<number, Set<string>>()
    for (const { webhookId, body } of hooks.received(path))
      for (const diffId of body.data.diff_ids) ids.set(diffId, (ids.get(diffId) ?? new Set()).add(webhookId))
    return ids
  }

  interface Counts {
    readonly acknowledgements: number
    readonly events: number
    readonly pending: number
  }

  /** What earlier tests left, so that the counts are this one's. */
  const wipe = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`delete from acknowledgement`
    yield* sql`delete from webhook_delivery`
    yield* sql`delete from webhook_event`
  })

  const counted = () =>
    site.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] =
          yield* sql<Counts>`select (select count(*)::int from acknowledgement) as acknowledgements,
          (select count(*)::int from webhook_event) as events,
          (select count(*)::int from webhook_delivery where status = 'pending') as pending`
        return row
      })
    )
})
