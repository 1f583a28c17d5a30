import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { documentOf, passage, procedure, snapshotOf, time } from "../kit/library.ts"
import { movableClock } from "./clock.ts"
import { customer, healthy, keyFor, serve } from "./harness.ts"
import type { Customer, ServedApp } from "./harness.ts"
import { services } from "./stores.ts"
import { webhookClient } from "./webhookCalls.ts"
import type { Row } from "./webhookCalls.ts"

const noon = Date.UTC(2026, 2, 10, 12)
const url = "https://ok.example.com/in"

const save = (document: PolicyDocument, at: string) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.saveHistory({ snapshot: snapshotOf({}), documents: [document], at: time(at) })
  )

const brace = (given: Partial<PolicyDocument> = {}) =>
  documentOf({ policyId: "L40001", title: "Knee braces", codeGroups: [procedure("L1833")], ...given })

/** Two changes from before the window, one on its first millisecond, and three within. */
const history = Effect.gen(function* () {
  yield* save(brace(), "2026-01-10T08:00:00.000Z")
  yield* save(documentOf({ policyId: "L40002" }), "2026-02-08T11:59:59.999Z")
  yield* save(documentOf({ policyId: "L40003" }), "2026-02-08T12:30:00.000Z")
  const codeGroups = [procedure("L1833", "L1851")]
  yield* save(brace({ codeGroups }), "2026-02-10T08:00:00.000Z")
  const criteria = [passage("indications-1", "Instability of the knee is documented.")]
  yield* save(brace({ codeGroups, criteria }), "2026-02-20T08:00:00.000Z")
  yield* save(documentOf({ policyId: "NCD 20.4", coverageLevel: 2 }), "2026-02-25T08:00:00.000Z")
})

