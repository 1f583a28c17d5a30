import * as Effect from "effect/Effect"
import { canonicalCode } from "../coverage/codeText.ts"
import { evaluate } from "../coverage/decide/evaluate.ts"
import type { EvaluateFacts, EvaluateInputs } from "../coverage/decide/evaluate.ts"
import { procedureCodes } from "../coverage/decide/groups.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { parsePolicyId } from "../coverage/policyId.ts"
import { refused } from "../error/Refusal.ts"
import type { Evaluation } from "../operation/wire/Evaluation.ts"
import { NcdCodes } from "../port/NcdCodes.ts"
import { Policies } from "../port/Policies.ts"
import type { PolicyReading } from "../port/Policies.ts"
import { conditionView, traceView } from "./decisionView.ts"
import type { Handler, InputOf } from "./Handler.ts"

/** POST /coverage/evaluate (contract §2): one policy as it stands today, for rule-level inputs. */
export const makeEvaluateHandlers = Effect.gen(function* () {
  const policies = yield* Policies
  const ncdCodes = yield* NcdCodes

  const evaluateCoverage: Handler<"evaluateCoverage"> = ({ body }, { today }) =>
    Effect.gen(function* () {
      const policyId = parsePolicyId(body.policy_id)
      const reading = policyId === undefined ? undefined : yield* policies.find({ policyId, asOf: today })
      if (reading === undefined) return refused("RESOURCE_POLICY_NOT_FOUND")
      const inputs = inputsOf(body.parameters)
      const { version } = reading
      const codes = inputs.procedureCode === null ? someProcedures(version) : [inputs.procedureCode]
      const [candidates, rows] = yield* Effect.all(
        [policies.candidates({ codes, asOf: today }), ncdCodes.among({ codes })],
        { concurrency: 2 }
      )
      const known = new Set(candidates.map((one) => one.policy.policyId))
      const missing = version.related.filter((one) => one.policyType !== "NCD" && !known.has(one.policyId))
      const found = yield* Effect.forEach(missing.slice(0, relatedMax), ({ policyId: id }) =>
        policies.find({ policyId: id, asOf: today })
      )
      const related = [...candidates, ...found.flatMap(standingNow)].filter(
        (one) => one.policy.policyId !== version.policy.policyId
      )
      const facts = { policy: version, standing: reading.status, related, ncdCodes: rows }
      return { _tag: "Data", data: evaluationView(facts, inputs) }
    })

  return { evaluateCoverage } as const
})

/** An LCD is found by the codes it shares with its articles, also where only the other names the relation. */
const someProcedures = (version: PolicyVersion): ReadonlyArray<string> =>
  [...procedureCodes(version)].slice(0, proceduresMax)

const standingNow = (reading: PolicyReading | undefined): ReadonlyArray<PolicyVersion> =>
  reading !== undefined && (reading.status === "active" || reading.status === "unknown")
    ? [reading.version]
    : []

/** More documents than this are not read for one question; what is not read is a gap, never coverage. */
const relatedMax = 10

/** As many as one question of coverage may name. */
const proceduresMax = 10

type Parameters = InputOf<"evaluateCoverage">["body"]["parameters"]

const inputsOf = (given: Parameters): EvaluateInputs => ({
  procedureCode: given.procedure_code === undefined ? null : canonicalCode(given.procedure_code),
  diagnosisCodes: [...new Set((given.diagnosis_codes ?? []).map(canonicalCode))].toSorted(),
  modifiers: given.modifier === undefined ? [] : [given.modifier.trim().toUpperCase()],
  siteOfService: given.place_of_service ?? null,
  ageCategory: given.age_category ?? null,
  sex: given.sex_when_policy_relevant ?? null,
  providerSpecialty: given.provider_specialty ?? null,
  attestedConditions: given.attested_conditions ?? []
})

const evaluationView = (facts: EvaluateFacts, inputs: EvaluateInputs): Evaluation => {
  const found = evaluate(facts, inputs)
  const { policy: version } = facts
  return {
    covered: found.status === "covered",
    coverage_status: found.status,
    diagnosis_support: found.support,
    conditions: found.conditions.map(conditionView),
    confidence: found.confidence,
    reasons: found.reasons,
    matched_criteria: found.matched,
    unmatched_criteria: found.unmatched,
    skipped_criteria: found.skipped,
    blocks_evaluated: found.blocksEvaluated,
    blocks_without_ast: found.blocksWithoutAst,
    policy: {
      policy_id: version.policy.policyId,
      title: version.title,
      policy_type: version.policy.policyType
    },
    trace: found.trace.map(traceView)
  }
}
