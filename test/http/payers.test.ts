import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { documentOf, id, importedAt, procedure, snapshotOf } from "../kit/library.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { services } from "./stores.ts"

const northern = {
  code: "northern-plan",
  name: "Northern Health Plan",
  type: "commercial",
  linesOfBusiness: ["commercial", "medicare_advantage"]
}

const seedPayer = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const snapshot = snapshotOf({ snapshotId: "7".repeat(64), kind: "payer_policies" })
  yield* snapshots.save({ _tag: "Payers", snapshot, payers: [northern] })
  const { policy, ...document } = documentOf({ policyId: "NP-7", codeGroups: [procedure("E0601")] })
  yield* snapshots.saveHistory({
    snapshot,
    documents: [
      {
        ...document,
        policy: { ...policy, policyId: id("NP-7"), policyType: "Medical Policy", payerCode: northern.code },
        national: true
      }
    ],
    at: importedAt
  })
})

describe.each(services)("contract §2 payers, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (path: string) =>
    fetch(`${serving.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  const data = async (path: string) => {
    const response = await send(path)
    expect([path, response.status]).toEqual([path, 200])
    return ((await response.json()) as { readonly data: unknown }).data
  }
  const refusal = async (path: string) => {
    const response = await send(path)
    return [response.status, ((await response.json()) as ErrorBody).error.code]
  }

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(Effect.andThen(seedLibrary, seedPayer))
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("every payer of an import is listed, and Medicare always, by code", async () => {
    expect(await data("/payers")).toEqual([
      {
        code: "medicare",
        name: "Medicare",
        type: "federal",
        lines_of_business: ["traditional_medicare"]
      },
      {
        code: "northern-plan",
        name: "Northern Health Plan",
        type: "commercial",
        lines_of_business: ["commercial", "medicare_advantage"]
      }
    ])
  })

  const writings = ["northern-plan", "NORTHERN_PLAN", "northern%20plan", "Northern%20Health-Plan"]

  it.each(writings)("GET /payers/%s finds it", async (code) => {
    expect(await data(`/payers/${code}`)).toMatchObject({ code: "northern-plan" })
  })

  it.each(["medicare", "Original%20Medicare", "CMS"])("GET /payers/%s is Medicare", async (code) => {
    expect(await data(`/payers/${code}`)).toMatchObject({ code: "medicare" })
  })

  it("a payer whom nobody knows is RESOURCE_PAYER_NOT_FOUND, here and as a filter", async () => {
    expect(await refusal("/payers/southern")).toEqual([404, "RESOURCE_PAYER_NOT_FOUND"])
    expect(await refusal("/policies?payer=southern")).toEqual([404, "RESOURCE_PAYER_NOT_FOUND"])
  })

  it("GET /policies?payer= lists that payer's policies and no other's", async () => {
    expect(await data("/policies?payer=northern%20plan")).toMatchObject([
      { policy_id: "NP-7", payer: "northern-plan" }
    ])
    const medicares = (await data("/policies?payer=Medicare")) as ReadonlyArray<Record<string, unknown>>
    expect(medicares.map((one) => one["payer"])).toEqual(["medicare", "medicare"])
  })

  it("GET /policies/{id} names the payer", async () => {
    expect(await data("/policies/NP-7")).toMatchObject({
      payer: { code: "northern-plan", name: "Northern Health Plan", type: "commercial" }
    })
    expect(await data("/policies/L33831")).toMatchObject({
      payer: { code: "medicare", name: "Medicare", type: "federal" }
    })
  })
})
