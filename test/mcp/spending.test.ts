import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { isRefusal } from "../../core/error/Refusal.ts"
import { readTool } from "../../core/mcp/readTool.ts"
import { toolNames, tools } from "../../core/mcp/tools.ts"
import type { ToolName } from "../../core/mcp/tools.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { starterCredits } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Policies, PoliciesUnavailable } from "../../core/port/Policies.ts"
import { callDeadlineMs } from "../../core/call/deadline.ts"
import { runs } from "../kit/runs.ts"
import { movableClock } from "../http/clock.ts"
import { seedDecisions } from "../http/decisions.ts"
import { customer, healthy } from "../http/harness.ts"
import { inMemory } from "../http/stores.ts"
import { argumentsOf } from "./arguments.ts"
import { fieldOf } from "./content.ts"
import type { Content } from "./content.ts"
import { callTool, postAndLeave, message, send } from "./posting.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

/** How the search of criteria, the second part of policy_research, goes from now on. */
type Mood = "well" | "away" | "mad" | "hung" | "held"
let mood: Mood = "well"
/** Where a search that is held waits. */
let gate = Promise.withResolvers<void>()
const moody = Layer.effect(
  Policies,
  Effect.map(Policies, (policies) => ({
    ...policies,
    criteria: (query: Parameters<typeof policies.criteria>[0]) =>
      Effect.suspend(() => {
        switch (mood) {
          case "well":
            return policies.criteria(query)
          case "away":
            return Effect.fail(new PoliciesUnavailable({ fault: "unreachable" }))
          case "mad":
            return Effect.die(new Error("a bug"))
          case "hung":
            return Effect.never
          case "held":
            return Effect.andThen(
              Effect.promise(() => gate.promise),
              policies.criteria(query)
            )
        }
      })
  }))
)

const clock = movableClock(Date.now())
const ports = Layer.mergeAll(moody.pipe(Layer.provideMerge(inMemory)), MemoryLimits.layer, healthy).pipe(
  Layer.provideMerge(clock.layer)
)

