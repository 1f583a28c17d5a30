import type { CoverageStatus, TraceStep } from "../CoverageDecision.ts"
import type { PolicyVersion } from "../Policy.ts"

/** The inputs that `knownGaps` may name, in the wire's words (coverage-domain §2.1, step 7). */
export const gaps = [
  "age_category",
  "diagnosis_codes",
  "modifiers",
  "payer",
  "procedure_code",
  "provider_specialty",
  "sex_when_policy_relevant",
  "site_of_service",
  "state"
] as const
export type Gap = (typeof gaps)[number]

/** What a verdict rests on: a rule that a machine can judge, or text that a person has to read. */
export type Basis = "structured" | "text"

/** What one rule, policy, group of policies or tier says of one code. */
export interface Verdict {
  readonly status: CoverageStatus
  readonly basis: Basis
  /** Inputs whose absence makes it conditional, or less sure. */
  readonly gaps: ReadonlyArray<Gap>
  readonly review: boolean
  readonly issues: ReadonlyArray<string>
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
    readonly quote?: string
  }
): TraceStep => ({
  rule: said.rule,
  policyId: policy?.policy.policyId ?? null,
  version: policy?.version ?? null,
  group: said.group ?? null,
  result: said.result,
  documentVersion: policy?.documentVersion ?? null,
  quote: said.quote ?? null,
  sourceUrl: policy?.sourceUrl ?? null,
  section: said.section ?? null
})

/** A verdict that rests on its own steps. */
export const verdict = (
  status: CoverageStatus,
  deciding: ReadonlyArray<TraceStep>,
  rest: Partial<Pick<Verdict, "basis" | "gaps" | "review" | "issues">> = {}
): Verdict => ({
  status,
  basis: rest.basis ?? "structured",
  gaps: rest.gaps ?? [],
  review: rest.review ?? false,
  issues: rest.issues ?? [],
  trace: deciding,
  deciding
})

/** Nothing is known: no policy says anything. */
export const unknownVerdict: Verdict = verdict("unknown", [], { basis: "text" })

/** Sorted and each once: the order in which things were met must not show. */
export const unique = <Text extends string>(texts: ReadonlyArray<Text>): ReadonlyArray<Text> =>
  texts.length < 2 ? texts : [...new Set(texts)].toSorted()
