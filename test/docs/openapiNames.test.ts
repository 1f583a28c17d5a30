import { describe, expect, it } from "vitest"
import { openApi } from "../../adapters/http/openapi.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import { shareSchemas } from "../../adapters/http/openapi/shareSchemas.ts"
import { nameKeyword } from "../../core/operation/jsonSchema.ts"

interface Described {
  readonly operationId: string
  readonly summary: string
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const document = openApi("", kept as SandboxAnswers) as unknown as Document
const calls = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const events = Object.values(document.webhooks).map(({ post }) => post)
const text = JSON.stringify(document)

describe("openapi.json for generated clients", () => {
  it("has an operation id of letters and digits for every operation and event, each once", () => {
    const ids = [...calls, ...events].map(({ operationId }) => operationId)
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(events.map(({ operationId }) => operationId)).toEqual(["onComplianceAcknowledged", "onTestPing"])
  })

  it("names components in at most 40 characters without punctuation", () => {
    const { examples: _, ...named } = document.components
    const names = Object.values(named).flatMap((components) => Object.keys(components))
    expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9]{0,39}$/.test(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(["CoverageDecision", "PolicySummary", "ValidationError"]))
  })

  it("describes each named schema once, whatever operations return it", () => {
    expect(text.includes(nameKeyword)).toBe(false)
    expect(text.split('"#/components/schemas/TraceStep"').length - 1).toBeGreaterThan(2)
    expect(text.split('"#/components/schemas/MedicareContractor"').length - 1).toBeGreaterThan(4)
  })

  it("keeps a schema in place whose name belongs to a different schema", () => {
    const [one, other] = ["string", "number"].map((type) => ({ [nameKeyword]: "Same", type }))
    const shared = shareSchemas({ first: { ...one, description: "A." }, other, components: { schemas: {} } })
    expect(shared).toEqual({
      first: { description: "A.", $ref: "#/components/schemas/Same" },
      other,
      components: { schemas: { Same: { type: "string" } } }
    })
  })

  it("has only components that are used, except the error of a surface that is not described", () => {
    const unused = Object.entries(document.components).flatMap(([kind, components]) =>
      Object.keys(components).filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
    )
    expect(unused).toEqual(["key", "CommercialSurfaceUnavailableError", "COMMERCIAL_SURFACE_UNAVAILABLE"])
  })

  it("summarizes every operation as a verb and its object, in at most 60 characters", () => {
    const verbs = [
      ...["Acknowledge", "Check", "Compare", "Count", "Create", "Delete", "Evaluate", "Get", "List", "Look"],
      ...["Replay", "Rotate", "Search", "Send", "Update", "Validate"]
    ]
    const faulty = calls
      .map(({ summary }) => summary)
      .filter(
        (summary) =>
          summary.length > 60 || summary.endsWith(".") || !verbs.includes(summary.split(" ")[0] ?? "")
      )
    expect(faulty).toEqual([])
    expect(new Set(calls.map(({ summary }) => summary)).size).toBe(calls.length)
    expect(events.filter(({ summary }) => summary.length > 60 || summary.endsWith("."))).toEqual([])
  })

  it("declares the members of meta that only some coverage responses have", () => {
    const { properties, required } = Object(document.components["schemas"]?.["CoverageMeta"]) as {
      readonly properties: object
      readonly required: ReadonlyArray<string>
    }
    expect(required).toEqual(["data_as_of", "disclaimer"])
    expect(Object.keys(properties)).toEqual([...required, "omitted", "includes_unavailable"])
  })

  it("describes every tag, and the alias of the idempotency header", () => {
    expect(document.tags.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([])
    expect(text).toContain("`Idempotency-Key` is an alias")
  })
})