describe.each(services)("contract §2 /compliance, over %s", (_, service) => {
  const clock = movableClock(noon)
  const composed = () =>
    Layer.mergeAll(service(), MemoryLimits.layer, healthy).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let owner: Customer
  let diffIds: ReadonlyArray<number> = []
  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(history)
  })
  beforeEach(async () => {
    owner = await serving.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))
    const changes = await rows("listPolicyChanges", "/policies/changes")
    diffIds = changes.map((change) => Number(change["diff_id"])).toReversed()
  })
  afterAll(() => serving.close())
  const base = () => `${serving.url}/api/v1`
  const { call, code, data, endpoint } = webhookClient(base, () => owner.key)
  const rows = async (...asked: Parameters<typeof data>) =>
    (await data(...asked)) as never as ReadonlyArray<Row>
  const unreviewed = async (query = "") =>
    (await rows("listUnreviewed", `/compliance/unreviewed${query}`)).map((change) =>
      Number(change["diff_id"])
    )
  const acknowledge = (diffId: number | undefined, more: object = {}) =>
    data("acknowledgeChange", "/compliance/ack", { body: { diff_id: diffId, ...more } })
  const acknowledgeAll = (ids: ReadonlyArray<number | undefined>, key?: string) =>
    data("acknowledgeChanges", "/compliance/ack/bulk", {
      body: { diff_ids: ids },
      ...(key === undefined ? {} : { key })
    })
  const events = (id: unknown) => rows("listDeliveries", `/webhooks/${String(id)}/deliveries`)

  it("the unreviewed changes are those of the last 30 days, newest first", async () => {
    const [first, ...others] = await rows("listUnreviewed", "/compliance/unreviewed")
    expect(first).toEqual({
      diff_id: diffIds[5],
      policy_id: "NCD 20.4",
      policy_title: expect.any(String) as string,
      policy_type: "NCD",
      payer_name: "Medicare",
      change_type: "created",
      change_summary: expect.any(String) as string,
      changed_at: "2026-02-25T08:00:00.000Z"
    })
    expect(others.map((change) => change["policy_id"])).toEqual(["L40001", "L40001", "L40003"])
    expect(await unreviewed("?change_type=codes_changed")).toEqual([diffIds[3]])
  })

  it("pages end at a diff id, and what is acknowledged between them is in none", async () => {
    const first = await call("GET", "/compliance/unreviewed?limit=2")
    const { cursor, has_more: hasMore } = first.body.meta["pagination"] as Row
    expect(hasMore).toBe(true)
    await acknowledge(diffIds[3])
    const { status, body } = await call("GET", `/compliance/unreviewed?limit=2&cursor=${String(cursor)}`)
    expect([status, body.data]).toMatchObject([200, [{ diff_id: diffIds[2] }]])
    expect(await code("GET", `/compliance/unreviewed?change_type=created&cursor=${String(cursor)}`)).toBe(
      "REQUEST_INVALID_CURSOR"
    )
  })

  it("an acknowledgement is kept once for the organization, whichever key makes it", async () => {
    const first = await acknowledge(diffIds[5], { notes: "seen" })
    expect(first).toEqual({ id: expect.any(Number) as number, acknowledged: true, already_acked: false })
    expect(await acknowledge(diffIds[5])).toEqual({ ...first, already_acked: true })
    const sibling = await serving.run(keyFor(owner.organizationId, { record: { scopes: ["write"] } }))
    const again = await webhookClient(base, () => sibling.key).data("acknowledgeChange", "/compliance/ack", {
      body: { diff_id: diffIds[5] }
    })
    expect(again).toEqual({ ...first, already_acked: true })
    expect(await unreviewed()).not.toContain(diffIds[5])
    const other = await serving.run(customer({ record: { scopes: ["read", "write"] } }))
    const theirs = webhookClient(base, () => other.key)
    expect(await theirs.data("listUnreviewed", "/compliance/unreviewed")).toHaveLength(4)
    const own = await theirs.data("acknowledgeChange", "/compliance/ack", { body: { diff_id: diffIds[5] } })
    expect(own["already_acked"]).toBe(false)
  })

  it("a change older than the window may be acknowledged, and counts in no statistic", async () => {
    expect(await acknowledge(diffIds[0])).toMatchObject({ already_acked: false })
    expect(await data("complianceStats", "/compliance/stats")).toEqual({
      total_changes_30d: 4,
      acknowledged_count: 0,
      unreviewed_count: 4,
      acknowledgment_rate: 0,
      critical_unreviewed: 2
    })
    await acknowledgeAll([diffIds[2], diffIds[3], diffIds[4]])
    expect(await data("complianceStats", "/compliance/stats")).toEqual({
      total_changes_30d: 4,
      acknowledged_count: 3,
      unreviewed_count: 1,
      acknowledgment_rate: 75,
      critical_unreviewed: 0
    })
  })

  it("an unknown change is told as such, and not as an address that is wrong", async () => {
    const told = await call("POST", "/compliance/ack", { body: { diff_id: 99_999_999 } })
    expect(told.body.error).toMatchObject({
      code: "RESOURCE_NOT_FOUND",
      message: "There is nothing at this address or with this id.",
      hint: "GET /compliance/unreviewed and GET /policies/changes list the ids of changes as diff_id."
    })
  })

  it("an unknown change is RESOURCE_NOT_FOUND, and one of the read scope may not acknowledge", async () => {
    expect(await code("POST", "/compliance/ack", { body: { diff_id: 999_999 } })).toBe("RESOURCE_NOT_FOUND")
    const reader = await serving.run(keyFor(owner.organizationId))
    const reading = webhookClient(base, () => reader.key)
    expect(await reading.code("POST", "/compliance/ack", { body: { diff_id: diffIds[5] } })).toBe(
      "AUTHZ_SCOPE_REQUIRED"
    )
    expect(await reading.code("GET", "/compliance/stats")).toBe("200")
  })

  it("in bulk each id is answered as it would be alone; none that exists is VALIDATION_ERROR", async () => {
    await acknowledge(diffIds[2])
    const listed = [diffIds[2], diffIds[3], diffIds[3], 999_999, diffIds[4], 999_999]
    expect(await acknowledgeAll(listed)).toEqual({
      acknowledged: 2,
      already_acked: 2,
      invalid_ids: [999_999, 999_999],
      total: 6
    })
    const large = [2_147_483_648, Number.MAX_SAFE_INTEGER]
    expect(await acknowledgeAll([large[0], diffIds[2], large[1]])).toEqual({
      acknowledged: 0,
      already_acked: 1,
      invalid_ids: large,
      total: 3
    })
    const none = await call("POST", "/compliance/ack/bulk", { body: { diff_ids: [999_998, 999_999] } })
    expect([none.status, none.body.error.code]).toEqual([400, "VALIDATION_ERROR"])
    expect(none.body.error.details).toMatchObject({ fields: [{ path: "/body/diff_ids" }] })
    expect(none.headers.get("x-credits-cost")).toBe("4")
  })

  it("§6 an acknowledgement emits one event per subscribed endpoint, a bulk one lists them all", async () => {
    const [one, other] = [await endpoint(), await endpoint()]
    await acknowledge(diffIds[5])
    await acknowledge(diffIds[5])
    await acknowledgeAll([diffIds[3], diffIds[4], diffIds[5]])
    await acknowledgeAll([diffIds[3], 999_999])
    const [ones, others] = [await events(one["id"]), await events(other["id"])]
    expect(ones.map((delivery) => delivery["event"])).toEqual(Array(2).fill("compliance.acknowledged"))
    expect(ones).toMatchObject(
      Array(2).fill({ status: "pending", attempts: 0, http_status: null, error: null })
    )
    const ids = (list: ReadonlyArray<Row>) => list.map((delivery) => delivery["webhook_id"])
    expect(ids(others)).toEqual(ids(ones))
    expect(new Set(ids(ones)).size).toBe(2)
    for (const id of ids(ones)) expect(id).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  it("a paused endpoint holds its events, a deleted one gets none, and other packs emit none", async () => {
    const [paused, gone] = [await endpoint(), await endpoint()]
    await data("updateWebhook", `/webhooks/${String(paused["id"])}`, { body: { status: "paused" } })
    await data("deleteWebhook", `/webhooks/${String(gone["id"])}`)
    await acknowledge(diffIds[5])
    expect(await events(paused["id"])).toMatchObject([{ status: "held", next_attempt_at: null }])
    expect(await code("GET", `/webhooks/${String(gone["id"])}/deliveries`)).toBe("RESOURCE_NOT_FOUND")
    const small = await serving.run(customer({ record: { scopes: ["write"] } }))
    const theirs = webhookClient(base, () => small.key)
    expect(await theirs.code("POST", "/compliance/ack", { body: { diff_id: diffIds[5] } })).toBe("200")
  })

  it("§4.6.2 repeated with its key it is one acknowledgement, one event and one charge", async () => {
    const { id } = await endpoint()
    const answers = [await acknowledgeAll([diffIds[4]], "once"), await acknowledgeAll([diffIds[4]], "once")]
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ acknowledged: 1, already_acked: 0 })
    expect(await events(id)).toHaveLength(1)
  })

  it("however many acknowledge one change at once, one is new and one event is emitted", async () => {
    const { id } = await endpoint()
    const answers = await Promise.all(Array.from({ length: 12 }, () => acknowledge(diffIds[3])))
    expect(answers.filter((answer) => answer["already_acked"] === false)).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer["id"])).size).toBe(1)
    expect(await events(id)).toHaveLength(1)
  })

  it("the delivery log pages newest first and filters by status", async () => {
    const { id } = await data("createWebhook", "/webhooks", {
      body: { url, events: ["compliance.acknowledged"] }
    })
    for (const diffId of diffIds.slice(2)) await acknowledge(diffId)
    const all = await events(id)
    const first = await call("GET", `/webhooks/${String(id)}/deliveries?limit=3`)
    const { cursor } = first.body.meta["pagination"] as Row
    const second = await call("GET", `/webhooks/${String(id)}/deliveries?limit=3&cursor=${String(cursor)}`)
    const paged = [...(first.body.data as ReadonlyArray<Row>), ...(second.body.data as ReadonlyArray<Row>)]
    expect(paged).toEqual(all)
    expect(all.map((delivery) => delivery["delivery_id"])).toEqual(
      all.map((delivery) => Number(delivery["delivery_id"])).toSorted((one, other) => other - one)
    )
    expect(await rows("listDeliveries", `/webhooks/${String(id)}/deliveries?status=held`)).toEqual([])
    expect(await rows("listDeliveries", `/webhooks/${String(id)}/deliveries?status=pending`)).toHaveLength(4)
    const { id: another } = await endpoint()
    expect(
      await code("GET", `/webhooks/${String(another)}/deliveries?limit=3&cursor=${String(cursor)}`)
    ).toBe("REQUEST_INVALID_CURSOR")
  })
})
