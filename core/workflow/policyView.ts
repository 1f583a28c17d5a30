import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import type { RelatedPolicy } from "../coverage/Policy.ts"
import type { Payer } from "../coverage/Payer.ts"
import { displayCode } from "../coverage/codeText.ts"
import { criteriaBySection, jurisdictionsOf, policyCodes, summaryOf } from "../coverage/view.ts"
import type { PolicyItem, PolicyView } from "../operation/wire/Policy.ts"
import type { PolicyListing, PolicyQuery, PolicyReading, PolicyRevision } from "../port/Policies.ts"
import { macView } from "./decisionView.ts"

/** One row of GET /policies as the wire shows it (contract §2). */
export const policyItem = (listing: PolicyListing, include: PolicyQuery["include"]): PolicyItem => ({
  policy_id: listing.policy.policyId,
  title: listing.title,
  policy_type: listing.policy.policyType,
  jurisdiction: joined(listing.jurisdictions),
  payer: listing.policy.payerCode,
  effective_date: listing.effectiveDate,
  retire_date: listing.retireDate,
  status: listing.status,
  source_url: listing.sourceUrl,
  source_shape: listing.sourceShape,
  source_shape_reason: listing.sourceShapeReason,
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
  readonly reading: PolicyReading
  readonly include: ReadonlySet<"criteria" | "codes" | "versions">
  readonly history: ReadonlyArray<PolicyRevision> | null
  readonly jurisdictions: ReadonlyArray<Jurisdiction>
  readonly payers: ReadonlyArray<Payer>
}): PolicyView => {
  const { version } = input.reading
  const codes = policyCodes(version)
  return {
    policy_id: version.policy.policyId,
    title: version.title,
    policy_type: version.policy.policyType,
    jurisdiction: joined(jurisdictionsOf(version)),
    effective_date: version.effectiveDate,
    retire_date: version.retireDate,
    status: input.reading.status,
    source_url: version.sourceUrl,
    source_shape: version.sourceShape,
    source_shape_reason: version.sourceShapeReason,
    last_reviewed_date: version.lastReviewedDate,
    version: version.version,
    description: version.description,
    keywords: version.keywords.length === 0 ? null : version.keywords,
    created_at: input.reading.createdAt,
    updated_at: input.reading.updatedAt,
    sections: version.sections,
    mac: macOf(input.reading, input.jurisdictions),
    payer: payerOf(input.reading, input.payers),
    summary: summaryOf(version),
    ...(input.include.has("criteria") ? { criteria: criteriaView(input.reading) } : {}),
    criteria_count: version.criteria.length,
    ...(input.include.has("codes") ? { codes: codesView(codes) } : {}),
    code_count: codes.length,
    ...(input.history === null ? {} : { versions: input.history.map(revisionView) }),
    related: version.related.map((related) => ({
      policy_id: related.policyId,
      policy_type: related.policyType,
      title: input.reading.relatedTitles.get(related.policyId) ?? nameOf(related)
    }))
  }
}

/** What a related policy is called that no snapshot has described: its kind and its id. */
const nameOf = ({ policyId, policyType }: RelatedPolicy): string =>
  policyId.startsWith(policyType) ? policyId : `${policyType} ${policyId}`

const joined = (codes: ReadonlyArray<string>): string | null => (codes.length === 0 ? null : codes.join(", "))

/** The contractor of the first jurisdiction; a document of several names them all in `jurisdiction`. */
const macOf = (reading: PolicyReading, jurisdictions: ReadonlyArray<Jurisdiction>): PolicyView["mac"] => {
  const [code] = jurisdictionsOf(reading.version)
  return macView(jurisdictions.find((one) => one.jurisdictionCode === code) ?? null)
}

const payerOf = (reading: PolicyReading, payers: ReadonlyArray<Payer>): PolicyView["payer"] => {
  const found = payers.find((payer) => payer.code === reading.version.policy.payerCode)
  return found === undefined ? null : { code: found.code, name: found.name, type: found.type }
}

const criteriaView = ({ version }: PolicyReading): NonNullable<PolicyView["criteria"]> =>
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

const codesView = (codes: ReturnType<typeof policyCodes>): NonNullable<PolicyView["codes"]> =>
  Object.fromEntries(
    [...Map.groupBy(codes, (code) => code.codeSystem)].map(([system, members]) => [
      system,
      members.map((code) => ({
        code: displayCode(code),
        display: null,
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
