import { mkdtempSync, rmSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { embedded } from "./adapters/postgres/embedded.ts"
import * as Database from "./adapters/postgres/Database.ts"
import { migrate } from "./adapters/postgres/migrate.ts"
import { migrations } from "./adapters/postgres/migrations.ts"
import * as PI from "./adapters/postgres/Idempotency.ts"
import * as PT from "./adapters/postgres/Transactions.ts"
import * as PL from "./adapters/postgres/Ledger.ts"
import * as PO from "./adapters/postgres/Organizations.ts"
import { layer as crypto } from "./adapters/node/Crypto.ts"
import { Settings } from "./core/port/Settings.ts"
import { Ledger } from "./core/port/Ledger.ts"
import { makeIdempotent } from "./core/workflow/idempotent.ts"
import { succeed } from "./core/workflow/reply.ts"
import { created, chargeOf, freshId } from "./test/kit/accounts.ts"
import { publication, writeCall } from "./test/kit/writeCalls.ts"
import type { OrganizationId } from "./core/organization/Organization.ts"

const dataDir = mkdtempSync("/tmp/idem-bench-")
const main = Effect.scoped(Effect.gen(function*() {
  const connection = yield* embedded({ dataDir, role: "server" })
  const db = Database.layer(connection)
  const layers = Layer.mergeAll(PI.layer({ clock: "server" }), PT.layer({ clock: "server" }), PL.layer, PO.layer).pipe(Layer.provideMerge(db))
  yield* Effect.gen(function*() {
    yield* migrate(migrations)
    const sql = yield* SqlClient.SqlClient
    console.log(yield* sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as sc`)
    console.log("in a begin:", yield* sql.unsafe(`with clock as materialized (select now(), set_config('synchronous_commit', 'off', true) as c), other as (select 1 from clock) select current_setting('synchronous_commit') as inside from other`), "after:", yield* sql`select current_setting('synchronous_commit') as after`)
    yield* sql`create table thing (id int primary key, n int not null) with (fillfactor = 50)`
    yield* sql`insert into thing select g, 0 from generate_series(0, 999) g`
    const orgs: Array<OrganizationId> = []
    for (let i = 0; i < 200; i++) orgs.push((yield* created({ pack: "scale" })).organizationId)
    const idempotent = yield* makeIdempotent
    const ledger = yield* Ledger
    let n = 0
    const one = (keyed: boolean) => Effect.suspend(() => {
      const at = n++
      const { call, request } = writeCall(orgs[at % orgs.length]!, { key: keyed ? `key ${at}` : undefined })
      const work = Effect.map(sql`update thing set n = n + 1 where id = ${at % 1000}`, () => succeed(call.envelope, `{"id":${at},"note":"${"x".repeat(200)}"}`, {}))
      return Effect.map(idempotent(call, request, { _tag: "Within", work: work as never }), (a) => { if (a.status !== 200) throw new Error(a.body) })
    })
    const charge = Effect.suspend(() => ledger.charge(chargeOf(orgs[n++ % orgs.length]!)))
    const nothing = Effect.suspend(() => sql`select 1`)
    const run = (name: string, each: Effect.Effect<unknown, unknown>, width: number, total: number) => Effect.gen(function*() {
      const worker = Effect.repeat(each, { times: Math.floor(total / width) - 1 })
      const go = Effect.all(Array.from({ length: width }, () => worker), { concurrency: "unbounded", discard: true })
      yield* Effect.all(Array.from({ length: width }, () => Effect.repeat(each, { times: 10 })), { concurrency: "unbounded", discard: true })
      const c0 = process.cpuUsage(), t0 = performance.now()
      yield* go
      const t = performance.now() - t0, c = process.cpuUsage(c0)
      console.log(name.padEnd(34), `${width} in flight`.padEnd(14), `${(t * width / total).toFixed(3)} ms each`.padEnd(18), `${(total * 1000 / t).toFixed(0)}/s`.padEnd(10), `node ${((c.user + c.system) / total).toFixed(0)} µs`)
    })
    if (process.env.PARTS) {
      const { Idempotency } = yield* Effect.promise(() => import("./core/port/Idempotency.ts"))
      const { Transactions } = yield* Effect.promise(() => import("./core/port/Transactions.ts"))
      const { createHash } = yield* Effect.promise(() => import("node:crypto"))
      const idem = yield* Idempotency; const tx = yield* Transactions
      const id = () => createHash("sha256").update(String(n++)).digest("hex")
      const begin = Effect.suspend(() => idem.begin({ recordId: id(), fingerprint: "f".repeat(64) }))
      const rid = id(); yield* idem.begin({ recordId: rid, fingerprint: "f".repeat(64) })
      const again = Effect.suspend(() => idem.begin({ recordId: rid, fingerprint: "f".repeat(64) }))
      const empty = tx.write({ claim: undefined, charge: undefined, work: Effect.succeed({ _tag: "Keep", value: 1, answer: new Uint8Array() }) })
      const charged = Effect.suspend(() => tx.write({ claim: undefined, charge: chargeOf(orgs[n++ % orgs.length]!), work: Effect.succeed({ _tag: "Keep", value: 1, answer: new Uint8Array() }) }))
      const claimed = Effect.suspend(() => { const r = id(); return Effect.flatMap(idem.begin({ recordId: r, fingerprint: "f".repeat(64) }), () => tx.write({ claim: { recordId: r, fence: 1 }, charge: undefined, work: Effect.succeed({ _tag: "Keep", value: 1, answer: new Uint8Array(300) }) })) })
      const simple = Effect.suspend(() => sql`insert into thing values (${10000 + n++}, 1)`)
      for (const w of [1, 10]) {
        yield* run("select 1", nothing, w, 2000)
        yield* run("insert a row", simple, w, 2000)
        yield* run("begin, new", begin, w, 2000)
        yield* run("begin, running", again, w, 2000)
        yield* run("empty transaction", empty, w, 2000)
        yield* run("charge in transaction", charged, w, 2000)
        yield* run("begin + complete", claimed, w, 2000)
        yield* run("whole, keyed", one(true), w, 2000)
      }
      return
    }
    for (const width of (process.env.W ?? "1,10,64").split(",").map(Number)) {
      const total = width === 1 ? 1_000 : 8_000
      yield* run("select 1", nothing, width, total)
      yield* run("group-committed charge", charge, width, total * 2)
      yield* run("write without a key", one(false), width, total)
      yield* run("write with a key", one(true), width, total)
    }
    yield* sql`vacuum analyze idempotency`
    const size = yield* sql`select pg_total_relation_size('idempotency')::int4 as bytes, count(*)::int4 as rows from idempotency`
    console.log(size, yield* sql`select n_tup_upd::int4, n_tup_hot_upd::int4 from pg_stat_user_tables where relname = 'idempotency'`)
  }).pipe(Effect.provide(Layer.mergeAll(layers, crypto, Layer.succeed(Settings, { ...publication, secretKeys: ["a secret of the bench, more than 32 long"] }))))
}))
await Effect.runPromise(main as never).finally(() => rmSync(dataDir, { recursive: true, force: true }))
process.exit(0)
