import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { at } from "../request.ts"
import type { Bench } from "../Bench.ts"
import { decisionFaults } from "../documented.ts"
import { particularFaults } from "../particulars.ts"
import { kindOf, postedTo } from "../samples.ts"
import { verdictOf } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

interface Decided {
  /** The facts, as the fixtures' own policies judge them. */
  readonly says: string
  readonly body: unknown
  readonly expected: Readonly<Record<string, string | boolean>>
}

const core = { procedure_codes: ["62323"], diagnosis_codes: ["M48.062"] }
const radicular = { ...core, diagnosis_codes: ["M54.16"], state: "TX" }
const supported = { coverage_status: "conditional", diagnosis_support: "supported" }
const refused = { coverage_status: "not_covered", prior_auth_required: false }
const claims: ReadonlyArray<Decided> = [
  {
    says: "California refuses by name what Texas does not",
    body: { ...core, state: "CA" },
    expected: refused
  }
]
const evaluated = (parameters: unknown) => ({ policy_id: "CVC-002", parameters })
const airway = { procedure_code: "E0601", diagnosis_codes: ["G47.33"] }

/** What the fixtures decide besides the examples, so that one answer to everything is not taken for one. */
const decisions: Partial<Record<OperationId, ReadonlyArray<Decided>>> = {
  evaluateCoverage: [
    {
      says: "a rental that became a purchase",
      body: evaluated({ ...airway, modifier: "NU" }),
      expected: { covered: false, coverage_status: "not_covered" }
    },
    {
      says: "nothing said",
      body: evaluated({}),
      expected: { covered: false, coverage_status: "conditional" }
    }
  ],
  checkPriorAuth: [{ says: "a listed diagnosis in Texas", body: radicular, expected: supported }, ...claims],
  validateClaim: claims,
  validateClaimTwin: claims
}

/** Facts whose outcome the fixtures' policies leave no doubt about, each decided as they say. */
export const checkDecisions = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const verdicts: Array<Verdict> = []
  for (const { body, expected, says } of decisions[id] ?? []) {
    const key = await bench.keyFor(kindOf(id), operationRow(id).credits)
    const response = await bench.ask({ ...postedTo(id, body), key })
    const faults = [
      ...decisionFaults(expected, at(response.json, "data"), ""),
      ...particularFaults(id, response)
    ]
    const named = faults.map((fault) => `${says}: ${fault}`)
    verdicts.push(verdictOf({ operation: id, surface: "sandbox" }, "answer", named))
  }
  return verdicts
}
