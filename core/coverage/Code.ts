import type { IsoDate } from "./date.ts"

/** The code systems of the wire (contract §2, GET /codes/lookup). */
export const codeSystems = ["CPT", "HCPCS", "ICD10CM", "ICD10PCS", "NDC"] as const
export type CodeSystem = (typeof codeSystems)[number]

/**
 * One code in one edition of its code set. `code` is canonical: upper case, ICD-10 without its dot.
 * The AMA's CPT descriptors are never kept: a CPT code carries null descriptions.
 */
export interface CodeRecord {
  readonly codeSystem: CodeSystem
  readonly code: string
  readonly description: string | null
  readonly shortDescription: string | null
  readonly category: string | null
  readonly betosCode: string | null
  readonly poaExempt: boolean | null
  /** False for an ICD-10 header, which may not be submitted. */
  readonly billable: boolean
  /** HCPCS coverage code (C, D, I, M, S); null elsewhere. */
  readonly coverageCode: string | null
  readonly effectiveDate: IsoDate | null
  readonly terminationDate: IsoDate | null
}

/** What a document calls a code that it lists; never a CPT or CDT code. */
export interface CodeDescription {
  readonly code: string
  readonly codeSystem: CodeSystem
  readonly description: string
}

/** A code offered in place of one that was not found; score 0..1. */
export interface CodeSuggestion {
  readonly code: string
  readonly codeSystem: CodeSystem
  readonly description: string | null
  readonly score: number
  readonly matchType: "code" | "description"
}
