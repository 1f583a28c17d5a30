import * as Effect from "effect/Effect"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { readBlocks } from "../../core/coverage/decide/block.ts"
import { evaluate } from "../../core/coverage/decide/evaluate.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { PriorAuthView } from "../../core/operation/priorAuth.ts"
import { day } from "../kit/library.ts"
import { makeAsk } from "./request.ts"
import { isThere, realLibrary } from "./realLibrary.ts"

/**
 * Prints what CMS's own tables beside the project answer, for an analyst to read: five everyday questions in
 * Texas, or with `ncds` every national determination of level 1. `node test/cases/print.ts [ncds]`
 */
const questions: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  { procedure_codes: ["E0601"], diagnosis_codes: ["G47.33"], state: "TX" },
  { procedure_codes: ["K0823"], state: "TX" },
  { procedure_codes: ["E0784"], diagnosis_codes: ["E10.9"], state: "TX" },
  { procedure_codes: ["64493"], state: "TX", site_of_service: "outpatient_hospital" },
  { procedure_codes: ["G0121"], state: "TX" }
]

const texas = Effect.gen(function* () {
  const ask = yield* makeAsk
  for (const body of questions) {
    const { data } = yield* ask({ operation: "checkPriorAuth", body })
    console.log(`\n=== ${JSON.stringify(body)}`)
    console.log(page(data as PriorAuthView).join("\n"))
  }
})

const page = (data: PriorAuthView): ReadonlyArray<string> => [
  `status ${data.coverage_status}, diagnosis ${data.diagnosis_support}, confidence ${data.confidence}, ` +
    `risk ${data.denial_risk}, review ${data.requires_manual_review}`,
  `prior authorization ${data.coverage_decision.prior_auth_required}: ${data.reason}`,
  `lists ${data.programs_checked.map((one) => `${one.program} of ${one.list_as_of}`).join(", ")}`,
  `gaps ${data.known_gaps.join(", ")}`,
  `contractor ${data.mac?.name ?? "none"} (${data.mac?.jurisdiction ?? "-"})`,
  `policies ${data.matched_policies.map((one) => `${one.policy_id} ${one.title}`).join("; ")}`,
  ...data.conditions.map(
    (one) => `condition ${one.policy_id} v${one.document_version} ${one.section} [${one.kind}]: ${one.text}`
  ),
  ...data.trace.map(
    (step) =>
      `step ${step.rule} ${step.policy_id ?? ""} ${step.document_version ?? ""}: ${step.result}` +
      (step.quote === null ? "" : `\n     "${step.quote}"`) +
      (step.citation.source_url === null ? "" : `\n     ${step.citation.source_url}`)
  )
]

/** Every determination of level 1 with how many blocks it has, how many state a condition, and its answer. */
const nationals = Effect.gen(function* () {
  const policies = yield* Policies
  const inForce = policies.inForce({ asOf: day("2026-03-12"), after: null, limit: 5_000 })
  const level1 = (yield* inForce).filter((one) => one.coverageLevel === 1)
  console.log("| NCD | blocks | state a condition | status |\n|---|---|---|---|")
  for (const one of level1) console.log(row(one))
})

const row = (policy: PolicyVersion): string => {
  const inputs = {
    diagnosisCodes: [],
    modifiers: [],
    siteOfService: null,
    ageCategory: null,
    sex: null,
    providerSpecialty: null
  }
  const blocks = readBlocks(policy, { ...inputs, procedureCodes: [] })
  const asked = { ...inputs, procedureCode: null, attestedConditions: [] }
  const facts = { related: [], ncdCodes: [], codes: [], codeTables: [], day: day("2026-03-02") }
  const found = evaluate({ ...facts, policy, standing: "active" }, asked)
  const open = blocks.filter(({ state }) => state === "open").length
  return `| ${policy.policy.policyId} ${policy.title} | ${blocks.length} | ${open} | ${found.status} |`
}

if (!isThere) console.log("../shared/data is not here: there is nothing to print.")
else {
  const chosen = process.argv[2] === "ncds" ? nationals : texas
  await Effect.runPromise(Effect.provide(chosen, realLibrary))
}
