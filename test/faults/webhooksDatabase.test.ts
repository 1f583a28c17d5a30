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
import * as Snapshots from "../../adapters/postgres/Snapshots.ts"
import { forget } from "../kit/dataDir.ts"
import { customer, settings } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { say, until } from "./calling.ts"
import { addChanges } from "./changes.ts"
import { acknowledge, openHooks } from "./hooks.ts"
import type { Hooks } from "./hooks.ts"
import { patiently, storyOf } from "./patiently.ts"
import { startServer } from "./server.ts"
import type { RunningServer } from "./server.ts"

const count = 200
const callers = 8

describe("contract §2 Webhooks: the database is killed in the middle of a burst", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "coverage-fault-"))
  const database = Layer.unwrap(Effect.map(startEmbedded({ dataDir, role: "command" }), Database.layer))
  const beside = ManagedRuntime.make(
    Layer.mergeAll(Keys.layer, Organizations.layer, Ledgers.layer, Snapshots.layer).pipe(
      Layer.provideMerge(database),
      Layer.provideMerge(settings)
    )
  )
  let server: RunningServer
  let hooks: Hooks
  beforeAll(async () => {
    hooks = await openHooks()
    server = await startServer({ DATA_DIR: dataDir, WEBHOOK_LOOPBACK: String(hooks.port) })
    await beside.runPromise(seedLibrary)
  })
  afterAll(async () => {
    hooks.close()
    await server.end("SIGTERM")
    await beside.dispose()
    forget(dataDir)
  })

  const pendingCount = () =>
    beside.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ readonly pending: number; readonly events: number }>`select
          (select count(*)::int from webhook_delivery where status = 'pending') as pending,
          (select count(*)::int from webhook_event) as events`
        return row
      })
    )

  it("every acknowledged change is delivered all the same, under one webhook-id", async () => {
    const diffs = await beside.runPromise(addChanges(count))
    const { key } = await beside.runPromise(
      customer({ pack: "scale", record: { scopes: ["read", "write"] } })
    )
    for (const path of ["/one", "/two"]) await hooks.endpoint(server.url, key, path)
    // Slow enough that some attempts are under way when the database goes.
    for (const path of ["/one", "/two"])
      hooks.behave(path, (response) => void setTimeout(() => response.writeHead(200).end("ok"), 20))
    const waiting = [...diffs]
    let done = 0
    const caller = async () => {
      for (let diffId = waiting.shift(); diffId !== undefined; diffId = waiting.shift()) {
        const each = diffId
        const answers = await patiently(() => acknowledge(server.url, key, each), [0, 503])
        expect(answers.at(-1)?.code, storyOf(answers)).toBe("")
        done += 1
      }
    }
    const all = Promise.all(Array.from({ length: callers }, caller))
    await until(() => done >= count / 3, 30_000)
    process.kill(await postmaster(), "SIGKILL")
    const killedMs = performance.now()
    await all
    const changesReceived = (path: string) =>
      new Set(hooks.received(path).flatMap(({ body }) => body.data.diff_ids))
    await until(
      () => changesReceived("/one").size === count && changesReceived("/two").size === count,
      60_000
    )
    say(`${2 * count} deliveries were received ${seconds(performance.now() - killedMs)} s after the kill`)
    await until(async () => (await pendingCount())?.pending === 0, 40_000)
    expect((await pendingCount())?.events).toBe(count)
    for (const path of ["/one", "/two"]) {
      const ids = new Map<number, Set<string>>()
      for (const { webhookId, body } of hooks.received(path))
        for (const diffId of body.data.diff_ids)
          ids.set(diffId, (ids.get(diffId) ?? new Set()).add(webhookId))
      expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([])
    }
    expect(hooks.forged).toEqual([])
    expect(server.child.exitCode).toBeNull()
  }, 180_000)

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
})

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
