import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, describe, expect, it } from "vitest"
import { timeId } from "../../core/id/timeId.ts"
import { dayMs } from "../../core/limit/quota.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import { OAuthClients } from "../../core/port/OAuthClients.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Usage } from "../../core/port/Usage.ts"
import { issueKey } from "../../core/admin/issueKeys.ts"
import { openClinic } from "./visitor.ts"

const { actor, home, member, owner, site, stranger } = await openClinic("scale")
afterAll(() => site.close())

const issued = await site.run(
  issueKey({
    organizationId: actor.organizationId,
    name: '=HYPERLINK("https://evil.example")',
    scopes: ["read"],
    expiresAt: null,
    allowedCidrs: [],
    allowedOrigins: [],
    releaseId: null
  })
)
if (issued._tag !== "Issued") throw new Error(issued._tag)
const { key } = issued
const { keyId } = issued.record

let calls = 0
const used = (given: Partial<Charge> & { readonly daysAgo?: number; readonly status?: number }) =>
  site.run(
    Effect.gen(function* () {
      const { charge, ended, refund } = yield* Ledger
      const { daysAgo = 0, status, ...more } = given
      const atMs = Date.now() - daysAgo * dayMs
      const randomBytes = new Uint8Array(10).fill(++calls)
      const made: Charge = {
        organizationId: actor.organizationId,
        requestId: `req_${timeId({ nowMs: atMs, randomBytes })}`,
        cost: 1,
        operation: "lookupCode",
        caller: keyId,
        source: "api",
        atMs,
        ...more
      }
      yield* charge(made)
      if (status !== undefined) {
        yield* ended({ ...made, status })
        if (status >= 500) yield* refund(made)
        yield* endingWritten(made.requestId, status)
      }
      const { gather } = yield* Usage
      while ((yield* gather) > 0);
    })
  )

/** How calls ended is written in the background. */
const endingWritten = Effect.fnUntraced(function* (requestId: string, status: number) {
  const sql = yield* SqlClient
  const row = sql`select 1 from usage where request_id = ${requestId} and status = ${status}`
  const soon = {
    until: (rows: ReadonlyArray<unknown>) => rows.length > 0,
    schedule: Schedule.spaced("20 millis")
  }
  yield* Effect.timeout(Effect.repeat(row, soon), "10 seconds")
})

const cells = (text: string, caption: string): ReadonlyArray<string> => {
  const table = text.slice(text.indexOf(`<caption class="heard">${caption}</caption>`))
  return [...table.slice(0, table.indexOf("</table>")).matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(
    ([, cell = ""]) =>
      cell
        .replaceAll(/<svg.*?<\/svg>/gs, "")
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll("&quot;", '"')
        .trim()
  )
}

describe("the page of usage", () => {
  it("until there is a call it says how to make one, and that line works with a key", async () => {
    const { text } = await owner.get(`${home}/usage`)
    expect(text).toContain("No calls yet")
    const line =
      /curl -H &quot;Authorization: Bearer YOUR_KEY&quot; &quot;([^&]+)&quot;/.exec(text)?.[1] ?? ""
    const { pathname } = new URL(line)
    const response = await fetch(site.url + pathname, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
  })

  it("a call by a key shows at once, by day, operation and key, with its credits", async () => {
    const { text } = await owner.get(`${home}/usage`)
    expect(cells(text, "Calls by operation")).toEqual(["listJurisdictions", "1", "0", "1"])
    expect(cells(text, "Calls by key and app")[0]).toContain(keyId)
    expect(cells(text, "Calls by day").slice(1, 4)).toEqual(["1", "0", "1"])
    expect(text).not.toContain("By MCP tool")
  })

  it("the chart and the table beneath tell the same figures, errors apart, day by day", async () => {
    await used({ daysAgo: 2, cost: 6, operation: "validateClaim", status: 400 })
    await used({ daysAgo: 2, cost: 8, operation: "comparePolicies", status: 503 })
    await used({ daysAgo: 6 })
    await used({ daysAgo: 7 })
    const { text } = await owner.get(`${home}/usage?days=7`)
    const rows = cells(text, "Calls by day")
    expect(rows).toHaveLength(7 * 4)
    const days = rows.filter((_, index) => index % 4 === 0)
    for (const [index, day] of days.entries()) {
      const [calls, errors, credits] = rows.slice(index * 4 + 1)
      expect(text).toContain(`<title>${day}: ${calls} calls, ${errors} errors, ${credits} credits</title>`)
    }
    expect(rows.slice(2 * 4 + 1, 3 * 4)).toEqual(["2", "2", "6"])
    expect(rows.slice(6 * 4 + 1)).toEqual(["1", "0", "1"])
    expect(text).toContain(`role="img" aria-labelledby="calls-by-day-title calls-by-day-desc"`)
    expect(text).not.toMatch(/ style=/)
  })

  it("§5 calls by MCP tools are told apart, and one that named none too", async () => {
    await used({ source: "mcp", caller: "client_1", tool: "coverage_lookup", cost: 2 })
    await used({ source: "mcp", caller: "client_1", tool: "coverage_lookup" })
    await used({ source: "mcp", caller: "client_1" })
    const { text } = await owner.get(`${home}/usage`)
    expect(cells(text, "Calls by MCP tool")).toEqual([
      ...["coverage_lookup", "2", "0", "3"],
      ...["no tool named", "1", "0", "1"]
    ])
  })

  it("an app keeps its name after it is disconnected, and one that is unknown goes by its id", async () => {
    const register = (clientId: string, metadata: object) =>
      site.run(
        Effect.flatMap(OAuthClients, (clients) =>
          clients.register({ clientId, metadata: JSON.stringify(metadata), registeredAtMs: Date.now() })
        )
      )
    await register("app_named", { client_name: "Coding <Assistant>" })
    await register("app_nameless", { redirect_uris: [] })
    for (const caller of ["app_named", "app_nameless"]) await used({ source: "mcp", caller })
    for (const path of ["usage", "usage.csv?days=7"]) {
      const { text } = await owner.get(`${home}/${path}`)
      for (const name of [/Coding (<|&lt;)Assistant/, /An app without a name/, /client_1/])
        expect(text).toMatch(name)
    }
  })

  it("§8.1 the limits in force and what of the day is used are those of the pack", async () => {
    const { text } = await owner.get(`${home}/usage`)
    const card = text.slice(text.indexOf("Limits now"))
    expect(card).toMatch(/Per 60 seconds<\/dt><dd class="value">1,000</)
    expect(card).toContain("of 250,000")
  })

  it("the CSV has every line, is named after its range, and no cell of it is a formula", async () => {
    const { headers, status, text } = await member.get(`${home}/usage.csv?days=90`)
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/
    )
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    const [first, ...lines] = text.trimEnd().split("\r\n")
    expect(first).toBe("day,operation,caller,caller_name,source,tool,calls,credits,errors")
    expect(lines).toHaveLength(9)
    const claim = lines.find((line) => line.includes("validateClaim"))
    expect(claim?.slice(11)).toBe(`validateClaim,${keyId},"'=HYPERLINK(""https://evil.example"")",api,,1,6,1`)
    expect(lines.some((line) => /(^|,)"?[=+@-]/.test(line))).toBe(false)
  })

  it("a range nobody offers is the usual one, and no other organization's usage is shown", async () => {
    expect((await owner.get(`${home}/usage?days=4000`)).text).toContain(`days=30" aria-current`)
    expect((await stranger.get(`${home}/usage`)).status).toBe(404)
    expect((await stranger.get(`${home}/usage.csv`)).status).toBe(404)
  })
})
