import type { CodeGroup, DiagnosisRole, PolicyDocument } from "../Policy.ts"
import { groupsTogether, namesIn, roleIn } from "./paragraph.ts"

/** How it is known which procedures a group of diagnoses is about (coverage-domain §2, scope_basis). */
export type ScopeBasis = "stated" | "single_group" | "paragraph_codes" | "curated" | "none"

export interface GroupScope {
  /** Null: nobody can tell, and whatever rests on the group is conditional at most. */
  readonly scope: ReadonlyArray<string> | "all" | null
  readonly scopeBasis: ScopeBasis
  readonly role: DiagnosisRole
  readonly roleBasis: "stated" | "paragraph" | "none"
}

export const isDiagnosisGroup = (group: CodeGroup): boolean =>
  group.kind === "dx_covered" || group.kind === "dx_noncovered"

/**
 * What a group of diagnoses is about and what a second diagnosis means to it. What the source states wins;
 * then the codes that its paragraph names, of those that the document lists; then a document with one group
 * of procedures and one of this kind is about all that it lists. Equal numbers alone prove nothing: CMS
 * numbers the two kinds independently.
 */
export const scopeOf = (document: PolicyDocument, group: CodeGroup): GroupScope =>
  scopesOf(document).get(group) ?? derived(document, group)

/** Documents are never changed and their paragraphs are long: each is read once, and forgotten with it. */
const known = new WeakMap<PolicyDocument["codeGroups"], ReadonlyMap<CodeGroup, GroupScope>>()

const scopesOf = (document: PolicyDocument): ReadonlyMap<CodeGroup, GroupScope> => {
  const before = known.get(document.codeGroups)
  if (before !== undefined) return before
  const groups = document.codeGroups.filter(isDiagnosisGroup)
  const scopes = new Map(groups.map((group) => [group, derived(document, group)] as const))
  known.set(document.codeGroups, scopes)
  return scopes
}

const derived = (document: PolicyDocument, group: CodeGroup): GroupScope => ({
  ...procedureScope(document, group),
  ...diagnosisRole(document, group)
})

const procedureScope = (
  document: PolicyDocument,
  group: CodeGroup
): Pick<GroupScope, "scope" | "scopeBasis"> => {
  if (group.scope !== undefined) return { scope: group.scope, scopeBasis: "stated" }
  const procedures = document.codeGroups.filter((one) => one.kind === "procedure")
  const names = group.paragraph === null ? undefined : namesIn(group.paragraph)
  if (names !== undefined) {
    const named = procedures.flatMap((one) => one.codes.map(({ code }) => code).filter(names))
    if (named.length > 0) return { scope: named, scopeBasis: "paragraph_codes" }
  }
  const alone = document.codeGroups.filter((one) => one.kind === group.kind).length === 1
  return procedures.length === 1 && alone
    ? { scope: "all", scopeBasis: "single_group" }
    : { scope: null, scopeBasis: "none" }
}

const diagnosisRole = (
  document: PolicyDocument,
  group: CodeGroup
): Pick<GroupScope, "role" | "roleBasis"> => {
  if (group.role !== undefined) return { role: group.role, roleBasis: "stated" }
  const paired = document.codeGroups.some(
    (one) =>
      one.kind === group.kind && one.paragraph !== null && groupsTogether(one.paragraph).includes(group.group)
  )
  const role = paired ? "both_required" : group.paragraph === null ? undefined : roleIn(group.paragraph)
  return role === undefined ? { role: "any", roleBasis: "none" } : { role, roleBasis: "paragraph" }
}
