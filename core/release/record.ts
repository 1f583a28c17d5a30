import { medicare } from "../coverage/Payer.ts"
import type { IsoDate } from "../coverage/date.ts"
import type { PolicyVersion } from "../coverage/Policy.ts"
import { policyCodes } from "../coverage/view.ts"
import { canonicalJson } from "../json/canonicalJson.ts"
import type { HashText } from "./manifest.ts"
import type { CertifiedCode, CertifiedDecision, CertifiedPolicy, PolicyDecisions } from "./Release.ts"
import type { Sha256 } from "./ReleaseId.ts"

/** A document without a first day counts from the beginning of time, which a record must name by a day. */
export const firstDay = "0001-01-01" as IsoDate

/** A payer's policy that names no line of business is about all of them. */
export const everyLine = "all"

/** The members of a record, `derived_decision_v1`, by their names on the wire (contract §2). */
export type DecisionRecord = ReturnType<typeof recordOf>

/** What is certified of one code by one policy; its canonical JSON is what is hashed. */
export const recordOf = (policy: CertifiedPolicy, code: Omit<CertifiedCode, "recordSha256">) => ({
  code: code.code,
  code_system: code.codeSystem,
  disposition: code.disposition,
  effective_date: policy.effectiveDate,
  line_of_business: policy.lineOfBusiness,
  payer_code: policy.payerCode,
  policy_fingerprint_sha256: policy.fingerprintSha256,
  policy_id: policy.policyId,
  policy_version: policy.policyVersion,
  retire_date: policy.retireDate,
  source_document_sha256: policy.sourceDocumentSha256
})

/** sha256("decision.v1\0" + the record's canonical JSON), the recipe of contract §2. */
export const recordSha256 = (hash: HashText, record: DecisionRecord): Sha256 =>
  hash(`decision.v1\0${canonicalJson(record)}`) as Sha256

/**
 * The decisions that a version in force makes: one for each code that it lists, with the disposition that the
 * policy's own read shows (coverage/view.ts).
 */
export const decisionsOf = (hash: HashText, version: PolicyVersion): PolicyDecisions => {
  const policy = certifiedPolicy(version)
  const codes = policyCodes(version).map(({ code, codeSystem, disposition }) => {
    const decided = { code, codeSystem, disposition }
    return { ...decided, recordSha256: recordSha256(hash, recordOf(policy, decided)) }
  })
  return { policy, codes }
}

/** A decision as answers and exports show it: the record, its hash and the id that is made of it. */
export const decisionView = ({ code, policy }: CertifiedDecision) => ({
  decision_id: `dec_${code.recordSha256}`,
  record_sha256: code.recordSha256,
  ...recordOf(policy, code)
})

const certifiedPolicy = (version: PolicyVersion): CertifiedPolicy => ({
  policyId: version.policy.policyId,
  policyVersion: version.version,
  fingerprintSha256: version.fingerprintSha256,
  sourceDocumentSha256: version.sourceDocumentSha256,
  payerCode: version.policy.payerCode,
  lineOfBusiness: lineOf(version),
  effectiveDate: version.effectiveDate ?? firstDay,
  retireDate: version.retireDate
})

const lineOf = ({ policy: { lineOfBusiness, payerCode } }: PolicyVersion): string =>
  lineOfBusiness ?? (payerCode === medicare.code ? (medicare.linesOfBusiness[0] ?? everyLine) : everyLine)
