import type { Condition } from "../CoverageDecision.ts"
import { paragraphKind } from "./blockConditions.ts"
import { conditionOf } from "./condition.ts"
import type { DiagnosisGroup } from "./groups.ts"
import { byNumber } from "./groups.ts"
import type { Hit } from "./hits.ts"
import { diagnosisSections } from "./hits.ts"
import { groupsTogether } from "./paragraph.ts"
import { readProcedureParagraph } from "./sentence.ts"
import type { UnitReading } from "./unitReading.ts"

/** What the unit asks for beside what was judged: text, paragraphs, asterisks and roles (rules 6 and 8). */
export const conditionsOf = ({
  blocks,
  emptyGroups,
  listing,
  support
}: UnitReading): ReadonlyArray<Condition> => [
  ...blocks.filter((one) => one.state === "open").flatMap((one) => one.conditions),
  ...listing.flatMap(([policy, group]) =>
    readProcedureParagraph(group).conditions.map((text) =>
      conditionOf(policy, {
        text,
        section: `procedure codes (group ${group.group})`,
        kind: paragraphKind(text)
      })
    )
  ),
  ...[...support.supporting, ...support.partners].flatMap(({ group, entries }) => [
    ...group.conditions.map((text) => groupCondition(group, text)),
    ...(isMarked(group, entries) && group.group.asteriskText !== null
      ? [groupCondition(group, group.group.asteriskText)]
      : [])
  ]),
  ...emptyGroups.map(([policy, group, text]) =>
    conditionOf(policy, { text, section: listSection(group.kind, group.group), kind: "narrative" })
  ),
  ...support.openRoles.flatMap(roleConditions)
]

/** Every entry is marked, or the note stands below a table that marks none. */
const isMarked = ({ group }: DiagnosisGroup, entries: Hit["entries"]): boolean =>
  entries.length > 0 && (entries.every((one) => one.asterisk) || group.codes.every((one) => !one.asterisk))

const groupCondition = (group: DiagnosisGroup, text: string): Condition =>
  conditionOf(group.policy, { text, section: groupSection(group), kind: paragraphKind(text) })

/** The words that give a group its role: its own paragraph, or the document's that pairs it. */
const roleConditions = (group: DiagnosisGroup): ReadonlyArray<Condition> => {
  const text = group.group.paragraph ?? pairingParagraph(group)
  return text === null || group.role === "any"
    ? []
    : [conditionOf(group.policy, { text, section: groupSection(group), kind: "role" })]
}

const pairingParagraph = ({ policy, group }: DiagnosisGroup): string | null =>
  policy.codeGroups
    .filter((one) => one.kind === group.kind && groupsTogether(one.paragraph ?? "").includes(group.group))
    .toSorted(byNumber)[0]?.paragraph ?? null

const groupSection = ({ group, kind }: DiagnosisGroup): string => listSection(kind, group.group)

const listSection = (kind: DiagnosisGroup["kind"], number: number): string =>
  `${diagnosisSections[kind]} (group ${number})`
