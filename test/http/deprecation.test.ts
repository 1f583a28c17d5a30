import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApi } from "../../adapters/http/openapi.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { operationsTable } from "../../apps/reference/site/operations.ts"
import { operationsPage as writtenOperations } from "../../apps/reference/operations.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { deprecationHeaders, givesNotice } from "../../core/operation/deprecation.ts"
import type { Deprecation } from "../../core/operation/deprecation.ts"
import { baseUrl, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { inMemory } from "./stores.ts"

const between = (since: string, sunset: string): Deprecation => ({
  since: since as IsoDate,
  sunset: sunset as IsoDate
})
const planted = between("2027-01-01", "2028-01-01")

describe("docs/promises.md", () => {
  it("RFC 9745, RFC 8594 a deprecation and its sunset are said as the standards say", () => {
    expect(deprecationHeaders(planted, baseUrl)).toEqual({
      deprecation: "@1798761600",
      sunset: "Sat, 01 Jan 2028 00:00:00 GMT",
      link: `<${baseUrl}/docs/promises>; rel="deprecation"; type="text/html"`
    })
  })

  it("at least twelve months lie between the two, for every operation of the catalogue", () => {
    expect(givesNotice(planted)).toBe(true)
    expect(givesNotice(between("2027-01-01", "2027-12-31"))).toBe(false)
    const rows = operationIds.map((id) => operationRow(id).deprecated)
    expect(rows.filter((row) => row !== undefined && !givesNotice(row))).toEqual([])
  })
})

describe("an operation that is marked as deprecated", () => {
  const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
  let serving: ServedApp<Layer.Success<typeof ports>>
  /** The row itself, since everything is to follow from it. */
  const row: { deprecated?: Deprecation } = operationRow("validateClaimTwin")
  beforeAll(async () => {
    row.deprecated = planted
    serving = await serve(ports)
  })
  afterAll(async () => {
    delete row.deprecated
    await serving.close()
  })

  it("says so in every answer, and its neighbours do not", async () => {
    const paths = ["/api/v1/claim-validation", "/api/sandbox/v1/claim-validation", "/api/v1/claims/validate"]
    const said = await Promise.all(
      paths.map(async (path) => {
        const { headers, status } = await fetch(serving.url + path, { method: "POST" })
        return [status, headers.get("deprecation"), headers.get("sunset")]
      })
    )
    const { deprecation, sunset } = deprecationHeaders(planted, baseUrl)
    expect(said).toEqual([
      [401, deprecation, sunset],
      [401, deprecation, sunset],
      [401, null, null]
    ])
  })

  it("is marked in openapi.json, on the page and in the written reference", () => {
    const document = openApi("", kept as SandboxAnswers) as { paths: Record<string, Record<string, object>> }
    expect(document.paths["/claim-validation"]?.["post"]).toMatchObject({
      deprecated: true,
      "x-sunset": "2028-01-01",
      responses: { "200": { headers: { Sunset: {} } } }
    })
    expect(document.paths["/claims/validate"]?.["post"]).not.toHaveProperty("deprecated")
    expect(operationsTable().html.match(/deprecated, until 2028-01-01/g)).toHaveLength(1)
    expect(writtenOperations()).toContain("**Deprecated** since 2027-01-01: it answers until 2028-01-01.")
  })
})
