import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { Pool } from "../../adapters/postgres/Database.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inPostgresAt } from "./stores.ts"

const ports = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.mergeAll(inPostgresAt(connection), MemoryLimits.layer, healthy, Database.layer(connection))
  )
).pipe(Layer.orDie)

describe("contract §1 a usage row says how its call ended", () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports)
    await serving.run(seedLibrary)
  })
  afterAll(() => serving.close())

  const usage = (organizationId: string) =>
    serving.run(
      Effect.flatMap(
        Pool,
        (sql) => sql<{
          readonly operation: string
          readonly status: number
        }>`select operation, status from usage
          where organization_id = ${organizationId} order by request_id`
      )
    )
  const open = () =>
    serving.run(Effect.flatMap(Pool, (sql) => sql<{ readonly open: string }>`select open from session`))

  it("200, 404, 304, and nothing for what was refused before it ran; then no call is open", async () => {
    const { organizationId, key } = await serving.run(customer())
    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${serving.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
    const found = await get("/policies/L33831")
    await get("/policies/L99999")
    await get("/policies/L33831", { "if-none-match": found.headers.get("etag") ?? "" })
    await get("/policies?limit=0")
    const expected = [200, 404, 304].map((status) => ({ operation: "getPolicy", status }))
    await expect.poll(() => usage(organizationId), { timeout: 20_000 }).toEqual(expected)
    await expect.poll(open, { timeout: 20_000 }).toEqual([{ open: "" }])
  })

  it("a post that is one commit with its key: what it answered", async () => {
    const { organizationId, key } = await serving.run(customer())
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-idempotency-key": "k"
    }
    const body = JSON.stringify({ codes: ["E0601"] })
    for (const time of [1, 2]) {
      const response = await fetch(`${serving.url}/api/v1/codes/batch`, { method: "POST", headers, body })
      expect([time, response.status]).toEqual([time, 200])
    }
    expect(await usage(organizationId)).toEqual([{ operation: "batchCodes", status: 200 }])
  })

  it("500 for a call that the store failed, which was given back", async () => {
    const { organizationId, key } = await serving.run(customer())
    const admin = (text: string) => serving.run(Effect.flatMap(Pool, (sql) => sql.unsafe(text)))
    await admin("alter table code_edition rename to code_edition_gone")
    await admin("update library_generation set generation = generation + 1")
    const response = await fetch(`${serving.url}/api/v1/codes/lookup?code=E0607&fuzzy=true`, {
      headers: { authorization: `Bearer ${key}` }
    }).finally(() => admin("alter table code_edition_gone rename to code_edition"))
    expect(response.status).toBe(500)
    await expect
      .poll(() => usage(organizationId), { timeout: 20_000 })
      .toEqual([{ operation: "lookupCode", status: 500 }])
    await expect.poll(open, { timeout: 20_000 }).toEqual([{ open: "" }])
  })
})
