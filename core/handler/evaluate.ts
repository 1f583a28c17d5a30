import * as Effect from "effect/Effect"
import { foldCode } from "../coverage/codeShape.ts"
import { canonicalCode } from "../coverage/codeText.ts"
import { evaluate, procedureOf } from "../coverage/decide/evaluate.ts"
import type { EvaluateFacts, EvaluateInputs } from "../coverage/decide/evaluate.ts"
import { procedureCodes } from "../coverage/decide/groups.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { parsePolicyId } from "../coverage/policyId.ts"
import { summarize } from "../coverage/summary.ts"
import { refused } from "../error/Refusal.ts"
import type { Evaluation } from "../operation/evaluations.ts"
import { Codes } from "../port/Codes.ts"
import { NcdCodes } from "../port/NcdCodes.ts"
import { Policies } from "../port/Policies.ts"
import type { PolicyOnDate } from "../port/Policies.ts"
import { conditionView, traceViews } from "./decisionView.ts"
import { fitAnswer } from "./fitAnswer.ts"
import type { CallContext, Handler, InputOf } from "./Handler.ts"

/** POST /coverage/evaluate (contract §2): one policy as it stands today, for rule-level inputs. */
export const makeEvaluateHandlers = Effect.gen(function* () {
  const policies = yield* Policies
  const ncdCodes = yield* NcdCodes
  const codes = yield* Codes

  /** What is in force that relates to the policy, and every candidate of its procedures. */
  const relatedTo = (version: PolicyVersion, { procedures, today }: Asked) =>
    Effect.gen(function* () {
      const candidates = yield* policies.candidates({ codes: procedures, asOf: today })
      const known = new Set(candidates.map((one) => one.policy.policyId))
      const missing = version.related.filter((one) => !known.has(one.policyId))
      const found = yield* Effect.forEach(
        missing.slice(0, relatedMax),
        ({ policyId }) => policies.find({ policyId, asOf: today }),
        { concurrency: relatedMax }
      )
      return othersThan(version, [...candidates, ...found.flatMap(standingNow)])
    })

  /** What stands above a local policy: rows of the procedure, the tables, and candidates not yet read. */
  const above = (code: string | null, inputs: EvaluateInputs, { procedures, today }: Asked) => {
    const asked = code === null ? [] : [code]
    const unread = asked.filter((one) => !procedures.includes(one))
    return Effect.all(
      {
        candidates: unread.length === 0 ? nobody : policies.candidates({ codes: unread, asOf: today }),
        ncdCodes: ncdCodes.among({ codes: asked }),
        codes: codes.find({ codes: [...asked, ...inputs.diagnosisCodes], codeSystem: null, asOf: today }),
        codeTables: codes.tables
      },
      { concurrency: 4 }
    )
  }

  const evaluateCoverage: Handler<"evaluateCoverage"> = ({ body }, { today }) =>
    Effect.gen(function* () {
      const policyId = parsePolicyId(body.policy_id)
      const reading = policyId === undefined ? undefined : yield* policies.find({ policyId, asOf: today })
      if (reading === undefined) return refused("RESOURCE_POLICY_NOT_FOUND")
      const inputs = inputsOf(body.parameters)
      const { version: policy, status: standing } = reading
      const procedures = inputs.procedureCode === null ? someProcedures(policy) : [inputs.procedureCode]
      const asked = { procedures, today }
      const related = yield* relatedTo(policy, asked)
      const code = procedureOf({ policy, related }, inputs)
      const { candidates, ...found } = yield* above(code, inputs, asked)
      const all = othersThan(policy, [...related, ...candidates])
      const facts = { ...found, policy, standing, related: all, day: today }
      return { _tag: "Data", ...fitAnswer(evaluationView(facts, inputs, body.trace)) }
    })

  return { evaluateCoverage } as const
})

const nobody = Effect.succeed<ReadonlyArray<PolicyVersion>>([])

interface Asked extends Pick<CallContext, "today"> {
  readonly procedures: ReadonlyArray<string>
}

/** Each policy once, without the one asked about. */
const othersThan = (
  version: PolicyVersion,
  found: ReadonlyArray<PolicyVersion>
): ReadonlyArray<PolicyVersion> => {
  const byId = new Map(found.map((one) => [one.policy.policyId, one]))
  byId.delete(version.policy.policyId)
  return [...byId.values()]
}

/** An LCD is found by the codes it shares with its articles, also where only the other names the relation. */
const someProcedures = (version: PolicyVersion): ReadonlyArray<string> =>
  [...procedureCodes(version)].slice(0, proceduresMax)

const standingNow = (reading: PolicyOnDate | undefined): ReadonlyArray<PolicyVersion> =>
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
  modifiers: given.modifier === undefined ? [] : [foldCode(given.modifier)],
  siteOfService: given.place_of_service ?? null,
  ageCategory: given.age_category ?? null,
  sex: given.sex_when_policy_relevant ?? null,
  providerSpecialty: given.provider_specialty ?? null,
  attestedConditions: given.attested_conditions ?? []
})

const evaluationView = (
  facts: EvaluateFacts,
  inputs: EvaluateInputs,
  trace: "full" | "none" | undefined
): Evaluation => {
  const found = evaluate(facts, inputs)
  const { policy: version } = facts
  return {
    summary: summarize({ ...found, issues: 0, codes: [found] }),
    covered: found.status === "covered",
    coverage_status: found.status,
    diagnosis_support: found.support,
    conditions: found.conditions.map(conditionView),
    confidence: found.confidence,
    reasons: found.reasons,
    known_gaps: found.knownGaps,
    requires_manual_review: found.requiresManualReview,
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
    trace: traceViews(found.trace, trace)
  }
}
