import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { day, documentOf, passage, procedure, snapshotOf, time } from "../kit/library.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { services } from "./stores.ts"

interface Changes {
  readonly data: ReadonlyArray<{
    readonly diff_id: number
    readonly policy_id: string
    readonly change_type: string
    readonly changed_at: string
  }>
  readonly meta: {
    readonly data_as_of: string | null
    readonly pagination: {
      readonly cursor: string | null
      readonly has_more: boolean
      readonly limit: number
    }
  }
}

const brace = (given: Partial<PolicyDocument> = {}) =>
  documentOf({ policyId: "L40001", title: "Knee braces", codeGroups: [procedure("L1833")], ...given })

const save = (document: PolicyDocument, at: string) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.saveHistory({ snapshot: snapshotOf({}), documents: [document], at: time(at) })
  )

/** One policy through four changes of different kinds, and an NCD; each on its own day. */
const history = Effect.gen(function* () {
  yield* save(brace(), "2026-01-10T08:00:00.000Z")
  yield* save(brace({ title: " Knee  braces" }), "2026-01-11T08:00:00.000Z")
  yield* save(brace({ codeGroups: [procedure("L1833", "L1851")] }), "2026-02-10T08:00:00.000Z")
  yield* save(
    brace({
      codeGroups: [procedure("L1833", "L1851")],
      criteria: [passage("indications-1", "Instability of the knee is documented.")]
    }),
    "2026-02-20T08:00:00.000Z"
  )
  yield* save(documentOf({ policyId: "NCD 20.4", coverageLevel: 2 }), "2026-02-25T08:00:00.000Z")
  yield* save(
    brace({
      status: "retired",
      retireDate: day("2026-02-28"),
      codeGroups: [procedure("L1833", "L1851")],
      criteria: [passage("indications-1", "Instability of the knee is documented.")]
    }),
    "2026-03-01T08:00:00.000Z"
  )
})

describe.each(services)("contract §2 GET /policies/changes, over %s", (_, ports) => {
  const composed = () => Layer.mergeAll(ports(), MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let key = ""
  const send = (query: string, bearer = key) =>
    fetch(`${serving.url}/api/v1/policies/changes${query}`, {
      headers: { authorization: `Bearer ${bearer}` }
    })
  const get = async (query: string) => {
    const response = await send(query)
    expect([query, response.status]).toEqual([query, 200])
    return (await response.json()) as Changes
  }
  const types = async (query: string) => (await get(query)).data.map((one) => one.change_type)

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(history)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  it("gives every real change newest first, and nothing where only white space differed", async () => {
    const { data } = await get("")
    expect(data.map((one) => [one.policy_id, one.change_type])).toEqual([
      ["L40001", "retired"],
      ["NCD 20.4", "created"],
      ["L40001", "criteria_changed"],
      ["L40001", "codes_changed"],
      ["L40001", "created"]
    ])
    const ids = data.map((one) => one.diff_id)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  })

  it("says what changed, from which version to which, and whose policy it is", async () => {
    const { data } = await get("?change_type=codes_changed")
    expect(data).toEqual([
      {
        diff_id: expect.any(Number) as number,
        policy_id: "L40001",
        policy_title: "Knee braces",
        policy_type: "LCD",
        payer_name: "Medicare",
        old_version: 2,
        new_version: 3,
        change_type: "codes_changed",
        change_summary: "Codes changed: 1 code added; fields: codes.",
        changed_at: "2026-02-10T08:00:00.000Z",
        details: {
          changed_fields: ["codes"],
          added_codes: ["L1851"],
          removed_codes: [],
          modified_criteria: []
        }
      }
    ])
  })

  it("filters by policy in any writing, by its type and by the kind of change", async () => {
    expect(await types("?policy_id=ncd20.4")).toEqual(["created"])
    expect(await types("?policy_type=NCD")).toEqual(["created"])
    expect(await types("?policy_id=lcd%2040001&change_type=retired")).toEqual(["retired"])
    expect(await types("?policy_id=L99999")).toEqual([])
    expect(await types("?policy_id=%20")).toEqual([])
  })

  it("since is a moment: an offset is understood, and the moment itself is within", async () => {
    expect(await types("?since=2026-02-20T08:00:00Z")).toEqual(["retired", "created", "criteria_changed"])
    expect(await types("?since=2026-02-20T08:00:00.001Z")).toEqual(["retired", "created"])
    expect(await types("?since=2026-02-20T17:00:00%2B09:00")).toEqual([
      "retired",
      "created",
      "criteria_changed"
    ])
    expect(await types("?since=2026-02-20T03:30:00-05:00")).toEqual(["retired", "created"])
    expect(await types("?since=9999-12-31T23:59:59-10:00")).toEqual([])
    expect((await types("?since=0000-01-01T00:00:00Z")).length).toBe(5)
    expect(await types("?since=2026-02-20")).toEqual(await types("?since=2026-02-20T00:00:00Z"))
    expect(await types("?since=2026-02-21")).not.toEqual(await types("?since=2026-02-20"))
  })

  it("pages by diff id: each change once amid writes, and a cursor is for its own use", async () => {
    const before = (await get("?limit=100")).data.map((one) => one.diff_id)
    const seen: Array<number> = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const at: string = cursor === null ? "" : `&cursor=${cursor}`
      const { data, meta }: Changes = await get(`?limit=2${at}`)
      expect(meta.pagination).toMatchObject({ limit: 2, has_more: meta.pagination.cursor !== null })
      seen.push(...data.map((one) => one.diff_id))
      cursor = meta.pagination.cursor
      if (page > 0) continue
      await serving.run(save(documentOf({ policyId: "L40002" }), "2026-03-02T08:00:00.000Z"))
      const other = await serving.run(customer())
      for (const response of [
        await send(`?limit=2&policy_type=LCD${at}&cursor=${cursor}`),
        await send(`?cursor=${cursor}`, other.key),
        await fetch(`${serving.url}/api/v1/policies?cursor=${cursor}`, {
          headers: { authorization: `Bearer ${key}` }
        })
      ]) {
        expect(((await response.json()) as ErrorBody).error.code).toBe("REQUEST_INVALID_CURSOR")
      }
    }
    expect(seen).toEqual(before)
    expect((await get("?limit=1")).data[0]?.policy_id).toBe("L40002")
  })
})
