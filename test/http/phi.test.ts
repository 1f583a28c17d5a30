import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { certifiedScope } from "../../core/operation/scope.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { isOn, surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import type { KeyRecord } from "../../core/key/state.ts"
import { openSite } from "../faults/site.ts"
import type { Site } from "../faults/site.ts"
import type { RunningServer } from "../faults/server.ts"
import { databaseText, redisText } from "../kit/written.ts"
import { customer } from "./harness.ts"
import type { ErrorBody } from "./harness.ts"

/** An invented patient; each text is what a careless client would send, and what of it must stay nowhere. */
const canaries = {
  ssn: ["287-65-4329", "287-65-4329"],
  mbi: ["7QW4-XK2-MP88", "7QW4-XK2"],
  phone: ["(312) 555-0187", "555-0187"],
  email: ["zebulonia@quaxley.example", "zebulonia"],
  dob: ["DOB 3/14/1937", "3/14/1937"],
  mrn: ["MRN: 77310042", "77310042"],
  member_id: ["Member ID QX5520917", "QX5520917"],
  account: ["account number 660198273", "660198273"],
  name: ["Patient name: Quillfeather", "Quillfeather"],
  address: ["48213 Marrowbone Street", "Marrowbone"],
  ip: ["IP address 198.51.100.219", "198.51.100.219"]
} as const
const texts = Object.values(canaries).map(([text]) => text)
/** Places whose text is not an input field: a path, an idempotency key, a body that is not JSON. */
const elsewhere = { path: "PathCanary-287-65-4328", key: "KeyCanary-1", broken: "BrokenCanary-287" }
const traces = [
  ...Object.values(canaries).map(([, trace]) => trace),
  "PathCanary",
  "KeyCanary",
  "BrokenCanary"
]

/** What of the canaries a text holds, in the clear or in hexadecimal digits as PostgreSQL shows bytes. */
const tracesIn = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  return traces.filter((trace) => {
    const sought = trace.toLowerCase()
    return lower.includes(sought) || lower.includes(Buffer.from(trace).toString("hex"))
  })
}

const startMs = 60_000

describe("contract §1 PHI: a patient that clients send by mistake is kept and shown nowhere", () => {
  let site: Site
  let server: RunningServer
  const answered: Array<string> = []
  beforeAll(async () => {
    site = await openSite()
    server = await site.start({ LOG_LEVEL: "trace" })
  }, startMs)
  afterAll(() => site.close())

  const keyFor = async (surface: Surface, id: OperationId): Promise<string> => {
    if (surface === "sandbox") {
      const scopes = operationRow(id).requirement === "certified" ? { scopes: [certifiedScope] } : {}
      const response = await post(`${server.url}${surfacePrefix.sandbox}/keys`, {}, JSON.stringify(scopes))
      return ((await response.json()) as { readonly data: { readonly key: string } }).data.key
    }
    const record: Partial<KeyRecord> =
      operationRow(id).requirement === "certified"
        ? { scopes: [certifiedScope] }
        : { scopes: ["read", "write"] }
    return (await site.run(customer({ pack: "scale", record }))).key
  }

  const post = (url: string, headers: Readonly<Record<string, string>>, body: string) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })

  /** The operation's address with its parameters filled in. */
  const pathOf = (id: OperationId, parameter: string) =>
    operationRow(id).path.replaceAll(/\{\w+\}/g, parameter)

  const send = async (
    asked: { readonly surface: Surface; readonly id: OperationId; readonly key: string },
    sent: { readonly path: string; readonly query?: string; readonly body?: string }
  ) => {
    const { method, body } = operationRow(asked.id)
    const query = sent.query === undefined ? "" : `?${sent.query}`
    const response = await fetch(`${server.url}${surfacePrefix[asked.surface]}${sent.path}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${asked.key}`,
        "content-type": "application/json",
        ...(method === "GET" ? {} : { "x-idempotency-key": elsewhere.key })
      },
      ...(body === undefined ? {} : { body: sent.body ?? "{}" })
    })
    const text = await response.text()
    answered.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Partial<ErrorBody> }
  }

  const rows = (["live", "sandbox"] as const).flatMap((surface) =>
    operationIds
      .filter((id) => isOn(surface, operationRow(id)) && id !== "health")
      .map((id) => [surface, id] as const)
  )

  it.each(rows)("%s %s refuses it in query and body, as value and as name", async (surface, id) => {
    const asked = { surface, id, key: operationRow(id).requirement === null ? "" : await keyFor(surface, id) }
    const path = pathOf(id, "1")
    const refusedKinds = async (sent: Parameters<typeof send>[1]) => {
      const { status, body } = await send(asked, sent)
      expect([status, body.error?.code]).toEqual([400, "PHI_NOT_ALLOWED"])
      const { findings } = (body.error?.details ?? {}) as {
        readonly findings: ReadonlyArray<{ readonly kind: string }>
      }
      return findings.map(({ kind }) => kind)
    }
    const kinds = Object.keys(canaries)
    const query = new URLSearchParams(texts.map((text, index) => [`note${index}`, text] as [string, string]))
    expect(await refusedKinds({ path, query: query.toString() })).toEqual(kinds)
    const names = new URLSearchParams(texts.map((text) => [text, "1"] as [string, string]))
    expect(await refusedKinds({ path, query: names.toString() })).toEqual(kinds)
    if (operationRow(id).params !== undefined) await send(asked, { path: pathOf(id, elsewhere.path) })
    if (operationRow(id).body === undefined) return
    const deep = JSON.stringify({ claim: { lines: texts.map((text) => ({ text })) } })
    expect(await refusedKinds({ path, body: deep })).toEqual(kinds)
    const named = JSON.stringify({ extra: Object.fromEntries(texts.map((text) => [text, 1])) })
    expect(await refusedKinds({ path, body: named })).toEqual(kinds)
    const broken = await send(asked, { path, body: `{"a":"${elsewhere.broken}"` })
    expect(broken.body.error?.code).toBe("VALIDATION_INVALID_JSON")
  })

  it("sound writes with such an idempotency key answer, and keep it as a hash", async () => {
    const { key } = await site.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))
    const asked = { surface: "live", id: "batchCodes", key } as const
    const sent = { path: "/codes/batch", body: JSON.stringify({ codes: ["E0601"] }) }
    expect((await send(asked, sent)).status).toBe(200)
  })

  it("nothing of it is in any answer, any log line, any row of any table, or in Redis", async () => {
    const { tables, text } = await site.run(databaseText)
    expect(tables.length).toBeGreaterThan(10)
    expect(text).toContain("E0601")
    expect(tracesIn(text)).toEqual([])
    const shared = await redisText(site.redis.url)
    expect(shared).toContain("org")
    expect(tracesIn(shared)).toEqual([])
    expect(answered.length).toBeGreaterThan(rows.length)
    expect(tracesIn(answered.join("\n"))).toEqual([])
    expect(tracesIn(server.said())).toEqual([])
    expect(tracesIn(`a ${Buffer.from("Marrowbone").toString("hex")} and 287-65-4329`)).toHaveLength(2)
  })
})
