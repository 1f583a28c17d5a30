import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { services } from "./stores.ts"

interface Found {
  readonly data: ReadonlyArray<Record<string, unknown>>
  readonly meta: Record<string, unknown> & {
    readonly pagination: { readonly cursor: string | null; readonly has_more: boolean }
  }
}

describe.each(services)("how a search went, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (path: string) =>
    fetch(`${serving.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  const get = async (path: string) => (await (await send(path)).json()) as Found

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("contract §2 a search says how it went, and each policy how it was found", async () => {
    const { data, meta } = await get("/policies?q=manual%20wheelchair&mode=semantic&status=all")
    expect(data.map(({ match, policy_id }) => [policy_id, match])).toEqual([
      ["L33831", "all"],
      ["A52423", "some"]
    ])
    expect(meta["search"]).toEqual({
      query: "manual wheelchair",
      mode: "keyword",
      fallback: true,
      results: 2,
      match: "all",
      did_you_mean: null
    })
    const near = await get("/policies?q=weelchair")
    expect(near.data.map(({ match }) => match)).toEqual(["near", "near"])
    expect(near.meta["search"]).toMatchObject({
      mode: "keyword",
      fallback: false,
      match: "near",
      did_you_mean: "wheelchair"
    })
    const none = await get("/policies?q=zzzzzz")
    expect([none.data, none.meta["search"]]).toMatchObject([
      [],
      { results: 0, match: "near", did_you_mean: null }
    ])
    expect((await get("/policies")).data[0]).not.toHaveProperty("match")
    const first = await get("/policies?q=manual%20wheelchair&limit=1")
    const second = await get(`/policies?q=manual%20wheelchair&limit=1&cursor=${first.meta.pagination.cursor}`)
    expect([...first.data, ...second.data].map(({ match }) => match)).toEqual(["all", "some"])
    expect(second.meta.pagination.has_more).toBe(false)
    const csv = await (await send("/policies?q=wheelchair&format=csv&limit=1")).text()
    expect(csv.split("\r\n")[0]).toMatch(/,match$/)
  })
})
