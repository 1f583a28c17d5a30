import type * as Brand from "effect/Brand"
import type { Criterion } from "./Criterion.ts"
import type { IsoDate, IsoTime } from "./date.ts"
import type { PriorAuthRule } from "./PriorAuthRule.ts"

/**
 * A policy's canonical id: `L33831`, `DL39000` (proposed), `A52423`, `NCD 220.6`, or a payer's own (contract
 * §2).
 */
export type PolicyId = string & Brand.Brand<"PolicyId">

/** The kinds of policy document, in the wire's words (contract §2, GET /policies). */
export const policyTypes = ["LCD", "Article", "NCD", "PayerPolicy", "Medical Policy", "Drug Policy"] as const
export type PolicyType = (typeof policyTypes)[number]

/**
 * Where a policy stands on a date; `proposed` documents never decide. `unknown`: the snapshot has no row that
 * says, so the document reaches at most conditional (coverage-domain §2.1, rule 3).
 */
export const policyStatuses = ["active", "retired", "future", "proposed", "unknown"] as const
export type PolicyStatus = (typeof policyStatuses)[number]

export const dispositions = ["covered", "not_covered", "requires_pa", "conditional"] as const
export type Disposition = (typeof dispositions)[number]

/**
 * How much of the document's substance is structured: criteria, a bare list of codes, or its existence only.
 */
export const sourceShapes = ["criteria_backed", "code_list_only", "metadata_only"] as const
export type SourceShape = (typeof sourceShapes)[number]

export const codeGroupKinds = [
  "procedure",
  "dx_covered",
  "dx_noncovered",
  "modifier",
  "bill_type",
  "revenue",
  "pcs"
] as const
export type CodeGroupKind = (typeof codeGroupKinds)[number]

export const criteriaSections = ["indications", "limitations", "documentation", "frequency", "other"] as const
export type CriteriaSection = (typeof criteriaSections)[number]

/** What the policy is, apart from any version of it. */
export interface Policy {
  readonly policyId: PolicyId
  readonly policyType: PolicyType
  /** `medicare` for NCDs, LCDs and Articles. */
  readonly payerCode: string
  readonly lineOfBusiness: string | null
}

/** A contractor (MAC) that issued a local document. */
export interface PolicyContractor {
  readonly contractorNumber: string
  readonly name: string
  /** `JH`, `J5`, `DME JA`; null when the contractor's row names none. */
  readonly jurisdictionCode: string | null
}

export interface CodeGroupEntry {
  /** Upper case, ICD-10 without its dot. */
  readonly code: string
  readonly codeSystem: CodeSystemOfPolicy
  readonly asterisk: boolean
  readonly source: "document" | "inferred_title_match"
}
export type CodeSystemOfPolicy =
  | "CPT"
  | "HCPCS"
  | "ICD10CM"
  | "ICD10PCS"
  | "MODIFIER"
  | "BILL_TYPE"
  | "REVENUE"

/** What a second diagnosis means to a group: `both_required` asks for one of this group beside another's. */
export const diagnosisRoles = ["any", "primary", "secondary", "both_required"] as const
export type DiagnosisRole = (typeof diagnosisRoles)[number]

/**
 * One numbered group of codes in a document, with the editor's paragraph about it. Sources that say outright
 * what CMS says in the paragraph state it in the optional members; where one is absent the kernel derives it
 * when it decides (coverage/decide/scope.ts), so that a better derivation needs no import.
 */
export interface CodeGroup {
  readonly group: number
  readonly kind: CodeGroupKind
  readonly paragraph: string | null
  readonly asteriskText: string | null
  readonly codes: ReadonlyArray<CodeGroupEntry>
  /** Stated: the procedure codes that the group's diagnoses are about. */
  readonly scope?: ReadonlyArray<string> | "all"
  /** Stated: what a second diagnosis means. */
  readonly role?: DiagnosisRole
  /** Stated: what the policy decides of the procedures it lists, whatever the diagnosis. */
  readonly disposition?: Disposition
}

/** A passage of the policy. `logicAst` is null where only narrative text exists. */
export interface CriteriaBlock {
  readonly blockId: string
  readonly section: CriteriaSection
  readonly text: string
  readonly logicAst: Criterion | null
  readonly tags: ReadonlyArray<string> | null
  readonly requiresManualReview: boolean
  readonly confidenceScore: number | null
}

export interface RelatedPolicy {
  readonly policyId: PolicyId
  readonly policyType: PolicyType
}

export interface PolicySections {
  readonly indications: string | null
  readonly limitations: string | null
  readonly documentation: string | null
}

/**
 * What one snapshot says of one policy, normalised: HTML is text, ICD-10 has no dots, codes are sorted and
 * unique within their group, groups by (kind, group), so that equal policies are equal values.
 */
export interface PolicyDocument {
  readonly policy: Policy
  readonly title: string
  /** The source's own version, such as an LCD's `52`; null where the source names none. */
  readonly documentVersion: string | null
  /** The document's own flag; where it stands on a date is decided by `readingOn`, not by this. */
  readonly status: PolicyStatus
  /** Null: the source gives none, and the document counts from the beginning of time. */
  readonly effectiveDate: IsoDate | null
  readonly retireDate: IsoDate | null
  readonly lastReviewedDate: IsoDate | null
  /** NCD coverage level 1 full, 2 restricted, 3 none; 4 is undefined in the source and kept as it is. */
  readonly coverageLevel: number | null
  /**
   * Whether an NCD is about a laboratory service and so has a list of diagnoses outside its text. Absent: the
   * source does not state it, as in versions imported before the flag was read.
   */
  readonly laboratory?: boolean
  readonly description: string | null
  readonly keywords: ReadonlyArray<string>
  readonly sections: PolicySections
  readonly contractors: ReadonlyArray<PolicyContractor>
  /** USPS-like abbreviations the local document applies to; empty for national documents. */
  readonly states: ReadonlyArray<string>
  readonly national: boolean
  readonly codeGroups: ReadonlyArray<CodeGroup>
  readonly criteria: ReadonlyArray<CriteriaBlock>
  readonly related: ReadonlyArray<RelatedPolicy>
  readonly sourceUrl: string | null
  readonly sourceShape: SourceShape
  readonly sourceShapeReason: string
  /** SHA-256 (hex) of the source rows the document was read from. */
  readonly sourceDocumentSha256: string
  /** A payer's own rules of prior authorization; the federal ones are a table of the kernel's. */
  readonly priorAuth?: ReadonlyArray<PriorAuthRule>
}

/** A document as it was kept: versions count from 1 and are never overwritten. */
export interface PolicyVersion extends PolicyDocument {
  readonly version: number
  /** SHA-256 (hex) of the normalised document without its source hash: equal fingerprints, equal policies. */
  readonly fingerprintSha256: string
  readonly recordedAt: IsoTime
}
