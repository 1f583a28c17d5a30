import type { IsoTime } from "./date.ts"
import { dayOf } from "./date.ts"
import { foldLines } from "./htmlText.ts"
import type { CodeGroup, CriteriaBlock, PolicyDocument, PolicyVersion } from "./Policy.ts"
import type { PriorAuthRule } from "./PriorAuthRule.ts"
import { readingOn } from "./reading.ts"

/**
 * What a version changed, in the order in which one name is chosen for several changes (coverage-domain §2).
 */
export const changeTypes = [
  "created",
  "updated",
  "retired",
  "codes_changed",
  "criteria_changed",
  "metadata_changed"
] as const
export type ChangeType = (typeof changeTypes)[number]

/** One row of the history of a policy (contract §2, GET /policies/changes). */
export interface PolicyChange {
  readonly changeType: ChangeType
  /** Names as on the wire, sorted. */
  readonly changedFields: ReadonlyArray<string>
  readonly addedCodes: ReadonlyArray<string>
  readonly removedCodes: ReadonlyArray<string>
  /** Block ids that were added, removed or reworded. */
  readonly modifiedCriteria: ReadonlyArray<string>
  readonly changeSummary: string
}

export type Revision =
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Recorded"; readonly version: PolicyVersion; readonly change: PolicyChange | null }

/**
 * What keeping a document does to its policy (§2.7). Equal fingerprints are one policy: a new
 * `hcpc_code_version` or `last_updated` in the source is no change. A document that differs only in white
 * space or order is recorded without a change row, for nobody could act on it.
 */
export const revise = (input: {
  readonly previous: PolicyVersion | undefined
  readonly document: PolicyDocument
  /** SHA-256 (hex) of `canonicalDocument(document)`. */
  readonly fingerprint: string
  readonly at: IsoTime
}): Revision => {
  const { previous, document, fingerprint, at } = input
  if (previous?.fingerprintSha256 === fingerprint) return { _tag: "Unchanged" }
  const version: PolicyVersion = {
    ...document,
    version: (previous?.version ?? 0) + 1,
    fingerprintSha256: fingerprint,
    recordedAt: at
  }
  return { _tag: "Recorded", version, change: changeBetween(previous, version) }
}

/** The change from one version to the next; null where nothing really changed. */
export const changeBetween = (
  previous: PolicyVersion | undefined,
  next: PolicyVersion
): PolicyChange | null => {
  const changedFields = previous === undefined ? [] : fieldsChanged(previous, next)
  if (previous !== undefined && changedFields.length === 0) return null
  const before = previous === undefined ? new Set<string>() : codesOf(previous)
  const after = codesOf(next)
  const facts = {
    changedFields,
    addedCodes: missing(after, before),
    removedCodes: missing(before, after),
    modifiedCriteria: previous === undefined ? [] : blocksChanged(previous.criteria, next.criteria)
  }
  const changeType = typeOf(previous, next, facts)
  return { changeType, ...facts, changeSummary: summarize(changeType, facts) }
}

/**
 * The document as one text: names sorted, no white space, and without the source's hash, so that equal
 * policies have equal texts whatever file they came from. Its SHA-256 is the fingerprint.
 */
export const canonicalDocument = (document: PolicyDocument): string => {
  const { sourceDocumentSha256: _, ...substance } = documentOf(document)
  return sorted(substance)
}

/**
 * A version may be given as well: what the store added is no part of the document. Members that sources came
 * to state later are left out where they say nothing, so that what was kept before keeps its fingerprint.
 */
const documentOf = (document: PolicyDocument) => ({
  policy: document.policy,
  title: document.title,
  status: document.status,
  effectiveDate: document.effectiveDate,
  retireDate: document.retireDate,
  lastReviewedDate: document.lastReviewedDate,
  coverageLevel: document.coverageLevel,
  description: document.description,
  keywords: document.keywords,
  sections: document.sections,
  contractors: document.contractors,
  states: document.states,
  national: document.national,
  codeGroups: document.codeGroups,
  criteria: document.criteria,
  related: document.related,
  sourceUrl: document.sourceUrl,
  sourceShape: document.sourceShape,
  sourceShapeReason: document.sourceShapeReason,
  sourceDocumentSha256: document.sourceDocumentSha256,
  ...(document.laboratory === undefined ? {} : { laboratory: document.laboratory }),
  ...(document.documentVersion === null ? {} : { documentVersion: document.documentVersion }),
  ...(document.priorAuth === undefined || document.priorAuth.length === 0
    ? {}
    : { priorAuth: document.priorAuth })
})

const sorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join(",")}}`
}

/**
 * What each field of the wire says, white space folded and lists in order, so that only real changes differ.
 */
const fields: Readonly<Record<string, (document: PolicyDocument) => unknown>> = {
  title: (document) => folded(document.title),
  policy_type: (document) => document.policy.policyType,
  payer: (document) => [document.policy.payerCode, document.policy.lineOfBusiness],
  status: (document) => document.status,
  effective_date: (document) => document.effectiveDate,
  retire_date: (document) => document.retireDate,
  last_reviewed_date: (document) => document.lastReviewedDate,
  coverage_level: (document) => document.coverageLevel,
  description: (document) => folded(document.description),
  keywords: (document) => document.keywords.map(folded).toSorted(),
  jurisdiction: (document) => [
    document.national,
    document.states.toSorted(),
    document.contractors
      .map((one) => `${one.contractorNumber} ${one.jurisdictionCode} ${one.name}`)
      .toSorted()
  ],
  codes: (document) => document.codeGroups.map(groupText).toSorted(),
  criteria: (document) => criteriaTexts(document.criteria),
  prior_auth: (document) => (document.priorAuth ?? []).map(ruleText).toSorted(),
  related: (document) => document.related.map((one) => one.policyId).toSorted(),
  // A new version alone, such as each quarter brings, is no change.
  source_url: (document) => document.sourceUrl?.replace(/&(?:ncd)?ver=\d+$/, ""),
  source_shape: (document) => document.sourceShape
}

const folded = (text: string | null): string => (text === null ? "" : foldLines(text))

const groupText = (group: CodeGroup): string => {
  const codes = group.codes.map((entry) => `${entry.codeSystem}:${entry.code}${entry.asterisk ? "*" : ""}`)
  const words = [folded(group.paragraph), folded(group.asteriskText)]
  const scope = typeof group.scope === "object" ? group.scope.toSorted() : group.scope
  return sorted([group.kind, group.group, ...words, codes.toSorted(), scope, group.role, group.disposition])
}

/** The narrative of each section as one text: where an importer cuts passages is no change of policy. */
const criteriaTexts = (criteria: ReadonlyArray<CriteriaBlock>): ReadonlyArray<string> => {
  const narratives = Map.groupBy(
    criteria.filter((block) => block.logicAst === null),
    (block) => block.section
  )
  return [
    ...[...narratives].map(([section, blocks]) => `${section} ${folded(blocks.map(textOf).join("\n"))}`),
    ...criteria.filter((block) => block.logicAst !== null).map(blockText)
  ]
}

const textOf = ({ text }: CriteriaBlock): string => text

const blockText = (block: CriteriaBlock): string =>
  `${block.section} ${folded(block.text)} ${sorted(block.logicAst)}`

const ruleText = (rule: PriorAuthRule): string =>
  sorted({
    ...rule,
    category: folded(rule.category),
    codes: rule.codes.toSorted(),
    states: rule.states === "all" ? "all" : rule.states.toSorted(),
    sites: rule.sites === "all" ? "all" : rule.sites.toSorted(),
    suspended: rule.suspended.map(sorted).toSorted(),
    documentation: rule.documentation.map(folded)
  })

/**
 * What of a Medicare document comes from other rows of its source. The rest differs between equal source rows
 * only because their reader changed, which is nobody's change of policy.
 */
const surroundings: ReadonlyArray<string> = ["jurisdiction", "related", "retire_date"]

const fieldsChanged = (previous: PolicyDocument, next: PolicyDocument): ReadonlyArray<string> => {
  const isReread =
    next.documentVersion !== null && previous.sourceDocumentSha256 === next.sourceDocumentSha256
  return (isReread ? surroundings : Object.keys(fields))
    .filter((name) => sorted(fields[name]?.(previous)) !== sorted(fields[name]?.(next)))
    .toSorted()
}

/** The codes that a document speaks of: those of its groups and of its rules of prior authorization. */
export const codesOf = (document: PolicyDocument): ReadonlySet<string> =>
  new Set([
    ...document.codeGroups.flatMap((group) => group.codes.map((entry) => entry.code)),
    ...(document.priorAuth ?? []).flatMap((rule) => rule.codes)
  ])

const missing = (from: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlyArray<string> =>
  [...from].filter((code) => !other.has(code)).toSorted()

const blocksChanged = (
  previous: ReadonlyArray<CriteriaBlock>,
  next: ReadonlyArray<CriteriaBlock>
): ReadonlyArray<string> => {
  const before = new Map(previous.map((block) => [block.blockId, blockText(block)]))
  const after = new Map(next.map((block) => [block.blockId, blockText(block)]))
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].filter((id) => before.get(id) !== after.get(id)).toSorted()
}

/**
 * Retired beats codes beats criteria beats the rest; one row names one change. A rule of prior authorization
 * is a condition of payment, so to change one is to change criteria, or codes when it gains or loses some.
 */
const typeOf = (
  previous: PolicyVersion | undefined,
  next: PolicyVersion,
  { addedCodes, changedFields, removedCodes }: Facts
): ChangeType => {
  if (previous === undefined) return "created"
  if (isOver(next) && !isOver(previous)) return "retired"
  if (changedFields.includes("codes") || addedCodes.length + removedCodes.length > 0) return "codes_changed"
  const isCriteria = changedFields.includes("criteria") || changedFields.includes("prior_auth")
  return isCriteria ? "criteria_changed" : "metadata_changed"
}

type Facts = Omit<PolicyChange, "changeType" | "changeSummary">

/** Its own flag says so, or its days had ended by the time it was recorded. */
const isOver = (version: PolicyVersion): boolean =>
  version.status === "retired" || readingOn([version], dayOf(version.recordedAt))?.status === "retired"

const summarize = (changeType: ChangeType, facts: Facts): string => {
  const said = [
    counted(facts.addedCodes.length, "code", "added"),
    changeType === "created" ? "" : counted(facts.removedCodes.length, "code", "removed"),
    counted(facts.modifiedCriteria.length, "passage", "changed"),
    facts.changedFields.length === 0 ? "" : `fields: ${facts.changedFields.join(", ")}`
  ].filter((part) => part !== "")
  const name = changeNames[changeType]
  return said.length === 0 ? `${name}.` : `${name}: ${said.join("; ")}.`
}

const counted = (count: number, noun: string, verb: string): string =>
  count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"} ${verb}`

const changeNames: Readonly<Record<ChangeType, string>> = {
  created: "First recorded",
  updated: "Updated",
  retired: "Retired",
  codes_changed: "Codes changed",
  criteria_changed: "Criteria changed",
  metadata_changed: "Details changed"
}
