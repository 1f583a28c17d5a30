import type { CodeGroup, CriteriaBlock, PolicyVersion } from "../../../core/coverage/Policy.ts"

/** A version as its row holds it: the text, the passages and the codes in columns of their own. */
export interface VersionRow {
  readonly narrative: Narrative
  readonly criteria: ReadonlyArray<CriteriaBlock>
  readonly code_groups: ReadonlyArray<CodeGroup>
}

type Narrative = Omit<PolicyVersion, "criteria" | "codeGroups" | "documentVersion"> &
  Partial<Pick<PolicyVersion, "documentVersion">>

/** The version that the row holds. */
export const versionOf = (row: VersionRow): PolicyVersion => ({
  // Versions that were kept before documents named their own version do not hold it.
  documentVersion: null,
  ...row.narrative,
  criteria: row.criteria,
  codeGroups: row.code_groups
})

/** The row's members of a version, as JSON texts. */
export const rowOf = (version: PolicyVersion): { readonly [Column in keyof VersionRow]: string } => {
  const { codeGroups, criteria, ...narrative } = version
  return {
    narrative: JSON.stringify(narrative),
    criteria: JSON.stringify(criteria),
    code_groups: JSON.stringify(codeGroups)
  }
}
