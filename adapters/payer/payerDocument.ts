import { createHash } from "node:crypto"
import { sectionsOf } from "../../core/coverage/passages.ts"
import type {
  CodeGroup,
  CriteriaBlock,
  PolicyDocument,
  PolicyId,
  SourceShape
} from "../../core/coverage/Policy.ts"
import type { PriorAuthRule } from "../../core/coverage/PriorAuthRule.ts"
import { canonicalCodes, systemIn } from "./codes.ts"
import { canonicalCriterion } from "./criterion.ts"
import type { GroupRecord, PolicyRecord, RuleRecord, VersionRecord } from "./records.ts"

/** One version of a payer's policy as a document; the record was checked before. */
export const payerDocument = (policy: PolicyRecord, version: VersionRecord): PolicyDocument => {
  const codeGroups = (version.code_groups ?? []).map(codeGroup).toSorted(inOrder)
  const criteria = criteriaOf(version)
  const rules = (version.prior_auth ?? []).map((rule) => priorAuthRule(policy.payer_code, rule))
  return {
    policy: {
      policyId: policy.policy_id as PolicyId,
      policyType: policy.policy_type,
      payerCode: policy.payer_code,
      lineOfBusiness: policy.line_of_business ?? null
    },
    title: version.title,
    documentVersion: null,
    status: version.status ?? "active",
    effectiveDate: version.effective_date,
    retireDate: version.retire_date ?? null,
    lastReviewedDate: version.last_reviewed_date ?? null,
    coverageLevel: null,
    description: version.description ?? null,
    keywords: [...new Set(version.keywords)].toSorted(),
    sections: sectionsOf(criteria),
    contractors: [],
    states: [...new Set(version.states)].toSorted(),
    national: version.states === undefined,
    codeGroups,
    criteria,
    related: relatedOf(version),
    sourceUrl: version.source_url ?? null,
    ...shapeOf({ hasText: criteria.length > 0, hasCodes: codeGroups.length > 0 }),
    sourceDocumentSha256: createHash("sha256")
      .update(JSON.stringify([policy.policy_id, version]))
      .digest("hex"),
    ...(rules.length === 0 ? {} : { priorAuth: rules.toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1)) })
  }
}

const codeGroup = (group: GroupRecord): CodeGroup => {
  const asterisks = new Set(canonicalCodes(group.asterisk_codes ?? []))
  return {
    group: group.group,
    kind: group.kind,
    paragraph: group.paragraph ?? null,
    asteriskText: group.asterisk_text ?? null,
    codes: canonicalCodes(group.codes).flatMap((code) => {
      const codeSystem = systemIn(group.kind, code)
      return codeSystem === undefined
        ? []
        : [{ code, codeSystem, asterisk: asterisks.has(code), source: "document" as const }]
    }),
    ...(group.scope === undefined
      ? {}
      : { scope: group.scope === "all" ? "all" : canonicalCodes(group.scope) }),
    ...(group.role === undefined ? {} : { role: group.role }),
    ...(group.disposition === undefined ? {} : { disposition: group.disposition })
  }
}

const inOrder = (a: CodeGroup, b: CodeGroup): number =>
  a.kind === b.kind ? a.group - b.group : a.kind < b.kind ? -1 : 1

/** A passage with logic is judged by it; one without is for a person, unless the payer says otherwise. */
const criteriaOf = (version: VersionRecord): ReadonlyArray<CriteriaBlock> =>
  (version.criteria ?? []).map((block) => {
    const logic = block.logic_ast ?? null
    return {
      blockId: block.block_id,
      section: block.section,
      text: block.text,
      logicAst: logic === null ? null : canonicalCriterion(logic),
      tags: block.tags ?? null,
      requiresManualReview: block.requires_manual_review ?? logic === null,
      confidenceScore: block.confidence_score ?? null
    }
  })

const priorAuthRule = (payerCode: string, rule: RuleRecord): PriorAuthRule => ({
  ruleId: rule.rule_id,
  payerCode,
  program: "payer",
  category: rule.category,
  codes: canonicalCodes(rule.codes),
  states: rule.states === "all" ? "all" : rule.states.toSorted(),
  sites: rule.sites === "all" ? "all" : rule.sites.toSorted(),
  effectiveDate: rule.effective_date,
  endDate: rule.end_date ?? null,
  suspended: (rule.suspended ?? []).map(({ from, until }) => ({ from, until: until ?? null })),
  documentation: rule.documentation ?? [],
  sourceUrl: rule.source_url ?? null
})

const relatedOf = (version: VersionRecord): PolicyDocument["related"] =>
  (version.related ?? [])
    .map((one) => ({ policyId: one.policy_id as PolicyId, policyType: one.policy_type }))
    .toSorted((a, b) => (a.policyId < b.policyId ? -1 : 1))

const shapeOf = (has: {
  readonly hasText: boolean
  readonly hasCodes: boolean
}): { readonly sourceShape: SourceShape; readonly sourceShapeReason: string } => {
  if (has.hasText) {
    return {
      sourceShape: "criteria_backed",
      sourceShapeReason: "The payer's file holds the policy's criteria."
    }
  }
  return has.hasCodes
    ? {
        sourceShape: "code_list_only",
        sourceShapeReason: "The payer's file holds code lists, but no criteria."
      }
    : {
        sourceShape: "metadata_only",
        sourceShapeReason: "The payer's file holds neither criteria nor codes."
      }
}
