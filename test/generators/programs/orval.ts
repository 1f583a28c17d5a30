import { createTestKey, listPolicies, lookupCode, validateClaim } from "./api/api.ts"
import type { ClaimLine, CodeSuggestion, PolicySummary } from "./api/api.ts"

const created = await createTestKey({})
if (created.status !== 200) throw new Error("no key")
const options = { headers: { authorization: `Bearer ${created.data.data.key}` } }

const policies = await listPolicies({ limit: 2, status: "active" }, options)
if (policies.status !== 200) throw new Error("no policies")
const rows: ReadonlyArray<PolicySummary> = policies.data.data
const ids = rows.map((policy) => policy.policy_id)
const hasMore: boolean = policies.data.meta.pagination.has_more

const claim = await validateClaim(
  { procedure_codes: ["62323"], diagnosis_codes: ["M54.16"], state: "TX" },
  options
)
if (claim.status !== 200) throw new Error("no claim")
const status: ClaimLine["coverage_status"] | undefined = claim.data.data.codes[0]?.coverage_status

const absent = await lookupCode({ code: "ZZZZZ" }, options)
if (absent.status !== 404) throw new Error("no error")
const { error } = absent.data
if (error.code !== "RESOURCE_CODE_NOT_FOUND") throw new Error("no typed error")
const suggestions: ReadonlyArray<CodeSuggestion> = error.details.suggestions

console.log(JSON.stringify({ ids, hasMore, status, code: error.code, suggestions }))
