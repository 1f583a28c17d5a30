import { createClient } from "./api/client/index.ts"
import { createTestKey, listPolicies, lookupCode, validateClaim } from "./api/sdk.gen.ts"
import type { ClaimLine, CodeSuggestion, PolicySummary } from "./api/types.gen.ts"

const baseUrl = process.env["SANDBOX_URL"] ?? ""
const created = await createTestKey({ client: createClient({ baseUrl }), body: {} })
if (created.data === undefined) throw new Error("no key")

const client = createClient({ baseUrl, auth: created.data.data.key })

const policies = await listPolicies({ client, query: { limit: 2, status: "active" } })
if (policies.data === undefined) throw new Error("no policies")
const rows: ReadonlyArray<PolicySummary> = policies.data.data
const ids = rows.map((policy) => policy.policy_id)
const hasMore: boolean = policies.data.meta.pagination.has_more

const claim = await validateClaim({
  client,
  body: { procedure_codes: ["62323"], diagnosis_codes: ["M54.16"], state: "TX" }
})
if (claim.data === undefined) throw new Error("no claim")
const status: ClaimLine["coverage_status"] | undefined = claim.data.data.codes[0]?.coverage_status

const { error } = await lookupCode({ client, query: { code: "ZZZZZ" } })
if (error?.error.code !== "RESOURCE_CODE_NOT_FOUND") throw new Error("no typed error")
const suggestions: ReadonlyArray<CodeSuggestion> = error.error.details.suggestions

console.log(JSON.stringify({ ids, hasMore, status, code: error.error.code, suggestions }))
