import createClient from "openapi-fetch"
import type { paths } from "./api/schema.ts"

const baseUrl = process.env["SANDBOX_URL"] ?? ""
const created = await createClient<paths>({ baseUrl }).POST("/keys", { body: {} })
if (created.data === undefined) throw new Error("no key")

const headers = { authorization: `Bearer ${created.data.data.key}` }
const client = createClient<paths>({ baseUrl, headers })

const policies = await client.GET("/policies", { params: { query: { limit: 2, status: "active" } } })
if (policies.data === undefined) throw new Error("no policies")
const ids: ReadonlyArray<string> = policies.data.data.map((policy) => policy.policy_id)
const hasMore: boolean = policies.data.meta.pagination.has_more

const claim = await client.POST("/claims/validate", {
  body: { procedure_codes: ["62323"], diagnosis_codes: ["M54.16"], state: "TX" }
})
if (claim.data === undefined) throw new Error("no claim")
const line = claim.data.data.codes[0]
const status: "covered" | "conditional" | "not_covered" | "unknown" | undefined = line?.coverage_status

const { error } = await client.GET("/codes/lookup", { params: { query: { code: "ZZZZZ" } } })
if (error?.error.code !== "RESOURCE_CODE_NOT_FOUND") throw new Error("no typed error")
const suggestions: ReadonlyArray<{ readonly code: string }> = error.error.details.suggestions

console.log(JSON.stringify({ ids, hasMore, status, code: error.error.code, suggestions }))
