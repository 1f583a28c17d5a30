import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { FieldFault } from "../../core/error/details.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { services } from "./stores.ts"

interface Answered {
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly error: ErrorBody["error"] & { readonly details: { readonly fields: ReadonlyArray<FieldFault> } }
}

/** The smallest claim. */
const short = { procedure_codes: ["E0601"] }

describe.each(services)("what the service takes though it is not exact, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  const ask = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const response = await fetch(`${serving.url}/api/v1${path}`, { headers, ...posted })
    return { status: response.status, ...((await response.json()) as Answered) }
  }

  it.each([
    ["/policies/L33831?zz=1", ["zz"]],
    ["/jurisdictions?state=OH&b=2&b=3", ["b", "state"]],
    ["/policies?q=wheelchair&query=wheelchair", ["query"]],
    ["/health?verbose=1", ["verbose"]],
    [`/policies?${Array.from({ length: 30 }, (_unused, index) => `n${index}=`).join("&")}`, 20]
  ])("contract §1 %s lists the names that it ignored", async (path, expected) => {
    const { meta, status } = await ask(path)
    const ignored = meta["ignored_parameters"] as ReadonlyArray<string>
    expect(status).toBe(200)
    expect(typeof expected === "number" ? ignored.length : ignored.toSorted()).toEqual(expected)
  })

  it("contract §1 a POST lists the names of its query that it ignored", async () => {
    const { meta } = await ask("/codes/batch?include=rvu", { codes: ["E0601"] })
    expect(meta["ignored_parameters"]).toEqual(["include"])
  })

  it("contract §1 names that one caller sent are not shown to the next", async () => {
    await ask("/policies/L33831?mine=1")
    expect((await ask("/policies/L33831")).meta).not.toHaveProperty("ignored_parameters")
    expect((await ask("/policies/L33831?include=codes&as_of=2026-01-01")).meta).not.toHaveProperty(
      "ignored_parameters"
    )
  })

  it("contract §1 a null for an optional member counts as absent", async () => {
    const claim = {
      procedure_codes: ["E0601"],
      payer: null,
      plan_type: null,
      diagnosis_codes: null,
      modifiers: null,
      units: null,
      attested_conditions: null,
      trace: null
    }
    const [given, left] = [await ask("/claims/validate", claim), await ask("/claims/validate", short)]
    expect([given.status, left.status]).toEqual([200, 200])
    expect(given.data).toEqual(left.data)
    const parameters = { procedure_code: "E0601", modifier: null, diagnosis_codes: null }
    const evaluated = await ask("/coverage/evaluate", { policy_id: "L33831", parameters, trace: null })
    expect(evaluated.status).toBe(200)
  })
  it.each([
    ["/claims/validate", { procedure_codes: null }, "VALIDATION_REQUIRED_FIELD /body/procedure_codes"],
    ["/coverage/evaluate", { policy_id: null, parameters: {} }, "VALIDATION_REQUIRED_FIELD /body/policy_id"],
    [
      "/coverage/evaluate",
      { policy_id: "L33831", parameters: null },
      "VALIDATION_REQUIRED_FIELD /body/parameters"
    ],
    ["/claims/validate", { procedure_codes: [null] }, "VALIDATION_ERROR /body/procedure_codes/0"],
    ["/claims/validate", { ...short, units: { E0601: null } }, "VALIDATION_ERROR /body/units/E0601"],
    ["/claims/validate", { ...short, wonders: null }, "VALIDATION_ERROR /body/wonders"]
  ])("contract §1 %s with %j is rejected: %s", async (path, body, expected) => {
    const { error, status } = await ask(path, body)
    expect([status, `${error.code} ${error.details.fields[0]?.path}`]).toEqual([400, expected])
  })

  it.each([
    ["/claims/validate", "procedure_code", "procedure_codes"],
    ["/claims/validate", "procedureCodes", "procedure_codes"],
    ["/claims/validate", "diagnosis", "diagnosis_codes"],
    ["/claim-validation", "place_of_service", undefined],
    ["/claim-validation", "wonders", undefined]
  ])("contract §1 %s suggests the nearest name for %s", async (path, name, nearest) => {
    const { error } = await ask(path, { ...short, [name]: ["E0601"] })
    const fault = error.details.fields.find((field) => field.path === `/body/${name}`)
    expect(fault?.message.includes("Did you mean")).toBe(nearest !== undefined)
    expect(fault?.message).toContain(nearest === undefined ? "takes" : `Did you mean \`${nearest}\`?`)
  })
})
