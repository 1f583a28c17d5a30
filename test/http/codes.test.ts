import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { recordOf, snapshotOf } from "../kit/library.ts"
import { seedLibrary } from "./library.ts"
import { services } from "./stores.ts"

interface Success {
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
}

describe.each(services)("what is told of codes, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (
    path: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {}
  ) =>
    fetch(`${serving.url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers }
    })
  const get = async (path: string) => {
    const response = await send(path)
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as Success
  }

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("contract §2 codes are found in any usual writing", async () => {
    expect((await get("/codes/lookup?code=%20e0601")).data).toMatchObject({
      code: "E0601",
      code_system: "HCPCS",
      is_active: true
    })
    expect((await get("/codes/lookup?code=e11.65")).data).toMatchObject({
      code: "E11.65",
      code_system: "ICD10CM"
    })
    expect((await get("/codes/lookup?code=E1165")).data).toMatchObject({
      code: "E11.65",
      code_system: "ICD10CM"
    })
    expect((await get("/codes/lookup?code=A0100")).data["code_system"]).toBe("HCPCS")
    expect((await get("/codes/lookup?code=A01.00")).data["code_system"]).toBe("ICD10CM")
    expect((await get("/codes/lookup?code=A0100&code_system=ICD10CM")).data["code_system"]).toBe("ICD10CM")
  })

  it("contract §2 a header is not billable and lists its children, in a lookup and in a batch", async () => {
    const codes = ["M54", "M541", "M5410", "M549"].map((code) =>
      recordOf({ code, codeSystem: "ICD10CM", description: code, billable: code.length > 4 })
    )
    const snapshot = snapshotOf({ kind: "icd10cm" })
    await serving.run(Effect.flatMap(Snapshots, ({ save }) => save({ _tag: "Codes", snapshot, codes })))
    const { data } = await get("/codes/lookup?code=m54")
    const children = [
      { code: "M54.1", description: "M541" },
      { code: "M54.9", description: "M549" }
    ]
    expect(data).toMatchObject({ code: "M54", billable: false, children })
    const billable = (await get("/codes/lookup?code=E11.65")).data
    expect(billable["billable"]).toBe(true)
    expect(billable).not.toHaveProperty("children")
    expect((await get("/codes/lookup?code=E0601")).data["billable"]).toBeNull()
    const response = await send("/codes/batch", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ codes: ["M54", "ZZZZZ"] })
    })
    const { results } = ((await response.json()) as Success).data as Record<string, object>
    expect(results).toMatchObject({
      M54: { billable: false, children },
      ZZZZZ: { found: false, billable: null }
    })
  })

  it("contract §2 a code that only a policy lists is found, as the documents describe it", async () => {
    expect((await get("/codes/lookup?code=K0001")).data).toMatchObject({
      found: true,
      code_system: "HCPCS",
      description: "STANDARD WHEELCHAIR",
      edition: null
    })
  })

  it("contract §2 include=policies shows who lists the code, in the place that is asked for", async () => {
    const { data } = await get("/codes/lookup?code=E0601&include=policies&jurisdiction=TX")
    expect(data["policies"]).toMatchObject([
      { policy_id: "L33831", disposition: "conditional", jurisdiction: "JH" }
    ])
    expect(
      (await get("/codes/lookup?code=E0601&include=policies&jurisdiction=DME%20JC")).data["policies"]
    ).toEqual([])
  })

  it("contract §2 include=rvu shows the whole service's row of the fee schedule, else null", async () => {
    const { data } = await get("/codes/lookup?code=99213&include=rvu&as_of=2026-06-01")
    expect(data).toMatchObject({
      code_system: "CPT",
      found: true,
      description: null,
      is_active: true,
      edition: "2026"
    })
    expect(data["rvu"]).toEqual({
      work_rvu: 1,
      non_facility_pe_rvu: 2,
      facility_pe_rvu: null,
      mp_rvu: 0.1,
      non_facility_total: 3.1,
      facility_total: null,
      status_code: "A",
      global_days: "YYY",
      conversion_factor: 33,
      source: "Medicare physician fee schedule",
      edition: "2026"
    })
    expect((await get("/codes/lookup?code=E0601&include=rvu&as_of=2026-06-01")).data["rvu"]).toBeNull()
    const before = (await get("/codes/lookup?code=99213&include=rvu&as_of=2025-06-01")).data
    expect(before).toMatchObject({ rvu: null, is_active: null })
    expect((await get("/codes/lookup?code=99213")).data).not.toHaveProperty("rvu")
  })

  it("contract §2 a lookup names the table that answered, for a code of policies alone none", async () => {
    expect((await get("/codes/lookup?code=E0601&as_of=2026-06-01")).data["edition"]).toBe("2026")
    const unvalued = (await get("/codes/lookup?code=11055&as_of=2026-06-01")).data
    expect(unvalued).toMatchObject({ found: true, code_system: "CPT", edition: null, is_active: null })
    const listed = { found: true, edition: null, is_active: null }
    const before = (await get("/codes/lookup?code=E0601&as_of=2025-06-01")).data
    expect(before).toMatchObject({ edition: "2026", is_active: null })
    for (const text of ["E1166", "e11.66"]) {
      const { data } = await get(`/codes/lookup?code=${text}`)
      expect(data).toMatchObject({ ...listed, code: "E11.66", code_system: "ICD10CM" })
      expect(data["description"]).toBe("A diagnosis of no table")
    }
  })

  it("contract §2 a policy's codes are displayed as documents describe them, else the table", async () => {
    const { data } = await get("/policies/L33831?include=codes")
    const codes = data["codes"] as Record<
      string,
      ReadonlyArray<{ readonly code: string; readonly display: string }>
    >
    expect(Object.values(codes).flatMap((all) => all.map(({ code, display }) => [code, display]))).toEqual([
      ["E0601", "Continuous positive airway pressure device"],
      ["K0001", "STANDARD WHEELCHAIR"],
      ["E11.65", "Type 2 diabetes with hyperglycemia"],
      ["E11.66", "A diagnosis of no table"]
    ])
  })

  it("contract §2 an absent code is 404 with suggestions, or with fuzzy=true a found: false", async () => {
    const absent = await send("/codes/lookup?code=E0602")
    expect(absent.status).toBe(404)
    const { error } = (await absent.json()) as ErrorBody
    expect(error.details?.["suggestions"]).toMatchObject([{ code: "E0601", match_type: "code" }])
    expect(error.message).toContain("The loaded HCPCS table (edition 2026, from 2026-01-01)")
    expect(error.message).toContain("No ICD-10-CM table is loaded.")
    const { data } = await get("/codes/lookup?code=E0602&fuzzy=true")
    expect(data).toMatchObject({
      code: "E0602",
      found: false,
      code_system: "UNKNOWN",
      edition: "2026",
      suggestions: [{ code: "E0601" }]
    })
  })

  it("contract §2 a batch keeps the caller's writing as keys, and an absent code fails nothing", async () => {
    const response = await send("/codes/batch", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ codes: [" e0601 ", "E11.65", "ZZZZZ", "e0601", "__proto__"], include: ["rvu"] })
    })
    const { data, meta } = (await response.json()) as Success
    const results = data["results"] as Record<string, { readonly found: boolean }>
    expect(Object.keys(results)).toEqual(["e0601", "E11.65", "ZZZZZ", "__proto__"])
    expect([results["e0601"]?.found, results["E11.65"]?.found, results["ZZZZZ"]?.found]).toEqual([
      true,
      true,
      false
    ])
    expect(meta).toMatchObject({ total_codes: 5, unique_codes: 4, includes: ["rvu"] })
  })
})
