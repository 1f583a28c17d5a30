import type { CodeRecord } from "./Code.ts"
import type { CodeTableEdition } from "./CodeTable.ts"
import type { AgeCategory, Sex } from "./Criterion.ts"
import type { IsoDate } from "./date.ts"
import type { NcdCode } from "./NcdCode.ts"
import type { Payer } from "./Payer.ts"
import type { Place } from "./place.ts"
import type { PolicyId, PolicyVersion } from "./Policy.ts"
import type { PriorAuthList, PriorAuthRule } from "./PriorAuthRule.ts"

export const coverageStatuses = ["covered", "conditional", "not_covered", "unknown"] as const
export type CoverageStatus = (typeof coverageStatuses)[number]

export const levels = ["low", "medium", "high"] as const
/** Confidence of a decision and risk of a denial. */
export type Level = (typeof levels)[number]

/**
 * Whether the diagnoses of a query support a procedure: an axis beside the status (coverage-domain §2.1).
 * `not_applicable`: nothing in the deciding unit speaks of diagnoses.
 */
export const diagnosisSupports = ["supported", "not_supported", "unknown", "not_applicable"] as const
export type DiagnosisSupport = (typeof diagnosisSupports)[number]

export const conditionKinds = [
  "narrative",
  "documentation",
  "frequency",
  "role",
  "site",
  "age",
  "sex",
  "specialty",
  "modifier",
  /** Attested as "does not apply". */
  "exclusion"
] as const
export type ConditionKind = (typeof conditionKinds)[number]

/** What stands between a `conditional` answer and coverage, in the document's own words (rule 8). */
export interface Condition {
  /** Stable while the policy's text is: a caller names it in `attested_conditions`. */
  readonly conditionId: string
  /** Whole up to `conditionCharactersMax`; a longer text ends after the last item that fits. */
  readonly text: string
  /** Where in the document: a section of criteria, or a group of codes. */
  readonly section: string
  readonly policyId: PolicyId
  /** Ours, counted from 1. */
  readonly version: number
  readonly documentVersion: string | null
  readonly kind: ConditionKind
  /** Its place among the conditions of one section, from 0. */
  readonly position: number
}

/** Whose policies decide (coverage-domain §2.1, step 2). */
export type PayerScope =
  | { readonly _tag: "Medicare" }
  /** NCDs and LCDs as a floor (42 CFR 422.101), and the plan's own where the payer is known. */
  | { readonly _tag: "MedicareAdvantage"; readonly payer: Payer | null }
  | { readonly _tag: "Payer"; readonly payer: Payer; readonly lineOfBusiness: string | null }
  /** Nobody we know by that name: nothing decides, and `known_gaps` says so. */
  | { readonly _tag: "Unknown" }

/** A question about coverage, at rule level. Codes are canonical, unique and in any order. */
export interface CoverageQuery {
  readonly procedureCodes: ReadonlyArray<string>
  readonly diagnosisCodes: ReadonlyArray<string>
  readonly modifiers: ReadonlyArray<string>
  readonly dateOfService: IsoDate
  readonly scope: PayerScope
  /** Null: none was given. */
  readonly place: Place | null
  readonly siteOfService: string | null
  readonly ageCategory: AgeCategory | null
  readonly sex: Sex | null
  readonly providerSpecialty: string | null
  /** Ids of conditions that the caller attests to be met (coverage-domain §2.1, Attesting). */
  readonly attestedConditions: ReadonlyArray<string>
}

/** What the library holds that may bear on a query; a store finds it, the kernel judges it. */
export interface CoverageFacts {
  /**
   * The versions in force on the date of service that list one of the procedure codes, and what these or a
   * curated list relate to them. In any order.
   */
  readonly policies: ReadonlyArray<PolicyVersion>
  /** Every record of the query's codes that the tables hold for the date. */
  readonly codes: ReadonlyArray<CodeRecord>
  /** The days that imported code tables can judge. */
  readonly codeTables: ReadonlyArray<CodeTableEdition>
  /** The curated rows that name one of the procedure codes. */
  readonly ncdCodes: ReadonlyArray<NcdCode>
  /** The rules of prior authorization lists that name one of the procedure codes, whatever the day. */
  readonly priorAuthRules: ReadonlyArray<PriorAuthRule>
  /** Every list that was looked at for them. */
  readonly priorAuthLists: ReadonlyArray<PriorAuthList>
}

/** Nothing is known: what a library that was never filled holds. */
export const emptyFacts: CoverageFacts = {
  policies: [],
  codes: [],
  codeTables: [],
  ncdCodes: [],
  priorAuthRules: [],
  priorAuthLists: []
}

/** One step of the reasoning, with what it rests on (coverage-domain §2.1, step 10). */
export interface TraceStep {
  /** A stable name: `ncd.level`, `article.dx_covered`, `combine.ncd_wins`. */
  readonly rule: string
  readonly policyId: PolicyId | null
  readonly version: number | null
  readonly group: number | null
  /** What it came to, in a sentence. */
  readonly result: string
  /** The source's own version of the document. */
  readonly documentVersion: string | null
  /** The words it rests on, verbatim, at most `quoteCharactersMax` characters; null where no text speaks. */
  readonly quote: string | null
  readonly sourceUrl: string | null
  readonly section: string | null
  /** The condition that the step is about; absent where it is about none. */
  readonly conditionId?: string | undefined
}

/** Code points of a quote (rule 13). */
export const quoteCharactersMax = 300

/** What one code comes to. Texts of `issues`, `reasons` are sentences; `knownGaps` are names of inputs. */
export interface CodeDecision {
  readonly code: string
  readonly status: CoverageStatus
  readonly diagnosisSupport: DiagnosisSupport
  /** What remains for `covered`, each once, in canonical order. */
  readonly conditions: ReadonlyArray<Condition>
  readonly confidence: Level
  readonly requiresManualReview: boolean
  readonly reasons: ReadonlyArray<string>
  /** The policies of the deciding steps, each once, in their order. */
  readonly decidedBy: ReadonlyArray<PolicyId>
  readonly issues: ReadonlyArray<string>
  readonly knownGaps: ReadonlyArray<string>
  /** The policies that bear on it, sorted by id; ties keep every one. */
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly trace: ReadonlyArray<TraceStep>
}

/** A whole query: its codes in canonical order, and the worst of them. */
export interface CoverageDecision {
  readonly status: CoverageStatus
  readonly diagnosisSupport: DiagnosisSupport
  /** What remains for `covered`, each once, in canonical order. */
  readonly conditions: ReadonlyArray<Condition>
  readonly confidence: Level
  readonly requiresManualReview: boolean
  readonly issues: ReadonlyArray<string>
  readonly knownGaps: ReadonlyArray<string>
  readonly codes: ReadonlyArray<CodeDecision>
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly trace: ReadonlyArray<TraceStep>
}
