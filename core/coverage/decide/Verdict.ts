import type { Condition, CoverageStatus, DiagnosisSupport, TraceStep } from "../CoverageDecision.ts"
import { quoteCharactersMax } from "../CoverageDecision.ts"
import type { PolicyVersion } from "../Policy.ts"
import { sortConditions } from "./condition.ts"

/** Gaps that a caller closes with the field of the request of the same name (coverage-domain §2.1). */
export const inputGaps = [
  "age_category",
  "diagnosis_codes",
  "modifiers",
  "payer",
  "procedure_code",
  /** The codes that a prior authorization list names a code beside. */
  "procedure_codes",
  "provider_specialty",
  "sex_when_policy_relevant",
  "site_of_service",
  "state"
] as const

/**
 * What `knownGaps` may name. Inputs stand by their wire names (coverage-domain §2.1): the caller can add
 * them. The others are facts that the library lacks or that only a person can read.
 */
export const gaps = [
  ...inputGaps,
  "primary_diagnosis",
  /** A table of the code's own system does not hold it, and nothing in force names it. */
  "code_not_found",
  /** An asterisk marks the code and the document does not explain it. */
  "asterisk_text",
  /** The document names no contractor, so nobody can say where it applies. */
  "contractor",
  /** Policies of different rank decide differently: the issues say which. */
  "conflicting_policies",
  /** One list of the document supports the diagnosis and another denies it. */
  "contradictory_lists",
  /** A national determination about the code states no level of coverage that is defined. */
  "coverage_level",
  /** No criteria are known that could be met. */
  "coverage_criteria",
  /** A laboratory NCD whose list of diagnoses is not loaded. */
  "diagnosis_list",
  /** Which procedures a group of diagnoses is about cannot be read. */
  "group_scope",
  /** Only an inference leads from the code to the national determination. */
  "ncd_scope",
  /** The document lists only diagnoses that do not support the procedure. */
  "supporting_diagnoses",
  /** The snapshot does not say whether the document is in force. */
  "policy_status",
  /** The policy covers the procedure once it is authorized. */
  "prior_authorization",
  /** The document rests on another that is not at hand. */
  "related_policy"
] as const
export type Gap = (typeof gaps)[number]

/** What one unit, tier or rule says of one code. */
export interface Verdict {
  readonly status: CoverageStatus
  readonly support: DiagnosisSupport
  /** A denial by name: a list, a level, a stated refusal or a violated restriction. */
  readonly isExplicit: boolean
  /** What remains for `covered`. */
  readonly conditions: ReadonlyArray<Condition>
  readonly gaps: ReadonlyArray<Gap>
  readonly issues: ReadonlyArray<string>
  /** Some condition counts as met because the caller attests it. */
  readonly isAttested: boolean
  /** Everything that was looked at, in canonical order. */
  readonly trace: ReadonlyArray<TraceStep>
  /** The part of the trace that decides; the reasons are its results. */
  readonly deciding: ReadonlyArray<TraceStep>
}

/** A step of the trace about one policy; `null` for a step that weighs several. */
export const stepOf = (
  policy: PolicyVersion | null,
  said: {
    readonly rule: string
    readonly result: string
    readonly group?: number
    readonly section?: string
    readonly quote?: string | null
    readonly conditionId?: string
  }
): TraceStep => ({
  rule: said.rule,
  policyId: policy?.policy.policyId ?? null,
  version: policy?.version ?? null,
  group: said.group ?? null,
  result: said.result,
  documentVersion: policy?.documentVersion ?? null,
  quote: said.quote === undefined || said.quote === null ? null : quoteOf(said.quote),
  sourceUrl: policy?.sourceUrl ?? null,
  section: said.section ?? null,
  ...(said.conditionId === undefined ? {} : { conditionId: said.conditionId })
})

/** The beginning of a text, verbatim, at most `quoteCharactersMax` code points. */
const quoteOf = (text: string): string =>
  text.length <= quoteCharactersMax
    ? text
    : // A code point has at most two units, and the text may be long.
      [...text.slice(0, 2 * quoteCharactersMax)].slice(0, quoteCharactersMax).join("").trimEnd()

/** A verdict that rests on its own steps. */
export const verdict = (
  status: CoverageStatus,
  deciding: ReadonlyArray<TraceStep>,
  rest: Partial<Omit<Verdict, "status" | "deciding">> = {}
): Verdict => ({
  status,
  support: "not_applicable",
  isExplicit: false,
  conditions: [],
  gaps: [],
  issues: [],
  isAttested: false,
  trace: deciding,
  ...rest,
  deciding
})

/** Nothing is known: no policy says anything. */
export const unknownVerdict: Verdict = verdict("unknown", [])

/** Sorted and each once: the order in which things were met must not show. */
export const unique = <Text extends string>(texts: ReadonlyArray<Text>): ReadonlyArray<Text> =>
  texts.length < 2 ? texts : [...new Set(texts)].toSorted()

/** The same verdict with a step that decides with it. */
export const withStep = (one: Verdict, step: TraceStep, rest: Partial<Verdict> = {}): Verdict => ({
  ...one,
  ...rest,
  trace: [...(rest.trace ?? one.trace), step],
  deciding: [...(rest.deciding ?? one.deciding), step]
})

/** What verdicts that decide together lack, ask for and rest on. */
export const mergeVerdicts = (
  verdicts: ReadonlyArray<Verdict>
): Pick<Verdict, "conditions" | "gaps" | "issues" | "isAttested" | "trace" | "deciding"> => ({
  conditions: sortConditions(verdicts.flatMap((one) => one.conditions)),
  gaps: unique(verdicts.flatMap((one) => one.gaps)),
  issues: unique(verdicts.flatMap((one) => one.issues)),
  isAttested: verdicts.some((one) => one.isAttested),
  trace: verdicts.flatMap((one) => one.trace),
  deciding: verdicts.flatMap((one) => one.deciding)
})

/** The best support that any of them gives: supported > not_supported > unknown > not_applicable. */
export const bestSupport = (supports: ReadonlyArray<DiagnosisSupport>): DiagnosisSupport =>
  (["supported", "not_supported", "unknown"] as const).find((one) => supports.includes(one)) ??
  "not_applicable"
