import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { Pool } from "../../adapters/postgres/Database.ts"
import { toolNames } from "../../core/mcp/tools.ts"
import { seedDecisions } from "../http/decisions.ts"
import { customer, healthy } from "../http/harness.ts"
import { inPostgresAt } from "../http/stores.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { databaseText } from "../kit/written.ts"
import { fieldOf } from "./content.ts"
import { callTool, message, send } from "./posting.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

const logged: Array<string> = []
const ports = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.mergeAll(
      inPostgresAt(connection),
      MemoryLimits.layer,
      healthy,
      Database.layer(connection),
      Logger.layer([Logger.map(Logger.formatJson, (line) => void logged.push(line))]),
      Layer.succeed(References.MinimumLogLevel, "Trace")
    )
  )
).pipe(Layer.orDie)

describe("§5 usage and traces of tools' calls, over PostgreSQL", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedDecisions)
  })
  afterAll(() => site.close())

  const member = async () => {
    const { organizationId, key } = await site.run(customer())
    return { organizationId, key, token: site.token({ organizationId }) }
  }
  const usage = (organizationId: string) =>
    site.run(
      Effect.flatMap(
        Pool,
        (sql) => sql`select operation, cost, status, source, tool, person, caller from usage
          where organization_id = ${organizationId} order by request_id`
      )
    )
  const admin = (text: string) => site.run(Effect.flatMap(Pool, (sql) => sql.unsafe(text)))
  const by = { source: "mcp", person: "person_of_the_tests", caller: "client_of_the_tests" }

  it("§6 a row for each call that ran: source mcp, tool, person and client, and how it ended", async () => {
    const { organizationId, key, token } = await member()
    await callTool(site.url, token, "policy_research", { q: "wheelchair" })
    await callTool(site.url, token, "policy_research", { policy_id: "L99999" })
    await callTool(site.url, token, "coverage_lookup", { code: "" })
    await callTool(site.url, token, "system_health")
    await fetch(`${site.url}/api/v1/jurisdictions`, { headers: { authorization: `Bearer ${key}` } })
    const research = { ...by, tool: "policy_research", cost: 2 }
    await expect
      .poll(() => usage(organizationId), { timeout: 20_000 })
      .toMatchObject([
        { ...research, operation: "listPolicies", status: 200 },
        { ...research, operation: "getPolicy", status: 404 },
        { operation: "listJurisdictions", source: "api", tool: null, person: null, cost: 1 }
      ])
  })

  it("§8.3 a call whose second part the store failed is a 500 in usage, and costs nothing", async () => {
    const { organizationId, token } = await member()
    await admin("alter table policy_passage rename to policy_passage_gone")
    await admin("update library_generation set generation = generation + 1")
    const { result } = await callTool(site.url, token, "policy_research", { q: "wheelchair" }).finally(() =>
      admin("alter table policy_passage_gone rename to policy_passage")
    )
    expect(fieldOf(result, "structuredContent")).toMatchObject({
      error: { code: "SERVER_DATABASE_ERROR" },
      meta: { credits: { cost: 0, remaining: 100 } }
    })
    await expect
      .poll(() => usage(organizationId), { timeout: 20_000 })
      .toMatchObject([{ ...by, tool: "policy_research", status: 500 }])
  })

  it("contract §1 PHI: a patient in any argument of any tool is refused and kept nowhere", async () => {
    const { organizationId, token } = await member()
    const answered: Array<string> = []
    for (const name of toolNames) {
      for (const input of patients) {
        const { posted, result } = await callTool(site.url, token, name, input)
        answered.push(posted.text, JSON.stringify(posted.headers))
        const limited = fieldOf(fieldOf(fieldOf(result, "structuredContent"), "error"), "code")
        expect(["PHI_NOT_ALLOWED", "RATE_LIMIT_EXCEEDED"]).toContain(limited)
      }
    }
    // Where no argument is: the tool's name, the message's own, a client's name, what is no JSON.
    const headers = { authorization: `Bearer ${token}` }
    for (const body of [
      message("tools/call", { name: "ssn 287-65-4329", arguments: {} }),
      message("zebulonia@quaxley.example"),
      message("initialize", { clientInfo: { name: "Quillfeather" } }),
      message("tools/call", { name: "coverage_lookup", arguments: "MRN: 77310042" }),
      "{ 287-65-4329"
    ]) {
      const posted = await send(site.url, { headers, body })
      answered.push(posted.text, JSON.stringify(posted.headers))
    }
    expect(answered.join("\n")).not.toMatch(traces)
    expect(logged.join("\n")).not.toMatch(traces)
    expect((await site.run(databaseText)).text).not.toMatch(traces)
    expect(await usage(organizationId)).toEqual([])
  })

  it("and the log does hold what it was asked to hold", () => {
    expect(logged.join("\n")).toContain("SERVER_DATABASE_ERROR")
  })
})

const patients = [
  { code: "287-65-4329", q: "287-65-4329", view: "287-65-4329" },
  // A name that JSON holds and an object of JavaScript loses when it is copied.
  JSON.parse('{"code":"E0650","__proto__":{"ssn":"287-65-4329"}}') as Record<string, unknown>,
  { patient_name: "Quillfeather", code: "E0601" },
  { procedure_codes: ["20610"], note: { deep: ["MRN: 77310042"] } },
  { "zebulonia@quaxley.example": 1 },
  { state: "TX", dob: "3/14/1937" }
]
const traces = /287-65|Quillfeather|77310042|zebulonia|3\/14\/1937/i
