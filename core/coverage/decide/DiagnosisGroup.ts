import { displayCode } from "../codeText.ts"
import type { CodeGroup, CodeGroupEntry, PolicyVersion } from "../Policy.ts"
import { entriesAmong } from "./entriesAmong.ts"
import type { GroupScope } from "./scope.ts"
import { isDiagnosisGroup, scopeOf } from "./scope.ts"

/** A group of diagnoses, and those of the query's that it lists. */
export interface DiagnosisGroup extends GroupScope {
  readonly group: CodeGroup
  readonly hits: ReadonlyArray<CodeGroupEntry>
}

/**
 * The groups of diagnoses of a document by number, and of one number by kind, so that the order of a file is
 * never seen; read once for a query whatever the procedure.
 */
export const diagnosisGroups = (
  document: PolicyVersion,
  diagnoses: ReadonlyArray<string>
): ReadonlyArray<DiagnosisGroup> =>
  document.codeGroups
    .filter(isDiagnosisGroup)
    .toSorted((a, b) => a.group - b.group || (a.kind < b.kind ? -1 : Number(a.kind > b.kind)))
    .map((group) => ({ group, ...scopeOf(document, group), hits: entriesAmong(group, diagnoses) }))

/** The codes as a person reads them, in order. */
export const written = (entries: ReadonlyArray<CodeGroupEntry>): string =>
  entries.map(displayCode).toSorted().join(", ")
