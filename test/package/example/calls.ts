import { makeClient } from "coverage-policy/client"

const client = makeClient({ baseUrl: "https://api.example.com" })
const { data, meta } = await client.validateClaim({ procedure_codes: ["62323"], state: "TX" })
console.log(data.denial_risk, data.conditions[0]?.condition_id, meta.data_as_of)
const { data: found } = await client.lookupCode({ code: "E0601", as_of: "2026-01-01" })
console.log(found.rvu?.work_rvu)
const list = await client.listPolicies({ icd10: "E11" })
console.log(list.meta.pagination.has_more)
