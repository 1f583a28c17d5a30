import type { CodeRecord } from "../../../core/coverage/Code.ts"
import type { Criterion, Sex } from "../../../core/coverage/Criterion.ts"
import type { IsoDate } from "../../../core/coverage/date.ts"
import type { CriteriaSection, DiagnosisRole, PolicyId, PolicyStatus } from "../../../core/coverage/Policy.ts"

/**
 * What is so, from which documents are written and answers are expected. Nothing here is read from text: a
 * group's scope is a list of codes and not a sentence that names them.
 */
export interface Truth {
  readonly units: ReadonlyArray<UnitTruth>
  readonly nationals: ReadonlyArray<NationalTruth>
  /** What column 230 of the HCPCS file says of codes. */
  readonly columns: ReadonlyArray<{ readonly code: string; readonly letter: CodeRecord["coverageCode"] }>
  /** The days that the HCPCS and the ICD-10-CM file can judge; null: none was imported. */
  readonly hcpcsEdition: Days | null
  readonly diagnosisEdition: Days | null
}

/** Closed; a null end is open. */
export interface Days {
  readonly from: IsoDate | null
  readonly until: IsoDate | null
}

/** An LCD and its articles, or an article alone. At most one document of them has diagnosis groups. */
export interface UnitTruth {
  readonly documents: ReadonlyArray<DocumentTruth>
}

export interface DocumentTruth extends Days {
  readonly policyId: PolicyId
  readonly isLcd: boolean
  readonly version: number
  readonly documentVersion: string | null
  readonly status: PolicyStatus
  readonly contractors: ReadonlyArray<ContractorTruth>
  readonly procedures: ReadonlyArray<string>
  readonly groups: ReadonlyArray<GroupTruth>
  readonly blocks: ReadonlyArray<BlockTruth>
  readonly related: ReadonlyArray<PolicyId>
}

export interface ContractorTruth {
  readonly number: string
  readonly jurisdiction: string
  readonly kind: "A/B" | "DME"
  readonly states: ReadonlyArray<string>
}

export interface GroupTruth {
  readonly group: number
  readonly table: "covered" | "noncovered"
  /** `all_except`: the group supports what it does not list. `unreadable`: the paragraph says both. */
  readonly reading: "listing" | "all_except" | "unreadable"
  /** The procedure codes that it names; null: it names none. */
  readonly names: ReadonlyArray<string> | null
  /** The source says scope and role outright, and there is no paragraph. */
  readonly stated: boolean
  readonly role: DiagnosisRole
  /** A condition in the paragraph. */
  readonly condition: string | null
  /** The paragraph says that a listed code does not assure coverage. */
  readonly hasRemark: boolean
  /** A condition of the marked codes; null: none is marked. */
  readonly asterisk: string | null
  readonly marked: ReadonlyArray<string>
  readonly diagnoses: ReadonlyArray<string>
  /** Chooses among the ways to write it. */
  readonly wording: number
}

export interface BlockTruth {
  /**
   * `condition` and `unclassable` count and no machine can judge them; `instruction` states none;
   * `pointer` makes the blocks of the unit's LCD count; `structured` is judged by `logic`.
   */
  readonly meaning: "condition" | "unclassable" | "instruction" | "pointer" | "structured"
  readonly section: CriteriaSection
  readonly text: string
  readonly logic: Criterion | null
}

/** A national determination, and the three ways in which it may reach a code beside a related document. */
export interface NationalTruth extends Days {
  readonly policyId: PolicyId
  readonly level: number | null
  readonly blocks: ReadonlyArray<BlockTruth>
  /** Codes that it lists itself. */
  readonly lists: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly denies: ReadonlyArray<string>
}

/** A question as a caller of Medicare's coverage puts it. */
export interface Question {
  readonly codes: ReadonlyArray<string>
  readonly diagnoses: ReadonlyArray<string>
  readonly date: IsoDate
  readonly place: { readonly state: string } | { readonly jurisdiction: string } | null
  readonly site: string | null
  readonly sex: Sex | null
  readonly modifiers: ReadonlyArray<string>
  readonly specialty: string | null
}
