import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sandboxClient } from "../http/sandboxCalls.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const startMs = 60_000

describe("contract §3 the sandbox of two server processes over one PostgreSQL and one Redis", () => {
  let site: Site
  let servers: ReadonlyArray<RunningServer> = []
  const clients = [0, 1].map((index) => sandboxClient(() => servers[index]?.url ?? ""))
  const [here, there] = clients as [(typeof clients)[0], (typeof clients)[0]]
  beforeAll(async () => {
    site = await openSite()
    servers = await Promise.all([site.start(), site.start()])
  }, startMs)
  afterAll(() => site.close())

  it("a key that one made opens the other at once, and both answer alike", async () => {
    const { key } = await here.testKey()
    const answers = [await there.call("/policies/L90003", key), await here.call("/policies/L90003", key)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [one, other] = answers.map(({ headers }) => headers.get("etag"))
    expect(one).toMatch(/^W\//)
    expect(one).toBe(other)
  })

  it("§8.1.4 the limit of a test key and of an address hold across them", async () => {
    const { key } = await here.testKey()
    const calls = await Promise.all(
      Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? here : there).call("/jurisdictions", key))
    )
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(60)
    const keys = await Promise.all(
      Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? here : there).create())
    )
    // Two keys of this address were made before.
    expect(keys.filter(({ status }) => status === 200)).toHaveLength(58)
  })

  it("neither made an organization, an account or a ledger entry for them", async () => {
    const rows = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly rows: number }>`select ((select count(*) from organization)
        + (select count(*) from account) + (select count(*) from ledger_entry) + (select count(*) from usage))::int
        as rows`
    )
    expect(await site.run(rows)).toEqual([{ rows: 0 }])
  })
})
