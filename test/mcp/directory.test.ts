import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { starterCredits } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { seedDecisions } from "../http/decisions.ts"
import { customer, healthy } from "../http/harness.ts"
import { inMemory } from "../http/stores.ts"
import { fieldOf } from "./content.ts"
import type { Content } from "./content.ts"
import { callTool } from "./posting.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

describe("contract §3 directory_lookup", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedDecisions)
  })
  afterAll(() => site.close())

  /** Calls the tool for a new organization; returns the content and what the organization has left. */
  const look = async (input: Readonly<Record<string, unknown>>) => {
    const { organizationId, key } = await site.run(customer())
    const token = site.token({ organizationId })
    const { result } = await callTool(site.url, token, "directory_lookup", input)
    const asked = { organizationId, nowMs: Date.now() }
    const statement = await site.run(Effect.flatMap(Ledger, (ledger) => ledger.statement(asked)))
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${site.url}/api/v1${path}`, { headers })
      return ((await response.json()) as { readonly data: unknown }).data
    }
    return { content: fieldOf(result, "structuredContent") as Content, left: statement?.balance, get }
  }

  it.each([
    [{ kind: "payers" }, "payers", "/payers"],
    [{ kind: "jurisdictions" }, "jurisdictions", "/jurisdictions"],
    [{ kind: "payers", code: "medicare" }, "payer", "/payers/medicare"],
    [{ kind: "jurisdictions", code: "JH" }, "jurisdiction", "/jurisdictions/JH"],
    [{ kind: "jurisdictions", code: "" }, "jurisdictions", "/jurisdictions"]
  ] as const)("%j returns %s as GET %s does, for one credit", async (input, part, path) => {
    const { content, left, get } = await look(input)
    expect(content.data).toEqual({ [part]: await get(path) })
    expect([content.meta.credits.cost, left]).toEqual([1, starterCredits - 1])
  })

  it.each([
    [{ kind: "payers", code: "nowhere" }, "RESOURCE_PAYER_NOT_FOUND", "directory_lookup and kind payers"],
    [{ kind: "jurisdictions", code: "JZ" }, "RESOURCE_JURISDICTION_NOT_FOUND", "with kind jurisdictions"]
  ])("%j has run: %s, with a hint that names the tool", async (input, code, hint) => {
    const { content, left } = await look(input)
    expect(content.error).toMatchObject({ code, hint: expect.stringContaining(hint) })
    expect(left).toBe(starterCredits - 1)
  })

  it("names the kinds that it takes, and charges nothing for another", async () => {
    const { content, left } = await look({ kind: "states" })
    expect(content.error).toMatchObject({
      code: "VALIDATION_INVALID_FORMAT",
      message: "`kind` takes payers or jurisdictions.",
      details: { fields: [{ path: "/arguments/kind", allowed: ["payers", "jurisdictions"] }] }
    })
    expect(left).toBe(starterCredits)
  })
})