describe("contract §3 what a tool's call spends", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedDecisions)
  })
  afterAll(() => site.close())

  const statement = (organizationId: OrganizationId) =>
    site.run(Effect.flatMap(Ledger, (ledger) => ledger.statement({ organizationId, nowMs: Date.now() })))
  const member = async (options: Parameters<typeof customer>[0] = {}) => {
    const found = await site.run(customer(options))
    const token = site.token({ organizationId: found.organizationId })
    const call = async (name: ToolName, input: unknown = {}) => {
      const { posted, result } = await callTool(site.url, token, name, input)
      return { posted, content: fieldOf(result, "structuredContent") as Content }
    }
    const spent = async () => {
      const { charged = 0, refunded = 0 } = (await statement(found.organizationId)) ?? {}
      return charged - refunded
    }
    const get = (path: string) =>
      fetch(`${site.url}/api/v1${path}`, { headers: { authorization: `Bearer ${found.key}` } })
    return { ...found, token, call, spent, get }
  }

  const anyCall = fc.constantFrom(...toolNames).chain((name) =>
    fc.record({
      name: fc.constant(name),
      input: fc.oneof(
        argumentsOf(name),
        fc.constantFrom(
          { code: "" },
          { procedure_codes: [] },
          { view: "all" },
          { code: "E0601", view: "stats", q: "bed", procedure_codes: ["20610"], colour: "red" },
          { note: "MRN: 77310042" },
          { q: 1 }
        )
      ),
      mood: fc.constantFrom<Mood>("well", "well", "away", "mad")
    })
  )

  it("law: exactly the tool's price, or nothing: nothing where it was refused or failed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 6 }), async (calls) => {
        const { call, spent } = await member({ pack: "scale" })
        let sum = 0
        for (const { name, input, mood: then } of calls) {
          mood = then
          const { posted, content } = await call(name, input)
          mood = "well"
          const code = content.error?.code ?? ""
          const failed = code.startsWith("SERVER_") || code === "REQUEST_INVALID_CURSOR"
          const due = failed || isRefusal(readTool(name, input)) ? 0 : tools[name].credits
          const said = { name, input, code }
          expect({ ...said, cost: content.meta.credits.cost }).toEqual({ ...said, cost: due })
          if (tools[name].credits > 0) expect(posted.headers["x-credits-cost"]).toBe(String(due))
          sum += due
          expect(await spent()).toBe(sum)
        }
      }),
      { numRuns: runs(15) }
    )
  })

  it("§8.3 what cannot be paid as a whole runs no part of it", async () => {
    const { call, organizationId, keyId, spent } = await member()
    const charge = {
      organizationId,
      cost: starterCredits - 5,
      operation: "x",
      caller: keyId,
      source: "api"
    } as const
    await site.run(
      Effect.flatMap(Ledger, (ledger) =>
        ledger.charge({ ...charge, requestId: "req_before", atMs: Date.now() })
      )
    )
    const { content } = await call("claim_validation", { procedure_codes: ["20610"] })
    expect(content).toMatchObject({
      error: {
        code: "BILLING_CREDITS_EXHAUSTED",
        details: { requests_required: 6, requests_available: 5 }
      },
      meta: { credits: { cost: 0, remaining: 5 } }
    })
    expect(await spent()).toBe(starterCredits - 5)
    expect((await call("prior_auth_check", { procedure_codes: ["E0193"] })).content.error).toBeUndefined()
  })

  it("§8.1 keys and tools of an organization share its limits: a tool uses its whole cost", async () => {
    const { call, get, spent } = await member()
    for (let used = 0; used < 57; used += 1) expect((await get("/jurisdictions")).status).toBe(200)
    const dear = await call("claim_validation", { procedure_codes: ["20610"] })
    expect(dear.content).toMatchObject({
      error: {
        code: "RATE_LIMIT_EXCEEDED",
        retryable: true,
        details: { retry_after_seconds: expect.any(Number) }
      },
      meta: { credits: { cost: 0 } }
    })
    expect(dear.posted.headers).toMatchObject({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "3",
      "retry-after": String(fieldOf(dear.content.error?.details, "retry_after_seconds"))
    })
    // What was refused used nothing of the three that are left.
    const fits = await call("prior_auth_check", { procedure_codes: ["E0193"] })
    expect(fits.posted.headers["x-ratelimit-remaining"]).toBe("0")
    const refused = await get("/jurisdictions")
    expect([refused.status, await spent()]).toEqual([429, 60])
    expect((await call("system_health")).content.error).toBeUndefined()
  })

  it("contract §3 a call refused for its arguments uses the limits, and no credits", async () => {
    const { call, spent } = await member()
    const { posted } = await call("claim_validation", { procedure_codes: [] })
    expect(posted.headers["x-ratelimit-remaining"]).toBe("54")
    const unknown = await call("claim_validation", { procedure_codes: ["20610"], colour: "red" })
    expect(unknown.posted.headers).toMatchObject({ "x-ratelimit-remaining": "48", "x-credits-cost": "0" })
    expect([unknown.content.error?.code, await spent()]).toEqual(["VALIDATION_ERROR", 0])
  })

  it.each([
    ["away", "SERVER_UNAVAILABLE", true],
    ["mad", "SERVER_INTERNAL_ERROR", false]
  ] as const)("§8.3 a second part that is %s gives back the whole, once", async (how, code, retryable) => {
    const { call, organizationId } = await member()
    mood = how
    const { content, posted } = await call("policy_research", { q: "wheelchair" }).finally(() => {
      mood = "well"
    })
    expect(content).toMatchObject({
      error: { code, retryable },
      meta: { credits: { cost: 0, remaining: starterCredits } }
    })
    expect(content.data).toBeUndefined()
    expect(posted.headers["x-credits-remaining"]).toBe(String(starterCredits))
    expect(await statement(organizationId)).toMatchObject({
      charged: 2,
      refunded: 2,
      balance: starterCredits
    })
  })

  it("contract §1 the 10 s deadline ends a tool's call too: SERVER_TIMEOUT, all given back", async () => {
    const { call, organizationId } = await member()
    mood = "hung"
    const answer = call("policy_research", { q: "wheelchair" })
    await expect.poll(() => statement(organizationId)).toMatchObject({ charged: 2 })
    clock.move(callDeadlineMs)
    const { content, posted } = await answer.finally(() => {
      mood = "well"
    })
    expect(content).toMatchObject({
      error: { code: "SERVER_TIMEOUT", retryable: true },
      meta: { credits: { cost: 0, remaining: null } }
    })
    expect(posted.headers["x-credits-remaining"]).toBeUndefined()
    await expect.poll(() => statement(organizationId)).toMatchObject({ refunded: 2, balance: starterCredits })
  })

  it("contract §1 a caller who disconnects pays as if answered, but not for half a message", async () => {
    const { organizationId, token } = await member()
    const body = message("tools/call", { name: "policy_research", arguments: { q: "wheelchair" } })
    gate = Promise.withResolvers<void>()
    mood = "held"
    const leave = postAndLeave(site.url, { authorization: `Bearer ${token}` }, body)
    await expect.poll(() => statement(organizationId)).toMatchObject({ charged: 2 })
    await leave()
    gate.resolve()
    mood = "well"
    await postAndLeave(site.url, { authorization: `Bearer ${token}`, "content-length": "999" }, "{")()
    expect((await callTool(site.url, token, "system_health")).posted.status).toBe(200)
    expect(await statement(organizationId)).toMatchObject({ charged: 2, refunded: 0 })
  })

  it("a message that costs nothing uses nothing of the limits", async () => {
    const { token, get } = await member()
    for (const method of ["ping", "tools/list", "initialize"]) {
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" }
      }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const { status, headers } = await send(site.url, {
        headers: { authorization: `Bearer ${token}` },
        body
      })
      expect([status, headers["x-credits-cost"]]).toEqual([200, undefined])
    }
    expect((await get("/jurisdictions")).headers.get("x-ratelimit-remaining")).toBe("59")
  })
})
