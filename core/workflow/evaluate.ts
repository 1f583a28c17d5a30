import * as Effect from "effect/Effect"
import { canonicalCode } from "../coverage/codeText.ts"
import { evaluate } from "../coverage/decide/evaluate.ts"
import type { EvaluateInputs } from "../coverage/decide/evaluate.ts"
import { parsePolicyId } from "../coverage/policyId.ts"
import { refused } from "../error/Refusal.ts"
import type { Evaluation } from "../operation/wire/Evaluation.ts"
import { Policies } from "../port/Policies.ts"
import type { PolicyReading } from "../port/Policies.ts"
import { traceView } from "./decisionView.ts"
import type { Handler, InputOf } from "./Handler.ts"

/** POST /coverage/evaluate (contract §2): one policy as it stands today, for rule-level inputs. */
export const makeEvaluateHandlers = Effect.gen(function* () {
  const policies = yield* Policies

  const evaluateCoverage: Handler<"evaluateCoverage"> = ({ body }, { today }) =>
    Effect.gen(function* () {
      const policyId = parsePolicyId(body.policy_id)
      const reading = policyId === undefined ? undefined : yield* policies.find({ policyId, asOf: today })
      if (reading === undefined) return refused("RESOURCE_POLICY_NOT_FOUND")
      return { _tag: "Data", data: evaluationView(reading, body.parameters) }
    })

  return { evaluateCoverage } as const
})

type Parameters = InputOf<"evaluateCoverage">["body"]["parameters"]

const inputsOf = (given: Parameters): EvaluateInputs => ({
  procedureCode: given.procedure_code === undefined ? null : canonicalCode(given.procedure_code),
  diagnosisCodes: [...new Set((given.diagnosis_codes ?? []).map(canonicalCode))].toSorted(),
  modifiers: given.modifier === undefined ? [] : [given.modifier.trim().toUpperCase()],
  siteOfService: given.place_of_service ?? null,
  ageCategory: given.age_category ?? null,
  sex: given.sex_when_policy_relevant ?? null,
  providerSpecialty: given.provider_specialty ?? null
})

const evaluationView = ({ status, version }: PolicyReading, given: Parameters): Evaluation => {
  const found = evaluate(version, status, inputsOf(given))
  return {
    covered: found.status === "covered",
    coverage_status: found.status,
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
