import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SchemaParser from "effect/SchemaParser"
import type * as Schema from "effect/Schema"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { toolAnswer } from "../../core/mcp/toolAnswer.ts"
import { toolNames, tools } from "../../core/mcp/tools.ts"
import type { ToolName } from "../../core/mcp/tools.ts"
import { starterCredits } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { seedDecisions } from "../http/decisions.ts"
import { customer, healthy } from "../http/harness.ts"
import { inMemory } from "../http/stores.ts"
import { clients } from "./connecting.ts"
import type { ConnectedClient } from "./connecting.ts"
import { fieldOf } from "./content.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

/** A sound call of each tool. */
const sound: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
  coverage_lookup: { code: "E0601", jurisdiction: "TX" },
  policy_research: { q: "wheelchair" },
  prior_auth_check: { procedure_codes: ["E0193"], state: "TX", payer: "acme" },
  claim_validation: { procedure_codes: ["20610", "76942"], diagnosis_codes: ["M17.11"], state: "TX" },
  compliance_review: { view: "stats" },
  directory_lookup: { kind: "jurisdictions" },
  system_health: {}
}

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

describe.each(clients)("§5 the official client (%s) at /mcp", (_, connect) => {
  let site: McpSite<Layer.Success<typeof ports>>
  let client: ConnectedClient
  let organizationId: Awaited<ReturnType<typeof newcomer>>
  const newcomer = async () => (await site.run(customer())).organizationId
  const balance = async () => {
    const asked = { organizationId, nowMs: Date.now() }
    return (await site.run(Effect.flatMap(Ledger, (ledger) => ledger.statement(asked))))?.balance
  }
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedDecisions)
  })
  beforeEach(async () => {
    organizationId = await newcomer()
    client = await connect(site.url, site.token({ organizationId }))
  })
  afterEach(() => client.close())
  afterAll(() => site.close())

  it("is told what the server is and which tools it has, for nothing", async () => {
    expect(client.instructions).toContain("no guarantee of payment")
    expect((await client.tools()).map(({ name }) => name)).toEqual(toolNames)
    expect(await balance()).toBe(starterCredits)
  })

  it.each(toolNames)("%s answers by its own schema, and costs what it says", async (name) => {
    await client.tools()
    const { isError, content } = await client.call(name, sound[name])
    expect([isError, content.error]).toEqual([false, undefined])
    const shape = toolAnswer(tools[name]) as unknown as Schema.ConstraintDecoder<unknown>
    SchemaParser.decodeUnknownSync(shape, { onExcessProperty: "error" })(content as unknown)
    const { credits } = tools[name]
    const left = starterCredits - credits
    expect(content.meta.credits).toEqual({ cost: credits, remaining: credits === 0 ? null : left })
    expect(await balance()).toBe(left)
  })

  it("contract §3 a refused call is isError with the error object and request_id, for nothing", async () => {
    await client.tools()
    const { isError, content } = await client.call("coverage_lookup", { code: "" })
    expect(isError).toBe(true)
    expect(content).toMatchObject({
      error: {
        code: "VALIDATION_OUT_OF_RANGE",
        retryable: false,
        docUrl: expect.stringContaining("/docs/errors#validation-out-of-range"),
        details: { fields: [{ path: "/arguments/code" }] }
      },
      request_id: expect.stringMatching(/^req_/),
      meta: { credits: { cost: 0 } }
    })
    expect(await balance()).toBe(starterCredits)
  })

  it("§8.3 what the operation itself refuses has run, and spends the tool's whole cost", async () => {
    const { isError, content } = await client.call("policy_research", { policy_id: "L99999" })
    expect([isError, content.error?.code]).toEqual([true, "RESOURCE_POLICY_NOT_FOUND"])
    expect(content.meta.credits).toEqual({ cost: 2, remaining: starterCredits - 2 })
    expect(await balance()).toBe(starterCredits - 2)
  })

  it("reads one policy with its changes, and pages through a list by its own cursor", async () => {
    const one = await client.call("policy_research", { policy_id: "L33831" })
    expect(one.content.data).toMatchObject({
      policy: { policy_id: "L33831", criteria: {} },
      changes: expect.anything()
    })
    const seen: Array<unknown> = []
    let cursor: unknown
    do {
      const input = {
        q: "wheelchair",
        limit: 1,
        ...(cursor === undefined ? {} : { policies_cursor: cursor })
      }
      const { content } = await client.call("policy_research", input)
      seen.push(fieldOf(content.data, "policies"))
      cursor = fieldOf(content.meta.parts?.["policies"]?.["pagination"], "cursor") ?? undefined
    } while (cursor !== undefined)
    expect(seen).toMatchObject([[{ policy_id: "A52423" }], [{ policy_id: "L33831" }]])
  })

  it("§4.6.1 a cursor of other arguments is refused before anything is charged", async () => {
    const { content } = await client.call("policy_research", { q: "wheelchair", limit: 1 })
    const cursor = fieldOf(content.meta.parts?.["policies"]?.["pagination"], "cursor")
    const other = await client.call("policy_research", { q: "bed", policies_cursor: cursor })
    expect(other.content).toMatchObject({
      error: { code: "REQUEST_INVALID_CURSOR" },
      meta: { credits: { cost: 0 } }
    })
  })

  it("compliance_review lists what waits to be acknowledged", async () => {
    const { content } = await client.call("compliance_review", { view: "list_unreviewed", limit: 5 })
    expect(content.data).toMatchObject({ unreviewed: expect.any(Array) })
    expect(content.meta.parts).toMatchObject({ unreviewed: { pagination: { limit: 5 } } })
  })

  it("opens no stream that stays: there is nothing that changes", async () => {
    await expect(client.listen()).rejects.toThrow()
  })

  it("a tool that is unknown is the protocol's error, and its name is not repeated", async () => {
    const failed = client.call("patient_287-65-4329", {})
    await expect(failed).rejects.toMatchObject({ code: -32_602 })
    await expect(failed).rejects.not.toThrow(/287/)
  })
})
