import type { Condition, TraceStep } from "../CoverageDecision.ts"
import type { CodeGroup, Disposition, PolicyVersion } from "../Policy.ts"
import type { BlockReading } from "./block.ts"
import { blockStep, readBlocks } from "./block.ts"
import { conditionOf, sortConditions } from "./condition.ts"
import type { RuleInputs } from "./criteria.ts"
import { entriesAmong } from "./entriesAmong.ts"
import type { DiagnosisGroup } from "./groups.ts"
import { diagnosisGroups } from "./groups.ts"
import { groupsTogether } from "./paragraph.ts"
import { conditionsIn, pointsElsewhere } from "./sentence.ts"
import type { Support } from "./support.ts"
import { sectionOf, supportOf } from "./support.ts"
import type { Unit } from "./unit.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, verdict } from "./Verdict.ts"

/** What is asked of a unit. `code` null: no procedure was named. */
export interface UnitQuestion {
  readonly code: string | null
  readonly inputs: RuleInputs
  readonly attested: ReadonlySet<string>
}

/**
 * What one unit says of one procedure (coverage-domain §2.1, rule 8): an explicit denial, a support that
 * failed, coverage where nothing is left to meet, and otherwise `conditional` with what is left.
 */
export const unitVerdict = (unit: Unit, question: UnitQuestion): Verdict => {
  const reading = readUnit(unit, question)
  const { support, blocks, listings, stated } = reading
  const trace = [...listings, ...support.steps, ...blocks.filter(speaks).map(blockStep)]
  const refused = stated.filter((one) => one.disposition === "not_covered" && one.policy.status !== "unknown")
  const violated = blocks.filter((one) => one.state === "violated" && one.policy.status !== "unknown")
  if (refused.length + violated.length > 0 || support.deniedBy === "name") {
    const deciding = [
      ...refused.map(statedStep),
      ...violated.map(blockStep),
      ...(support.deniedBy === "name" ? support.steps : [])
    ]
    const whole = [...refused.map(statedStep), ...trace]
    const { gaps, support: said } = support
    return verdict("not_covered", deciding, { support: said, gaps, isExplicit: true, trace: whole })
  }
  if (support.deniedBy === "omission") {
    return verdict("not_covered", support.steps, { support: support.support, trace })
  }
  return remaining(unit, question, { ...reading, trace })
}

interface UnitReading {
  readonly support: Support
  readonly blocks: ReadonlyArray<BlockReading>
  readonly listings: ReadonlyArray<TraceStep>
  readonly stated: ReadonlyArray<Stated>
  /** A document lists the code itself; false: it was read from a title. */
  readonly isSure: boolean
  /** Groups of procedures that list the code. */
  readonly listing: ReadonlyArray<readonly [PolicyVersion, CodeGroup]>
}

interface Stated {
  readonly policy: PolicyVersion
  readonly disposition: Disposition
}

const readUnit = (unit: Unit, { code, inputs }: UnitQuestion): UnitReading => {
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
    support: supportOf(groups, code ?? soleProcedure(unit) ?? "", inputs.diagnosisCodes),
    blocks: unit.documents.flatMap((policy) => readBlocks(policy, inputs)),
    listings: listing.map(([policy, group]) => listedStep(policy, group)),
    stated: listing.flatMap(([policy, { disposition }]) =>
      disposition === undefined ? [] : [{ policy, disposition }]
    ),
    isSure: listing.some(([, group]) =>
      entriesAmong(group, [code ?? ""]).some((one) => one.source === "document")
    ),
    listing
  }
}

/** The one procedure of a unit that lists no other. */
export const soleProcedure = ({ procedures }: Unit): string | undefined =>
  procedures.size === 1 ? [...procedures][0] : undefined

const remaining = (
  unit: Unit,
  question: UnitQuestion,
  reading: UnitReading & { readonly trace: ReadonlyArray<TraceStep> }
): Verdict => {
  const asked = sortConditions(conditionsOf(reading))
  const met = asked.filter((one) => question.attested.has(one.conditionId))
  const conditions = asked.filter((one) => !question.attested.has(one.conditionId))
  const attestations = met.map((one) => attestedStep(unit, one))
  const gaps = gapsOf(unit, question, reading, { asked, conditions })
  const support = reading.support
  const isSettled = support.support === "supported" || support.support === "not_applicable"
  const isCovered = isSettled && conditions.length === 0 && gaps.length === 0
  const open = reading.blocks.filter((one) => one.state === "open").map(blockStep)
  const held = reading.blocks.filter((one) => one.state === "met" || one.state === "affirms").map(blockStep)
  const found = isCovered ? [...support.steps, ...held, ...attestations] : [...support.steps, ...open]
  const deciding = found.length > 0 ? found : reading.listings
  const affirmed = reading.stated.map(statedStep)
  return verdict(isCovered ? "covered" : "conditional", [...affirmed, ...deciding], {
    support: support.support,
    conditions,
    gaps,
    isAttested: met.length > 0,
    trace: [...affirmed, ...reading.trace, ...attestations]
  })
}

