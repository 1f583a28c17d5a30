import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import type { RelatedPolicy } from "../coverage/Policy.ts"
import type { Payer } from "../coverage/Payer.ts"
import { displayCode } from "../coverage/codeText.ts"
import { criteriaBySection, jurisdictionsOf, policyCodes, summaryOf } from "../coverage/view.ts"
import type { PolicyItem, PolicyView } from "../operation/policies.ts"
import type { PolicyListing, PolicyQuery, PolicyOnDate, PolicyRevision } from "../port/Policies.ts"
import { macView } from "./decisionView.ts"

/** One row of GET /policies as the wire shows it (contract §2). */
export const policyItem = (listing: PolicyListing, include: PolicyQuery["include"]): PolicyItem => ({
  ...listFields(listing),
  payer: listing.policy.payerCode,
  ...(listing.match === null ? {} : { match: listing.match }),
  ...(include.has("summary") ? { summary: listing.summary } : {}),
  ...(include.has("codes")
    ? {
        codes: listing.codes.map((code) => ({
          code: displayCode(code),
          code_system: code.codeSystem,
          disposition: code.disposition,
          source: code.source
        })),
        code_count: listing.codeCount
      }
    : {}),
  ...(include.has("criteria")
    ? { criteria: listing.criteria.map(({ section, text, tags }) => ({ section, text, tags })) }
    : {})
})

/** GET /policies/{id} as the wire shows it. */
export const policyView = (input: {
  readonly reading: PolicyOnDate
  readonly include: ReadonlySet<"criteria" | "codes" | "versions">
  readonly history: ReadonlyArray<PolicyRevision> | null
  /** What codes are called, under `system code`. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly jurisdictions: ReadonlyArray<Jurisdiction>
  readonly payers: ReadonlyArray<Payer>
}): PolicyView => {
  const { version } = input.reading
  const codes = policyCodes(version)
  const macs = macsOf(input.reading, input.jurisdictions)
  return {
    ...listFields({ ...version, status: input.reading.status, jurisdictions: jurisdictionsOf(version) }),
    last_reviewed_date: version.lastReviewedDate,
    version: version.version,
    description: version.description,
    keywords: version.keywords.length === 0 ? null : version.keywords,
    created_at: input.reading.createdAt,
    updated_at: input.reading.updatedAt,
    sections: version.sections,
    mac: macs[0] ?? null,
    macs,
    payer: payerOf(input.reading, input.payers),
    summary: summaryOf(version),
    ...(input.include.has("criteria") ? { criteria: criteriaView(input.reading) } : {}),
    criteria_count: version.criteria.length,
    ...(input.include.has("codes") ? { codes: codesView(codes, input.descriptions) } : {}),
    code_count: codes.length,
    ...(input.history === null ? {} : { versions: input.history.map(revisionView) }),
    related: version.related.map((related) => ({
      policy_id: related.policyId,
      policy_type: related.policyType,
      title: input.reading.relatedTitles.get(related.policyId) ?? nameOf(related)
    }))
  }
}

/** What a row of the list and the read of one policy say alike. */
const listFields = (
  policy: Omit<PolicyListing, "summary" | "codes" | "criteria" | "codeCount" | "criteriaCount" | "match">
) => ({
  policy_id: policy.policy.policyId,
  title: policy.title,
  policy_type: policy.policy.policyType,
  jurisdiction: joined(policy.jurisdictions),
  effective_date: policy.effectiveDate,
  retire_date: policy.retireDate,
  status: policy.status,
  document_version: policy.documentVersion,
  source_url: policy.sourceUrl,
  source_shape: policy.sourceShape,
  source_shape_reason: policy.sourceShapeReason
})

/** What a related policy is called that no snapshot has described: its kind and its id. */
const nameOf = ({ policyId, policyType }: RelatedPolicy): string =>
  policyId.startsWith(policyType) ? policyId : `${policyType} ${policyId}`

const joined = (codes: ReadonlyArray<string>): string | null => (codes.length === 0 ? null : codes.join(", "))

/** The contractors of the document's jurisdictions, in the order of `jurisdiction`. */
const macsOf = (reading: PolicyOnDate, jurisdictions: ReadonlyArray<Jurisdiction>): PolicyView["macs"] =>
  jurisdictionsOf(reading.version).flatMap(
    (code) => macView(jurisdictions.find((one) => one.jurisdictionCode === code) ?? null) ?? []
  )

const payerOf = (reading: PolicyOnDate, payers: ReadonlyArray<Payer>): PolicyView["payer"] => {
  const found = payers.find((payer) => payer.code === reading.version.policy.payerCode)
  return found === undefined ? null : { code: found.code, name: found.name, type: found.type }
}

const criteriaView = ({ version }: PolicyOnDate): NonNullable<PolicyView["criteria"]> =>
  Object.fromEntries(
    criteriaBySection(version).map(([section, blocks]) => [
      section,
      blocks.map((block) => ({
        block_id: block.blockId,
        text: block.text,
        logic_ast: block.logicAst,
        tags: block.tags,
        requires_manual_review: block.requiresManualReview,
        confidence_score: block.confidenceScore
      }))
    ])
  )

const codesView = (
  codes: ReturnType<typeof policyCodes>,
  descriptions: ReadonlyMap<string, string>
): NonNullable<PolicyView["codes"]> =>
  Object.fromEntries(
    [...Map.groupBy(codes, (code) => code.codeSystem)].map(([system, members]) => [
      system,
      members.map((code) => ({
        code: displayCode(code),
        display: descriptions.get(`${code.codeSystem} ${code.code}`) ?? null,
        disposition: code.disposition,
        condition_reference: null,
        notes: null,
        source: code.source
      }))
    ])
  )

const revisionView = (revision: PolicyRevision) => ({
  old_version: revision.oldVersion,
  new_version: revision.newVersion,
  change_type: revision.changeType,
  change_summary: revision.changeSummary,
  changed_fields: revision.changedFields,
  timestamp: revision.changedAt
})
