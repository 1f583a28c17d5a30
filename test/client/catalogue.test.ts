import type * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CallRefused, makeClient, makeEffectClient, sandboxKey } from "../../adapters/client/client.ts"
import type { CallError, Client } from "../../adapters/client/client.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorCodes } from "../../core/error/table.ts"
import { catalogue, operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { reservedPrefix } from "../../core/sandbox/injectFault.ts"
import { standIns } from "../../core/operation/Operation.ts"
import { movableClock } from "../http/clock.ts"
import { customer, serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { sandboxOver, sandboxStores } from "../http/sandboxCalls.ts"
import { exampleInput } from "./exampleInput.ts"

const certified = "certified:derived_decision:read"
const clock = movableClock(Date.UTC(2026, 2, 10, 12))
const stores = sandboxStores[0][1]
let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
beforeAll(async () => {
  serving = await serve(sandboxOver(stores, clock))
})
afterAll(() => serving.close())

/** Any method, by the names of the catalogue. */
type Method = (
  input: object
) => Promise<{ readonly data: unknown; readonly meta: Readonly<Record<string, unknown>> }>
type Methods = Readonly<Record<OperationId, Method>>

/** Both flavours with a key of their own, as functions that promise. */
const flavours = [
  ["Promise", (key: string) => makeClient({ ...settings(), key }) as unknown as Methods],
  [
    "Effect",
    (key: string): Methods => {
      const client = makeEffectClient({ ...settings(), key })
      const methods = operationIds.map((id) => {
        const method = client[id] as unknown as (
          input: object
        ) => Effect.Effect<Awaited<ReturnType<Method>>, CallError>
        return [id, (input: object) => Effect.runPromise(method(input))] as const
      })
      return Object.fromEntries(methods) as Methods
    }
  ]
] as const
const settings = () => ({ baseUrl: serving.url, surface: "sandbox", answers: "checked" }) as const

/** The example with the ids of what the key has made. */
const ownInput = async (id: OperationId, methods: Methods): Promise<object> => {
  const input = exampleInput(id)
  if (input["id"] !== standIns.webhook) return input
  const { data: made } = await methods.createWebhook(exampleInput("createWebhook"))
  await methods.acknowledgeChange(exampleInput("acknowledgeChange"))
  const webhook = (made as { readonly id: number }).id
  const { data: log } = await methods.listDeliveries({ id: webhook })
  const [delivery] = log as ReadonlyArray<{ readonly delivery_id: number }>
  return { ...input, id: webhook, ...("delivery_id" in input ? { delivery_id: delivery?.delivery_id } : {}) }
}

describe.each(flavours)("§4 the %s flavour against the running service", (_, make) => {
  it.each(operationIds)("%s is called by its name and answers what its row says", async (id) => {
    clock.move(2_000)
    const scopes = operationRow(id).requirement === "certified" ? ([certified] as const) : undefined
    const key = await sandboxKey({ baseUrl: serving.url, ...(scopes === undefined ? {} : { scopes }) })
    const methods = make(key)
    const { data, meta } = await methods[id](await ownInput(id, methods))
    const parse = SchemaParser.decodeUnknownSync(catalogue[id].success as never, {
      onExcessProperty: "error"
    })
    expect(() => parse(data as never)).not.toThrow()
    expect(meta["request_id"]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
    if ("paged" in catalogue[id]) expect(meta["pagination"]).toMatchObject({ limit: expect.any(Number) })
    if ("coverage" in catalogue[id]) expect(meta["disclaimer"]).toContain("Synthetic")
  })
})

describe("the client against the running service", () => {
  const made = async (more: object = {}): Promise<Client> =>
    makeClient({
      baseUrl: serving.url,
      surface: "sandbox",
      key: await sandboxKey({ baseUrl: serving.url }),
      ...more
    })

  it.each(errorCodes)("§7.3 %s comes as a CallRefused that tells it all", async (code) => {
    clock.move(2_000)
    const client = await made({ maxRetries: 0 })
    const asked = client.getPolicy({ id: reservedPrefix + code })
    await expect(asked).rejects.toBeInstanceOf(CallRefused)
    await expect(asked).rejects.toMatchObject({
      code,
      requestId: expect.stringMatching(/^req_/),
      attempts: 1
    })
    await expect(asked).rejects.toHaveProperty("docUrl", expect.stringContaining("/docs/errors#"))
  })

  it("contract §1 Lists: walks a list by both flavours, row by row", async () => {
    const client = await made()
    const ids: Array<string> = []
    for await (const { policy_id } of client.items("listPolicies", { status: "all", limit: 2 }))
      ids.push(policy_id)
    const { data } = await client.listPolicies({ status: "all", limit: 100 })
    expect(ids).toEqual(data.map(({ policy_id }) => policy_id))
    expect(ids.length).toBeGreaterThan(4)
    const key = await sandboxKey({ baseUrl: serving.url })
    const effects = makeEffectClient({ ...settings(), key })
    const rows = Stream.take(effects.items("listPolicies", { status: "all", limit: 2 }), 3)
    const taken = await Effect.runPromise(Stream.runCollect(rows))
    expect(taken.map(({ policy_id }) => policy_id)).toEqual(ids.slice(0, 3))
  })

  it("§4.6.2 a write that is repeated under one key is done once", async () => {
    const client = await made()
    const input = { url: "https://ok.example.com/in", events: ["*"] } as const
    const once = () => client.createWebhook(input, { idempotencyKey: "the same" })
    const [first, second] = [await once(), await once()]
    expect([second.data.id, second.meta.cached]).toEqual([first.data.id, true])
    expect((await client.createWebhook(input)).data.id).not.toBe(first.data.id)
  })

  it("contract §1 ETag: an answer that is kept is asked for by its tag and not sent again", async () => {
    const statuses: Array<number> = []
    const observing = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      if (!url.endsWith("/keys")) statuses.push(response.status)
      return response
    }
    const client = await made({ fetch: observing, keptAnswers: 1 })
    const first = await client.getJurisdiction({ code: "JH" })
    expect(await client.getJurisdiction({ code: "JH" })).toEqual(first)
    await client.listJurisdictions()
    await client.getJurisdiction({ code: "JH" })
    expect(statuses).toEqual([200, 304, 200, 200])
  })

  it("answers CSV as text, page by page", async () => {
    const client = await made()
    const page = await client.listPolicies({ format: "csv", limit: 2, status: "all" })
    expect(page.data).toMatch(/^policy_id,/)
    const next = await client.listPolicies({
      format: "csv",
      limit: 2,
      status: "all",
      cursor: page.meta.cursor ?? ""
    })
    expect(next.data).not.toBe(page.data)
  })

  it("§5.2 a live key reads the live surface, and a test key is told where it belongs", async () => {
    const { key } = await serving.run(customer())
    const live = makeClient({ baseUrl: `${serving.url}/`, key })
    expect((await live.health()).data.version).toBe("v1")
    expect((await live.listPayers()).meta.request_id).toMatch(/^req_/)
    const test = makeClient({ baseUrl: serving.url, key: await sandboxKey({ baseUrl: serving.url }) })
    await expect(test.listPayers()).rejects.toMatchObject({ code: "AUTH_TEST_KEY_SANDBOX_ONLY" })
  })

  it("every code that any operation can answer is one that the client knows", () => {
    const known: ReadonlySet<string> = new Set(errorCodes)
    for (const id of operationIds)
      for (const code of refusalsOf(operationRow(id))) expect(known).toContain(code)
  })
})

describe("the catalogue", () => {
  it.each(operationIds)("%s has no name twice among its path, query and body", (id) => {
    const { body, params, query } = operationRow(id)
    const names = [params, query, body].flatMap((part) =>
      part?.ast._tag === "Objects" ? part.ast.propertySignatures.map(({ name }) => name) : []
    )
    expect(new Set(names).size).toBe(names.length)
    // What a GET does not name in its path is its query, and what another method does not is its body.
    expect(operationRow(id).method === "GET" ? body : query).toBeUndefined()
  })
})
