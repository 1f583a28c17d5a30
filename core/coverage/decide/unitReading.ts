import type { TraceStep } from "../CoverageDecision.ts"
import type { CodeGroup, Disposition, PolicyVersion } from "../Policy.ts"
import type { BlockReading } from "./block.ts"
import { readBlocks } from "./block.ts"
import type { RuleInputs } from "./criteria.ts"
import { entriesAmong } from "./entriesAmong.ts"
import type { DiagnosisCodeGroup } from "./groups.ts"
import { byNumber, diagnosisGroups, isDiagnosisGroup } from "./groups.ts"
import { unreadSentences } from "./polarity.ts"
import type { Support } from "./support.ts"
import { supportOf } from "./support.ts"
import type { Unit } from "./unit.ts"
import { stepOf } from "./Verdict.ts"

/** What is asked of a unit. `code` null: no procedure was named. */
export interface UnitQuestion {
  readonly code: string | null
  readonly inputs: RuleInputs
  readonly attested: ReadonlySet<string>
  /** Those of the diagnoses that the table of the day does not hold, or holds as headers. */
  readonly invalidDiagnoses: ReadonlySet<string>
}

/** What a unit's lists, paragraphs and text say of a question. */
export interface UnitReading {
  readonly support: Support
  readonly blocks: ReadonlyArray<BlockReading>
  readonly listings: ReadonlyArray<TraceStep>
  readonly stated: ReadonlyArray<StatedUnits>
  /** A document lists the code itself; false: it was read from a title. */
  readonly isSure: boolean
  /** Groups of procedures that list the code. */
  readonly listing: ReadonlyArray<readonly [PolicyVersion, CodeGroup]>
  /** Groups of diagnoses that list none, each with a sentence that states a condition. */
  readonly emptyGroups: ReadonlyArray<readonly [PolicyVersion, DiagnosisCodeGroup, string]>
}

/** What a document says outright of the procedures that it lists. */
export interface StatedUnits {
  readonly policy: PolicyVersion
  readonly disposition: Disposition
}

/** Reads every document of a unit. */
export const readUnit = (unit: Unit, { code, inputs, invalidDiagnoses }: UnitQuestion): UnitReading => {
  const groups = unit.documents.flatMap((one) => diagnosisGroups(one, unit.procedures))
  const listing = unit.documents.flatMap((policy) =>
    policy.codeGroups
      .filter(
        (group) => group.kind === "procedure" && code !== null && entriesAmong(group, [code]).length > 0
      )
      .toSorted(byNumber)
      .map((group) => [policy, group] as const)
  )
  return {
    support: supportOf(groups, {
      code: code ?? soleProcedure(unit) ?? "",
      diagnoses: inputs.diagnosisCodes,
      invalid: invalidDiagnoses,
      lacksArticle: unit.lacksArticle
    }),
    blocks: unit.documents.flatMap((policy) => readBlocks(policy, inputs)),
    listings: listing.map(([policy, group]) => listedStep(policy, group)),
    stated: listing.flatMap(([policy, { disposition }]) =>
      disposition === undefined ? [] : [{ policy, disposition }]
    ),
    isSure: listing.some(([, group]) =>
      entriesAmong(group, [code ?? ""]).some((one) => one.source === "document")
    ),
    listing,
    emptyGroups: unit.documents.flatMap(emptyGroupsOf)
  }
}

/** A paragraph without a list may still speak of diagnoses, and nothing else reads it. */
const emptyGroupsOf = (policy: PolicyVersion): UnitReading["emptyGroups"] =>
  policy.codeGroups
    .toSorted(byNumber)
    .flatMap((group) => (isDiagnosisGroup(group) && group.codes.length === 0 ? [group] : []))
    .flatMap((group) =>
      unreadSentences(group.paragraph).map((sentence) => [policy, group, sentence] as const)
    )

/** The one procedure of a unit that lists no other. */
export const soleProcedure = ({ procedures }: Unit): string | undefined =>
  procedures.size === 1 ? [...procedures][0] : undefined

const listedStep = (policy: PolicyVersion, group: CodeGroup): TraceStep =>
  stepOf(policy, {
    rule: "policy.listed",
    result: "The policy lists the code; a code's presence is not coverage.",
    group: group.group,
    section: "procedure codes",
    quote: group.paragraph
  })
