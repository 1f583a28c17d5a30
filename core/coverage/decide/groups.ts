import { displayCode } from "../codeText.ts"
import type { CodeGroup, CodeGroupEntry, DiagnosisRole, PolicyVersion } from "../Policy.ts"
import { groupsTogether, namesIn, roleIn } from "./paragraph.ts"
import type { Polarity } from "./polarity.ts"
import { readParagraph } from "./polarity.ts"
import { readOnce } from "./readOnce.ts"

/** How it is known which procedures a group of diagnoses is about (coverage-domain §2, scope_basis). */
export type ScopeBasis = "stated" | "single_group" | "paragraph_codes" | "foreign_codes" | "none"

/** A group of diagnoses as the rules read it (coverage-domain §2.1, rule 6). */
export interface DiagnosisGroup {
  readonly policy: PolicyVersion
  readonly group: CodeGroup
  readonly kind: "dx_covered" | "dx_noncovered"
  /** Null: nobody can tell, and nothing rests on the group. */
  readonly scope: ReadonlySet<string> | null
  /** The procedures that the paragraph names, also where the rest of it cannot be read. */
  readonly named: ReadonlySet<string> | null
  readonly scopeBasis: ScopeBasis
  readonly polarity: Polarity
  readonly role: DiagnosisRole
  /** The numbers of the groups of which one diagnosis each is asked for; empty: no pair, or not said. */
  readonly together: ReadonlyArray<number>
  /** Sentences of the paragraph that state a condition beside a role that was read. */
  readonly conditions: ReadonlyArray<string>
}

/**
 * The groups of diagnoses of a document, by number and kind; `procedures`: the codes that its unit lists. A
 * group without codes says nothing of any diagnosis.
 */
export const diagnosisGroups = (
  policy: PolicyVersion,
  procedures: ReadonlySet<string>
): ReadonlyArray<DiagnosisGroup> =>
  policy.codeGroups
    .flatMap((group) => (isDiagnosisGroup(group) && group.codes.length > 0 ? [group] : []))
    .toSorted((a, b) => a.group - b.group || (a.kind < b.kind ? -1 : Number(a.kind > b.kind)))
    .map((group) => readGroup(policy, group, procedures))

/** A group of diagnoses as the source has it. */
export type DiagnosisCodeGroup = CodeGroup & { readonly kind: DiagnosisGroup["kind"] }

export const isDiagnosisGroup = (group: CodeGroup): group is DiagnosisCodeGroup =>
  group.kind === "dx_covered" || group.kind === "dx_noncovered"

/** By number, and those of one number by their paragraphs. */
export const byNumber = (a: CodeGroup, b: CodeGroup): number =>
  a.group - b.group || ((a.paragraph ?? "") < (b.paragraph ?? "") ? -1 : 1)

/** The codes as a person reads them, in order. */
export const codeList = (entries: ReadonlyArray<CodeGroupEntry>): string =>
  entries.map(displayCode).toSorted().join(", ")

const readGroup = (
  policy: PolicyVersion,
  group: DiagnosisCodeGroup,
  procedures: ReadonlySet<string>
): DiagnosisGroup => {
  const words = wordsOf(group, policy)
  const found = scopeOf(policy, group, procedures)
  return {
    policy,
    group,
    kind: group.kind,
    ...words,
    ...(words.polarity === "unreadable" ? ({ scope: null, scopeBasis: "none" } as const) : found),
    named: found.scopeBasis === "paragraph_codes" || found.scopeBasis === "stated" ? found.scope : null
  }
}

type Words = Pick<DiagnosisGroup, "polarity" | "role" | "conditions" | "together">

const wordsOf = readOnce(
  (group: DiagnosisCodeGroup, policy: PolicyVersion): Words => ({
    ...readParagraph(group, group.paragraph),
    role: roleOf(policy, group),
    together: togetherWith(policy, group)
  })
)

/** What the source states wins; then what a paragraph says of the groups that belong together. */
const roleOf = (policy: PolicyVersion, group: DiagnosisCodeGroup): DiagnosisRole => {
  if (group.role !== undefined) return group.role
  if (togetherWith(policy, group).length > 0) return "both_required"
  return (group.paragraph === null ? undefined : roleIn(group.paragraph)) ?? "any"
}

/** The groups that any paragraph asks for together with this one, with itself. */
const togetherWith = (policy: PolicyVersion, { group, kind }: CodeGroup): ReadonlyArray<number> => [
  ...new Set(
    policy.codeGroups
      .filter((one) => one.kind === kind && one.paragraph !== null)
      .map((one) => groupsTogether(one.paragraph ?? ""))
      .filter((together) => together.includes(group))
      .flat()
  )
]

/**
 * The procedures that a group is about. What the source states wins; then the codes that the paragraph names,
 * of those of the unit; then the only group of its kind is about all that its document lists, or its unit
 * where the document lists none (rule 5). Equal numbers alone prove nothing: CMS numbers the kinds apart.
 */
const scopeOf = (
  policy: PolicyVersion,
  group: DiagnosisCodeGroup,
  procedures: ReadonlySet<string>
): Pick<DiagnosisGroup, "scope" | "scopeBasis"> => {
  if (group.scope !== undefined) {
    return { scope: group.scope === "all" ? procedures : new Set(group.scope), scopeBasis: "stated" }
  }
  const names = group.paragraph === null ? null : namesIn(group.paragraph)
  if (names === "unreadable") return { scope: null, scopeBasis: "none" }
  if (names !== null) {
    const named = [...procedures].filter(names)
    return named.length > 0
      ? { scope: new Set(named), scopeBasis: "paragraph_codes" }
      : { scope: null, scopeBasis: "foreign_codes" }
  }
  const others = policy.codeGroups.filter((one) => one.kind === group.kind && one.codes.length > 0)
  if (others.length > 1) return { scope: null, scopeBasis: "none" }
  const own = procedureCodes(policy)
  return { scope: own.size > 0 ? own : procedures, scopeBasis: "single_group" }
}

/** Every procedure code that the document itself lists. */
export const procedureCodes = ({ codeGroups }: PolicyVersion): ReadonlySet<string> => proceduresIn(codeGroups)

const proceduresIn = readOnce(
  (groups: PolicyVersion["codeGroups"]): ReadonlySet<string> =>
    new Set(
      groups
        .filter((group) => group.kind === "procedure")
        .flatMap((group) => group.codes.map((entry) => entry.code))
    )
)
