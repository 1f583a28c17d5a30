import { describe, expect, it } from "vitest"
import { nearestName } from "../../../core/error/nearestName.ts"
import { isRefusal } from "../../../core/error/Refusal.ts"
import { readArguments } from "../../../core/mcp/readArguments.ts"
import { readTool } from "../../../core/mcp/readTool.ts"
import { toolNames, tools } from "../../../core/mcp/tools.ts"
import type { ToolName } from "../../../core/mcp/tools.ts"

const read = (name: ToolName, input: unknown) => readArguments(tools[name].schema, input)

const code = (name: ToolName, input: unknown) => {
  const parts = readTool(name, input)
  return isRefusal(parts) ? parts.code : undefined
}

const messages = (name: ToolName, input: unknown): ReadonlyArray<string> => {
  const refusal = readTool(name, input)
  const { fields = [] } = Object(isRefusal(refusal) ? refusal.details : {}) as {
    readonly fields?: ReadonlyArray<{ readonly message: string }>
  }
  return fields.map(({ message }) => message)
}

describe("contract §3 MCP: arguments are read forgivingly, by the schema", () => {
  it.each([null, ""])("an optional argument that is %j is absent", (empty) => {
    const absent = { state: empty, diagnosis_codes: empty, criteria_page: empty, trace: empty }
    expect(read("prior_auth_check", { procedure_codes: ["E0193"], ...absent })).toEqual({
      procedure_codes: ["E0193"]
    })
    expect(code("coverage_lookup", { code: "E0601", code_system: empty, as_of: empty })).toBeUndefined()
    expect(code("policy_research", { q: "bed", limit: empty, policies_cursor: empty })).toBeUndefined()
  })

  it("a required argument that is null is missing, and one that is an empty text is out of range", () => {
    expect(code("coverage_lookup", { code: null })).toBe("VALIDATION_REQUIRED_FIELD")
    expect(code("coverage_lookup", { code: "" })).toBe("VALIDATION_OUT_OF_RANGE")
    expect(code("claim_validation", { procedure_codes: null })).toBe("VALIDATION_REQUIRED_FIELD")
  })

  const parsed: ReadonlyArray<readonly [ToolName, unknown, unknown]> = [
    ["claim_validation", { procedure_codes: '["99213"]' }, { procedure_codes: ["99213"] }],
    [
      "claim_validation",
      { procedure_codes: ' [ "99213", "0627T" ] ' },
      { procedure_codes: ["99213", "0627T"] }
    ],
    ["claim_validation", { diagnosis_codes: "[]" }, { diagnosis_codes: [] }],
    ["claim_validation", { units: '{"97110": 4}' }, { units: { "97110": 4 } }],
    ["claim_validation", { units: '{"97110": "4"}' }, { units: { "97110": 4 } }],
    ["claim_validation", { units: { "97110": "4" } }, { units: { "97110": 4 } }],
    ["policy_research", { limit: "5" }, { limit: 5 }],
    ["policy_research", { include_codes: "true" }, { include_codes: true }],
    ["policy_research", { include_codes: "False" }, { include_codes: false }],
    ["prior_auth_check", { criteria_page: "2" }, { criteria_page: 2 }],
    ["prior_auth_check", { attested_conditions: '["a","b"]' }, { attested_conditions: ["a", "b"] }]
  ]
  it.each(parsed)("%s reads %j as %j", (name, sent, input) => {
    expect(read(name, sent)).toEqual(input)
  })

  const unchanged: ReadonlyArray<readonly [ToolName, unknown]> = [
    ["coverage_lookup", { code: "00100" }],
    ["coverage_lookup", { code: "99213" }],
    ["coverage_lookup", { code: "1E5" }],
    ["coverage_lookup", { code: '"99213"' }],
    ["coverage_lookup", { code: '["99213"]' }],
    ["policy_research", { q: "5", policy_id: "33831" }],
    ["policy_research", { limit: "five" }],
    ["policy_research", { limit: "[5]" }],
    ["policy_research", { include_codes: "yes" }],
    ["claim_validation", { procedure_codes: "99213" }],
    ["claim_validation", { procedure_codes: "99213,99214" }],
    ["claim_validation", { procedure_codes: "[99213" }],
    ["claim_validation", { procedure_codes: ["00100", "0627T"] }],
    ["claim_validation", { units: '{"97110":1,"97110":2}' }],
    ["claim_validation", { colour: null }]
  ]
  it.each(unchanged)("%s leaves %j as it is", (name, sent) => {
    expect(read(name, sent)).toEqual(sent)
  })

  it.each(["99213", "99213,99214", "99213, 99214", "99213 99214"])(
    "the text %j for a list of codes is refused, and the message asks for one code per element",
    (text) => {
      expect(code("claim_validation", { procedure_codes: text })).toBe("VALIDATION_ERROR")
      const [message] = messages("claim_validation", { procedure_codes: text })
      expect(message).toBe(
        "`procedure_codes` is a list of 1 to 10 items: send a JSON array, one code per element."
      )
    }
  )

  it("a list of another kind asks for one value per element", () => {
    const [message] = messages("claim_validation", { procedure_codes: ["E0601"], attested_conditions: "a" })
    expect(message).toMatch(/send a JSON array, one value per element\.$/)
  })

  it("a comma list within an element is refused with the correction", () => {
    const [message] = messages("claim_validation", { procedure_codes: ["99213,99214"] })
    expect(message).toMatch(/^`procedure_codes\[0\]` .*code/)
  })

  it.each(toolNames)("%s refuses an unknown argument, even one without a value", (name) => {
    for (const value of ["red", null, ""]) {
      const refusal = readTool(name, { q: "x", colour: value })
      expect(refusal).toMatchObject({
        details: {
          fields: expect.arrayContaining([
            expect.objectContaining({ path: "/arguments/colour", code: "unknown_field" })
          ])
        }
      })
    }
  })

  const nearest: ReadonlyArray<readonly [ToolName, string, string]> = [
    ["coverage_lookup", "cod", "code"],
    ["coverage_lookup", "codeSystem", "code_system"],
    ["claim_validation", "procedureCodes", "procedure_codes"],
    ["claim_validation", "procedure_code", "procedure_codes"],
    ["claim_validation", "diagnosis", "diagnosis_codes"],
    ["prior_auth_check", "payor", "payer"],
    ["policy_research", "icd_10", "icd10"],
    ["policy_research", "policyId", "policy_id"]
  ]
  it.each(nearest)("%s: %s means %s", (name, sent, meant) => {
    const [message] = messages(name, { [sent]: "x" })
    expect(message).toContain(`\`${sent}\` is not an argument of this tool. Did you mean \`${meant}\`?`)
    expect(message).toContain("Its arguments are ")
  })

  it("a name that is like no other gets no suggestion, only the arguments", () => {
    expect(messages("system_health", { verbose: true })).toEqual([
      "`verbose` is not an argument of this tool. It takes none."
    ])
    expect(messages("coverage_lookup", { code: "E0601", colour: "red" })).toEqual([
      "`colour` is not an argument of this tool. Its arguments are code, code_system, jurisdiction and as_of."
    ])
    expect(nearestName("", ["a"])).toBeUndefined()
    expect(nearestName("x".repeat(100_000), ["code"])).toBeUndefined()
  })

  it.each([
    { procedure_codes: '["99213"]', units: '{"patient_name":"Quillfeather"}' },
    { procedure_codes: '["287-65-4329"]' },
    { procedure_codes: '{"note":["MRN: 77310042"]}' },
    { units: '{"ssn":"287-65-4329"}' }
  ])("contract §1 PHI in a text that is JSON is refused before the schema: %j", (input) => {
    const refusal = readTool("claim_validation", input)
    expect(refusal).toMatchObject({ code: "PHI_NOT_ALLOWED" })
    expect(JSON.stringify(refusal)).not.toMatch(/287-65|Quillfeather|77310042/)
  })

  it("a text of JSON that is too deep is refused", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`
    expect(code("claim_validation", { procedure_codes: deep })).toBe("VALIDATION_OUT_OF_RANGE")
  })
})
