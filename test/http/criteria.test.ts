import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { CriteriaBlock } from "../../core/coverage/Policy.ts"
import { Policies, PoliciesUnavailable } from "../../core/port/Policies.ts"
import { day, documentOf, passage, save } from "../kit/library.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inMemory, services } from "./stores.ts"

interface Found {
  readonly data: ReadonlyArray<{
    readonly criteria_id: string
    readonly text: string
    readonly section: string
  }>
  readonly meta: {
    readonly pagination: { readonly cursor: string | null; readonly has_more: boolean }
  }
}

const block = (blockId: string, section: CriteriaBlock["section"], text: string): CriteriaBlock => ({
  ...passage(blockId, text),
  section
})

const texas = {
  states: ["TX"],
  contractors: [{ contractorNumber: "04412", name: "N", jurisdictionCode: "JH" }]
}

const criteria = save(
  documentOf({
    policyId: "L50001",
    title: "Oxygen at home",
    ...texas,
    criteria: [
      block("indications-1", "indications", "Oxygen is reasonable when saturation is low."),
      block("limitations-1", "limitations", "Oxygen for altitude alone is denied."),
      block("documentation-1", "documentation", "The order names the flow rate.")
    ]
  }),
  documentOf({
    policyId: "NCD 240.2",
    title: "Home oxygen",
    criteria: [block("indications-1", "indications", "Oxygen for cluster headache is covered in a trial.")]
  }),
  documentOf({
    policyId: "L50002",
    title: "Oxygen, retired",
    status: "retired",
    retireDate: day("2024-01-01"),
    criteria: [block("indications-1", "indications", "Oxygen was once covered.")]
  }),
  documentOf({
    policyId: "DL50003",
    title: "Oxygen, proposed",
    status: "proposed",
    criteria: [block("indications-1", "indications", "Oxygen will be covered.")]
  })
)

describe.each(services)("contract §2 GET /coverage/criteria, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (query: string, bearer = key) =>
    fetch(`${serving.url}/api/v1/coverage/criteria?${query}`, {
      headers: { authorization: `Bearer ${bearer}` }
    })
  const get = async (query: string) => {
    const response = await send(query)
    expect([query, response.status]).toEqual([query, 200])
    return (await response.json()) as Found
  }
  const ids = async (query: string) => (await get(query)).data.map((one) => one.criteria_id).toSorted()

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(Effect.andThen(seedLibrary, criteria))
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("finds passages of policies in force: nothing retired, nothing proposed", async () => {
    expect(await ids("q=oxygen")).toEqual([
      "L50001#indications-1",
      "L50001#limitations-1",
      "NCD 240.2#indications-1"
    ])
  })

  it("says whose passage it is, whole and with how it is to be read", async () => {
    expect((await get("q=altitude")).data).toEqual([
      {
        criteria_id: "L50001#limitations-1",
        policy_id: "L50001",
        policy_title: "Oxygen at home",
        policy_type: "LCD",
        jurisdiction: "JH",
        effective_date: "2020-01-01",
        section: "limitations",
        text: "Oxygen for altitude alone is denied.",
        tags: null,
        requires_manual_review: true,
        confidence_score: null
      }
    ])
  })

  it("filters by section, by type, and by place, where a national policy holds everywhere", async () => {
    expect(await ids("q=oxygen&section=limitations")).toEqual(["L50001#limitations-1"])
    expect(await ids("q=oxygen&policy_type=NCD")).toEqual(["NCD 240.2#indications-1"])
    expect(await ids("q=oxygen&jurisdiction=DME%20JC")).toEqual(["NCD 240.2#indications-1"])
    expect((await ids("q=oxygen&jurisdiction=TX")).length).toBe(3)
    expect((await ids("q=oxygen&jurisdiction=jh")).length).toBe(3)
  })

  it("a text without a word finds nothing, and breaks nothing", async () => {
    for (const text of ["%20", "%22", "-", "(((", "%25"]) expect(await ids(`q=${text}`)).toEqual([])
  })

  it("pages give each passage once while others are written; a cursor is for its own use", async () => {
    const passages = (policyId: string) =>
      save(documentOf({ policyId, criteria: [1, 2, 3].map((at) => passage(`i${at}`, `Lancet rule ${at}.`)) }))
    await serving.run(Effect.all([passages("L60001"), passages("L60003")]))
    const first = await ids("q=lancet")
    expect(first.length).toBe(6)
    const seen: Array<string> = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const { data, meta }: Found = await get(`q=lancet&limit=2${cursor === null ? "" : `&cursor=${cursor}`}`)
      seen.push(...data.map((one) => one.criteria_id))
      cursor = meta.pagination.cursor
      if (page > 0) continue
      await serving.run(passages("L60002"))
      const elsewhere = await send(`q=lancets&limit=2&cursor=${cursor}`)
      expect(((await elsewhere.json()) as ErrorBody).error.code).toBe("REQUEST_INVALID_CURSOR")
      const stolen = await send(`q=lancet&cursor=${cursor}`, (await serving.run(customer())).key)
      expect(((await stolen.json()) as ErrorBody).error.code).toBe("REQUEST_INVALID_CURSOR")
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(first))
  })
})

it("contract §1 a search of criteria that its time limit cut off is SERVER_SEARCH_UNAVAILABLE", async () => {
  const slow = Layer.effect(
    Policies,
    Effect.map(Policies, (sound) =>
      Policies.of({ ...sound, criteria: () => Effect.fail(new PoliciesUnavailable({ fault: "timeout" })) })
    )
  ).pipe(Layer.provideMerge(inMemory))
  const serving = await serve(Layer.mergeAll(slow, MemoryLimits.layer, healthy))
  const { key } = await serving.run(customer())
  const response = await fetch(`${serving.url}/api/v1/coverage/criteria?q=oxygen`, {
    headers: { authorization: `Bearer ${key}` }
  })
  expect(response.status).toBe(500)
  const { error } = (await response.json()) as ErrorBody
  expect(error).toMatchObject({ code: "SERVER_SEARCH_UNAVAILABLE", retryable: true })
  expect(response.headers.get("x-credits-cost")).toBe("0")
  await serving.close()
})