/** What the unit asks for beside what was judged: text, paragraphs, asterisks and roles (rules 6 and 8). */
const conditionsOf = ({ blocks, listing, support }: UnitReading): ReadonlyArray<Condition> => [
  ...blocks.filter((one) => one.state === "open").map((one) => one.condition),
  ...listing.flatMap(([policy, group]) =>
    conditionsIn(group.paragraph ?? "").map((text) =>
      conditionOf(policy, { text, section: `procedure codes (group ${group.group})`, kind: "narrative" })
    )
  ),
  ...support.supporting.flatMap(({ group, entries }) => [
    ...group.conditions.map((text) => groupCondition(group, text)),
    ...(entries.length > 0 && entries.every((one) => one.asterisk) && group.group.asteriskText !== null
      ? [groupCondition(group, group.group.asteriskText)]
      : [])
  ]),
  ...support.openRoles.flatMap(roleConditions)
]

const groupCondition = (group: DiagnosisGroup, text: string): Condition =>
  conditionOf(group.policy, { text, section: groupSection(group), kind: "narrative" })

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

const byNumber = (a: CodeGroup, b: CodeGroup): number =>
  a.group - b.group || ((a.paragraph ?? "") < (b.paragraph ?? "") ? -1 : 1)

const groupSection = (group: DiagnosisGroup): string => `${sectionOf(group)} (group ${group.group.group})`

interface Asked {
  readonly asked: ReadonlyArray<Condition>
  readonly conditions: ReadonlyArray<Condition>
}

/** What no attestation can replace (L2): facts that the library lacks and inputs that were not given. */
const gapsOf = (
  unit: Unit,
  { code }: UnitQuestion,
  reading: UnitReading,
  { asked, conditions }: Asked
): ReadonlyArray<Gap> => {
  const { blocks, listing, stated, support } = reading
  const open = new Set(conditions.map((one) => one.conditionId))
  const affirms =
    stated.some((one) => one.disposition === "covered") ||
    blocks.some((one) => one.state === "met" || one.state === "affirms")
  const hasNothing = support.support === "not_applicable" && asked.length === 0 && !affirms
  const isInferred = code !== null && listing.length > 0 && !reading.isSure
  const lacksRelated =
    unit.lacksRelated ||
    (pointsAway(reading) && unit.documents.every(({ policy }) => policy.policyType !== "LCD"))
  return unique<Gap>([
    ...support.gaps,
    ...blocks.filter((one) => open.has(one.condition.conditionId)).flatMap((one) => one.gaps),
    ...(unit.documents.some((one) => one.status === "unknown") ? (["policy_status"] as const) : []),
    ...(lacksRelated ? (["related_policy"] as const) : []),
    ...(hasNothing || isInferred || unit.documents.some(isBare) ? (["coverage_criteria"] as const) : []),
    ...(stated.some((one) => one.disposition === "conditional") && asked.length === 0
      ? (["coverage_criteria"] as const)
      : []),
    ...(stated.some((one) => one.disposition === "requires_pa") ? (["prior_authorization"] as const) : []),
    ...(hasUnexplainedAsterisk(support) ? (["asterisk_text"] as const) : [])
  ])
}

/** Text, or a paragraph about the code or its diagnoses, sends to the related LCD. */
const pointsAway = ({ blocks, listing, support }: UnitReading): boolean =>
  blocks.some((one) => one.state === "pointer") ||
  [...listing.map(([, group]) => group), ...support.supporting.map(({ group }) => group.group)].some(
    ({ paragraph }) => pointsElsewhere(paragraph ?? "")
  )

/** A document of which only lists are known, neither text nor dates: nothing says what else it asks for. */
const isBare = (policy: PolicyVersion): boolean =>
  policy.sourceShape !== "criteria_backed" && policy.effectiveDate === null

const hasUnexplainedAsterisk = ({ supporting }: Support): boolean =>
  supporting.length > 0 &&
  supporting.every(
    ({ entries, group }) =>
      entries.length > 0 && entries.every((one) => one.asterisk) && group.group.asteriskText === null
  )

/** Blocks that state nothing fill no trace. */
const speaks = ({ state }: BlockReading): boolean => state !== "silent"

const attestedStep = ({ documents }: Unit, condition: Condition): TraceStep =>
  stepOf(documents.find(({ policy }) => policy.policyId === condition.policyId) ?? null, {
    rule: "condition.attested",
    result: "The caller attests that the condition is met.",
    section: condition.section,
    quote: condition.text
  })

const listedStep = (policy: PolicyVersion, group: CodeGroup): TraceStep =>
  stepOf(policy, {
    rule: "policy.listed",
    result: "The policy lists the code; a code's presence is not coverage.",
    group: group.group,
    section: "procedure codes",
    quote: group.paragraph
  })

const statedStep = ({ disposition, policy }: Stated): TraceStep =>
  stepOf(policy, {
    rule: "policy.disposition",
    result: statements[disposition],
    section: "procedure codes"
  })

const statements: Readonly<Record<Disposition, string>> = {
  covered: "The policy states that the procedure is covered.",
  not_covered: "The policy states that the procedure is not covered.",
  requires_pa: "The policy covers the procedure once it is authorized.",
  conditional: "The policy covers the procedure on the conditions of its text."
}
