import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SchemaParser from "effect/SchemaParser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { catalogue } from "../../core/operation/catalogue.ts"
import { day, documentOf, id, procedure, save } from "../kit/library.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { services } from "./stores.ts"

/** Refuses an answer that is not of the shape its row declares, to the member. */
const declared = SchemaParser.decodeUnknownSync(catalogue.comparePolicies.success, {
  onExcessProperty: "error"
})

interface Compared {
  readonly data: {
    readonly comparison: ReadonlyArray<Record<string, unknown> & { readonly jurisdiction: string }>
    readonly national_policies: ReadonlyArray<Record<string, unknown>>
    readonly summary: Record<string, unknown>
  }
  readonly meta: Record<string, unknown>
}

const more = save(
  documentOf({
    policyId: "L50001",
    title: "Airway pressure devices",
    states: ["TX"],
    contractors: [{ contractorNumber: "18003", name: "CGS", jurisdictionCode: "DME JC" }],
    codeGroups: [procedure("E0601")],
    related: [{ policyId: id("NCD 240.4"), policyType: "NCD" }]
  }),
  documentOf({ policyId: "NCD 240.4", title: "Airway pressure for sleep apnea", coverageLevel: 1 }),
  documentOf({
    policyId: "L50002",
    status: "retired",
    retireDate: day("2023-01-01"),
    contractors: [{ contractorNumber: "18003", name: "CGS", jurisdictionCode: "DME JC" }],
    codeGroups: [procedure("E0601")]
  }),
  documentOf({
    policyId: "DL50003",
    status: "proposed",
    contractors: [{ contractorNumber: "18003", name: "CGS", jurisdictionCode: "DME JC" }],
    codeGroups: [procedure("E0601")]
  })
)

describe.each(services)("contract §2 POST /policies/compare, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (body: unknown) =>
    fetch(`${serving.url}/api/v1/policies/compare`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const compare = async (body: unknown) => {
    const response = await send(body)
    expect(response.status).toBe(200)
    const answer = (await response.json()) as Compared
    expect(() => declared(answer.data)).not.toThrow()
    return answer
  }

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(Effect.andThen(seedLibrary, more))
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("compares what is in force: nothing retired, nothing proposed, in any writing of the code", async () => {
    const { data, meta } = await compare({ procedure_codes: [" e0601 ", "E0601"] })
    const tie = { covered: 0, not_covered: 0, requires_pa: 0, conditional: 1 }
    expect(data.comparison).toMatchObject([
      { jurisdiction: "DME JC", policies: [{ policy_id: "L50001" }], coverage_summary: tie },
      { jurisdiction: "JH", policies: [{ policy_id: "L33831" }], coverage_summary: tie }
    ])
    expect(data.national_policies).toEqual([
      {
        policy_id: "NCD 240.4",
        title: "Airway pressure for sleep apnea",
        policy_type: "NCD",
        payer: "medicare",
        jurisdiction: null,
        effective_date: "2020-01-01",
        source_url: null,
        disposition: "conditional",
        reached_by: "related_policy",
        codes: [{ code: "E0601", code_system: "HCPCS", disposition: "conditional" }]
      }
    ])
    expect(data.summary).toEqual({
      total_jurisdictions: 2,
      jurisdictions_with_coverage: 2,
      national_policies_count: 1,
      has_variation: false,
      queried_codes: ["E0601"],
      requested_jurisdictions: null,
      unresolved_jurisdictions: [],
      policy_type_filter: null
    })
    expect(meta["data_as_of"]).toBe("2026-03-05")
  })

  it("shows who was asked for, also without a policy, and names who is unknown", async () => {
    const { data } = await compare({
      procedure_codes: ["K0001"],
      jurisdictions: ["jh", "DME JC", "J01"],
      policy_type: "LCD"
    })
    expect(data.comparison).toMatchObject([
      { jurisdiction: "JH", mac: { name: "Novitas Solutions", code: "04412", states: ["TX"] } },
      { jurisdiction: "DME JC", mac: { name: "CGS" }, policies: [] }
    ])
    expect(data.summary).toEqual({
      total_jurisdictions: 2,
      jurisdictions_with_coverage: 1,
      national_policies_count: 0,
      has_variation: true,
      queried_codes: ["K0001"],
      requested_jurisdictions: ["JH", "DME JC", "J1"],
      unresolved_jurisdictions: ["J1"],
      policy_type_filter: "LCD"
    })
  })

  it("an empty list of jurisdictions asks for none in particular", async () => {
    const { data } = await compare({ procedure_codes: ["E0601"], jurisdictions: [] })
    expect(data.summary).toMatchObject({ total_jurisdictions: 2, requested_jurisdictions: null })
  })

  it("codes that no policy lists are compared as nothing, and cost the same 8", async () => {
    const response = await send({ procedure_codes: ["99999"] })
    expect(response.headers.get("x-credits-cost")).toBe("8")
    const { data } = (await response.json()) as Compared
    expect([data.comparison, data.national_policies]).toEqual([[], []])
    expect(data.summary).toMatchObject({ total_jurisdictions: 0, has_variation: false })
  })
})
