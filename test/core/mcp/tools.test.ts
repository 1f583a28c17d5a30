import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { isRefusal } from "../../../core/error/Refusal.ts"
import { instructions } from "../../../core/mcp/instructions.ts"
import { listTools } from "../../../core/mcp/listing.ts"
import { readTool } from "../../../core/mcp/readTool.ts"
import { costOf } from "../../../core/mcp/Tool.ts"
import { toolNames, tools } from "../../../core/mcp/tools.ts"
import { isWrite, operationRow } from "../../../core/operation/catalogue.ts"
import { argumentsOf } from "../../mcp/arguments.ts"

describe("contract §3 MCP: the table of tools", () => {
  it("has the seven tools, and each costs what its operations cost", () => {
    const prices = Object.fromEntries(toolNames.map((name) => [name, tools[name].credits]))
    expect(prices).toEqual({
      coverage_lookup: 1,
      policy_research: 2,
      prior_auth_check: 3,
      claim_validation: 6,
      compliance_review: 1,
      directory_lookup: 1,
      system_health: 0
    })
  })

  it.each(toolNames)(
    "%s only reads, needs no more than the read scope and no pack, however it is asked",
    (name) => {
      for (const operation of tools[name].ways.flatMap((way) => Object.values(way))) {
        const { feature, requirement } = operationRow(operation)
        expect([operation, isWrite(operation), feature]).toEqual([operation, false, null])
        expect(["read", null]).toContain(requirement)
      }
    }
  )

  it.each(toolNames)(
    "%s costs the same whichever way it goes, and no more than a call may (§8.1.2)",
    (name) => {
      const costs = new Set(tools[name].ways.map(costOf))
      expect([...costs]).toEqual([tools[name].credits])
      expect(tools[name].credits).toBeLessThanOrEqual(8)
    }
  )

  it.each(toolNames)("%s makes of every argument it takes parts that its operations take", (name) => {
    fc.assert(
      fc.property(argumentsOf(name), (input) => {
        // That one of several arguments is needed is the one thing that the listed schema does not say.
        if (name === "policy_research" && !wordsFor.some((argument) => argument in input)) {
          expect(readTool(name, input)).toEqual(lacksWords)
          return
        }
        const parts = tools[name].partsOf(input)
        if (Result.isFailure(parts)) throw new Error(JSON.stringify(parts.failure))
        const ran = Object.fromEntries(parts.success.map((part) => [part.name, part.operation]))
        expect(tools[name].ways).toContainEqual(ran)
        expect(isRefusal(readTool(name, input))).toBe(false)
      })
    )
  })

  it("policy_research without words, code or policy is refused with what it needs one of", () => {
    expect(readTool("policy_research", { payer: "medicare" })).toEqual(lacksWords)
    for (const words of [{ q: "bed" }, { procedure_code: "E0193" }, { icd10: "E11.65" }, { policy_id: "L1" }])
      expect(isRefusal(readTool("policy_research", words))).toBe(false)
  })

  it("contract §1 PHI: an identifier is refused before the schema, at its place and unnamed", () => {
    expect(readTool("claim_validation", { procedure_codes: 7, patient_name: "Quillfeather" })).toMatchObject({
      code: "PHI_NOT_ALLOWED",
      details: { findings: [{ path: "/arguments/patient_name" }] }
    })
    expect(readTool("coverage_lookup", { code: "287-65-4329" })).toMatchObject({ code: "PHI_NOT_ALLOWED" })
  })
})

describe("MCP 2025-11-25 Tools: what tools/list says", () => {
  it.each(listTools())("$name: annotations, an argument's meaning, its price and both schemas", (tool) => {
    expect(tool.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })
    expect(tool.name).toMatch(/^[a-z_]{1,64}$/)
    expect(tool.description).toMatch(/Costs (nothing|\d credits? a call)\.$/)
    for (const property of Object.values(Object(tool.inputSchema["properties"])))
      expect(property).toMatchObject({ description: expect.stringMatching(/\.$/) })
    expect(tool.inputSchema.type).toBe("object")
    expect(tool.outputSchema).toEqual({ type: "object", required: ["meta"] })
    expect(tool.inputSchema["additionalProperties"]).toBe(false)
  })

  it("contract §3 the whole answer of tools/list is under 16 KB", () => {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: listTools() } })
    expect(new TextEncoder().encode(answer).length).toBeLessThan(16_000)
  })

  it.each(listTools())("$name: a schema that model providers take, dates and words included", (tool) => {
    // Anthropic's and OpenAI's APIs refuse a tool with one of these at the root of its schema.
    for (const keyword of ["anyOf", "oneOf", "allOf"]) expect(tool.inputSchema).not.toHaveProperty(keyword)
    expect(JSON.stringify(tool.inputSchema)).not.toContain("x-expected")
    const properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object(
      tool.inputSchema["properties"]
    )
    for (const [name, property] of Object.entries(properties)) {
      if (name === "as_of" || name === "date_of_service") expect(property["format"]).toBe("date")
      if (/_type$|^(status|section|kind|view|code_system|trace)$/.test(name))
        expect(property["enum"]).toEqual(expect.arrayContaining([expect.any(String)]))
    }
  })

  it("the server's instructions name every tool, the disclaimer and the reference", () => {
    const text = instructions("https://coverage.example")
    for (const name of toolNames) expect(text).toContain(name)
    expect(text).toContain("not medical or legal advice")
    expect(text).toContain("https://coverage.example/docs/mcp")
  })
})

const wordsFor = ["q", "procedure_code", "icd10", "policy_id"]
const missing = "Give at least one of `q`, `procedure_code`, `icd10` or `policy_id`."
const lacksWords = {
  _tag: "Refusal",
  code: "VALIDATION_REQUIRED_FIELD",
  details: { fields: [{ path: "/arguments", code: "required", message: missing }] },
  message: missing,
  hint: undefined
}
