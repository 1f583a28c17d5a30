import type { TraceStep } from "../CoverageDecision.ts"
import type { CodeGroupEntry } from "../Policy.ts"
import { entriesAmong } from "./entriesAmong.ts"
import type { DiagnosisGroup } from "./groups.ts"
import { codeList } from "./groups.ts"
import { stepOf } from "./Verdict.ts"

/** A group and those of the query's diagnoses that it lists. */
export interface Hit {
  readonly group: DiagnosisGroup
  readonly entries: ReadonlyArray<CodeGroupEntry>
}

/** What each group lists of the diagnoses. */
export const hitsOf = (
  groups: ReadonlyArray<DiagnosisGroup>,
  diagnoses: ReadonlyArray<string>
): ReadonlyArray<Hit> => groups.map((group) => ({ group, entries: entriesAmong(group.group, diagnoses) }))

/** The codes that any of them lists. */
export const codesIn = (hits: ReadonlyArray<Hit>): ReadonlySet<string> =>
  new Set(hits.flatMap((one) => one.entries.map((entry) => entry.code)))

/** A list as a step of the trace, quoted by its paragraph. */
export const listStep = ({ group }: Hit, rule: string, result: string): TraceStep =>
  stepOf(group.policy, {
    rule: `article.${rule}`,
    result: `${result} (group ${group.group.group}).`,
    group: group.group.group,
    section: diagnosisSections[group.kind],
    quote: group.group.paragraph
  })

/** A list that nobody can read or place. */
export const scopeStep = (one: Hit): TraceStep =>
  listStep(
    one,
    "dx_scope_none",
    one.entries.length > 0
      ? `${codeList(one.entries)} is listed, but what the list means for the procedure cannot be read`
      : "What the list means for diagnoses that are not on it cannot be read"
  )

/** The sections of an article that hold the lists. */
export const diagnosisSections = {
  dx_covered: "diagnosis codes that support medical necessity",
  dx_noncovered: "diagnosis codes that do not support medical necessity"
} as const
