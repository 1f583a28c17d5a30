import type { Condition, TraceStep } from "../CoverageDecision.ts"
import type { CriteriaBlock, Disposition, PolicyVersion } from "../Policy.ts"
import type { BlockReading } from "./block.ts"
import { blockSteps } from "./block.ts"
import { sortConditions } from "./condition.ts"
import type { Hit } from "./hits.ts"
import { readOnce } from "./readOnce.ts"
import { documentsPointedAt, pointsElsewhere, readProcedureParagraph } from "./sentence.ts"
import type { Support } from "./support.ts"
import type { Unit } from "./unit.ts"
import { conditionsOf } from "./unitConditions.ts"
import type { StatedUnits, UnitQuestion, UnitReading } from "./unitReading.ts"
import { readUnit } from "./unitReading.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, verdict } from "./Verdict.ts"

/**
 * What one unit says of one procedure (coverage-domain §2.1, rule 8): an explicit denial, a support that
 * failed, coverage where nothing is left to meet, and otherwise `conditional` with what is left.
 */
export const unitVerdict = (unit: Unit, question: UnitQuestion): Verdict => {
  const reading = readUnit(unit, question)
  const { support, blocks, listings, stated } = reading
  const blockTrace = blocks.filter(speaks).flatMap((one) => blockSteps(one, question.attested))
  const trace = [...listings, ...support.steps, ...blockTrace]
  const refused = stated.filter((one) => one.disposition === "not_covered" && one.policy.status !== "unknown")
  const violated = blocks.filter((one) => one.state === "violated" && one.policy.status !== "unknown")
  if (refused.length + violated.length > 0 || support.deniedBy === "name") {
    const deciding = [
      ...refused.map(statedStep),
      ...violated.flatMap((one) => blockSteps(one)),
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
  const open = reading.blocks
    .filter((one) => one.state === "open")
    .flatMap((one) => blockSteps(one, question.attested))
  const held = reading.blocks
    .filter((one) => one.state === "met" || one.state === "affirms")
    .flatMap((one) => blockSteps(one))
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
  const mayDeny = listing.some(([, group]) => readProcedureParagraph(group).mayDeny)
  const isInferred = code !== null && listing.length > 0 && !reading.isSure
  const lacksRelated =
    unit.lacksRelated || unit.lacksArticle || (pointsAway(reading) && !unit.documents.some(hasLcdText))
  return unique<Gap>([
    ...support.gaps,
    ...blocks
      .filter((one) => one.conditions.some(({ conditionId }) => open.has(conditionId)))
      .flatMap((one) => one.gaps),
    ...(unit.documents.some(isUndated) ? (["policy_status"] as const) : []),
    ...(lacksRelated || namesAbsent(unit, reading) ? (["related_policy"] as const) : []),
    ...(hasNothing ||
    isInferred ||
    mayDeny ||
    unit.documents.some(mayDenyByTitle) ||
    unit.documents.some(isBare)
      ? (["coverage_criteria"] as const)
      : []),
    ...(stated.some((one) => one.disposition === "conditional") && asked.length === 0
      ? (["coverage_criteria"] as const)
      : []),
    ...(stated.some((one) => one.disposition === "requires_pa") ? (["prior_authorization"] as const) : []),
    ...(hasUnexplainedAsterisk(support) ? (["asterisk_text"] as const) : [])
  ])
}

/** Text, or a paragraph about the code or its diagnoses, sends to the related LCD. */
const pointsAway = (reading: UnitReading): boolean =>
  reading.blocks.some((one) => one.refersToLcd) || paragraphsThatCount(reading).some(pointsElsewhere)

/** An LCD without text leaves open what a pointer to it asks for. */
const hasLcdText = ({ criteria, policy }: PolicyVersion): boolean =>
  policy.policyType === "LCD" && criteria.length > 0

/** The paragraphs about the code and about the diagnoses that support it. */
const paragraphsThatCount = ({ listing, support }: UnitReading): ReadonlyArray<string> => [
  ...listing.map(([, group]) => group.paragraph ?? ""),
  ...support.supporting.map(({ group }) => group.group.paragraph ?? "")
]

/** `Non-Covered Services`, `Self-Administered Drug Exclusion List`: what it lists may not be covered. */
const mayDenyByTitle = ({ policy, title }: PolicyVersion): boolean =>
  policy.policyType !== "NCD" && denyingTitle.test(title)

const denyingTitle = /\bnon-? ?covered\b|\bexclu(?:sions?|ded)\b|\binvestigational\b|\bexperimental\b/i

/** Nobody can say whether the document is in force: the snapshot names no status, or no day it began. */
const isUndated = ({ effectiveDate, sourceShape, status }: PolicyVersion): boolean =>
  status === "unknown" || (effectiveDate === null && sourceShape === "criteria_backed")

/**
 * Text that counts names another document, whose conditions nobody has read here (L1): an LCD or article
 * outside the unit, or a determination that the unit does not name as related.
 */
const namesAbsent = ({ documents }: Unit, reading: UnitReading): boolean => {
  const known = new Set<string>(
    documents.flatMap((one) => [one.policy.policyId, ...one.related.map(({ policyId }) => policyId)])
  )
  const counting = reading.blocks.filter((one) => one.state === "open" || one.state === "pointer")
  const named = [
    ...counting.flatMap((one) => namedIn(one.block)),
    ...paragraphsThatCount(reading).flatMap(documentsPointedAt)
  ]
  return named.some((id) => !known.has(id))
}

const namedIn = readOnce((block: CriteriaBlock) => documentsPointedAt(block.text))

/** A document of which only lists are known, neither text nor dates: nothing says what else it asks for. */
const isBare = (policy: PolicyVersion): boolean =>
  policy.sourceShape !== "criteria_backed" && policy.effectiveDate === null

const hasUnexplainedAsterisk = ({ partners, supporting }: Support): boolean => {
  const isOpen = ({ entries, group }: Hit): boolean =>
    entries.length > 0 && entries.every((one) => one.asterisk) && group.group.asteriskText === null
  return (supporting.length > 0 && supporting.every(isOpen)) || partners.some(isOpen)
}

/** Blocks that state nothing fill no trace. */
const speaks = ({ state }: BlockReading): boolean => state !== "silent"

const attestedStep = ({ documents }: Unit, condition: Condition): TraceStep =>
  stepOf(documents.find(({ policy }) => policy.policyId === condition.policyId) ?? null, {
    rule: "condition.attested",
    result:
      condition.kind === "exclusion"
        ? "The caller attests that the exclusion does not apply."
        : "The caller attests that the condition is met.",
    section: condition.section,
    quote: condition.text,
    conditionId: condition.conditionId
  })

const statedStep = ({ disposition, policy }: StatedUnits): TraceStep =>
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
