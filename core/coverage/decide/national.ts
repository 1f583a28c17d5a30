import type { CoverageQuery } from "../CoverageDecision.ts"
import type { CodeRecord } from "../Code.ts"
import type { CodeTableEdition } from "../CodeTable.ts"
import type { NcdCode } from "../NcdCode.ts"
import type { PolicyVersion } from "../Policy.ts"
import { procedureCodes } from "./groups.ts"
import { isRelated } from "./unit.ts"
import type { UnitQuestion } from "./unitReading.ts"
import { unitVerdict } from "./unitVerdict.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, verdict, withStep } from "./Verdict.ts"

/**
 * How a national determination reaches a procedure (coverage-domain §2.1, rule 4): it lists the code, it is
 * itself what is asked about, a curated row names or denies the code, or a related local document leads to
 * it. `unlinked`: it is asked about with a code that nothing leads to it from.
 */
export type Reach = "listed" | "asked" | "denies" | "names" | "related" | "unlinked"

/** A national determination's verdict of one procedure. */
export interface National {
  readonly policy: PolicyVersion
  readonly reach: Reach
  readonly verdict: Verdict
}

/** How the NCD reaches the code, if it does; `locals`: the local documents of the units that list it here. */
export const reachOf = (
  ncd: PolicyVersion,
  code: string,
  known: { readonly rows: ReadonlyArray<NcdCode>; readonly locals: ReadonlyArray<PolicyVersion> }
): Reach | undefined => {
  if (procedureCodes(ncd).has(code)) return "listed"
  const rows = known.rows.filter((row) => row.code === code && row.policyId === ncd.policy.policyId)
  if (rows.some((row) => row.role === "denies") && ncd.coverageLevel === 3) return "denies"
  if (rows.length > 0) return "names"
  return known.locals.some((one) => isRelated(one, ncd)) ? "related" : undefined
}

/**
 * Returns the verdict by the level: 3 denies, 1 and 2 depend on the text, every other is unknown. A level 1
 * whose text is structured and met is covered; a level 2 only once its text is attested. An NCD that does not
 * list the code denies it by its level only if a curated row says so, and covers it only by attestation. A
 * laboratory NCD without its list of diagnoses is at most conditional, attested or not.
 */
export const nationalVerdict = (ncd: PolicyVersion, reach: Reach, question: UnitQuestion): Verdict => {
  const isDirect = reach === "listed" || reach === "asked"
  const unit = { documents: [ncd], procedures: procedureCodes(ncd), lacksRelated: false, lacksArticle: false }
  const said = unitVerdict(unit, question)
  const step = levelStep(ncd)
  const reached = isDirect ? [] : [reachStep(ncd, reach)]
  const steps = { trace: [step, ...reached, ...said.trace], deciding: [step, ...reached, ...said.deciding] }
  switch (ncd.coverageLevel) {
    case 3:
      return isDirect || reach === "denies"
        ? verdict("not_covered", [step, ...reached], { trace: steps.trace, isExplicit: true })
        : verdict("conditional", steps.deciding, { trace: steps.trace, gaps: ["ncd_scope"] })
    case 1:
    case 2:
      if (said.status === "not_covered" && isDirect) return { ...said, ...steps }
      return withoutDiagnosisList(ncd, { ...positive(ncd, said, isDirect), ...steps }, reach)
    default:
      return verdict("unknown", [step], { trace: steps.trace })
  }
}

/** A level that covers, and what its text leaves open. */
const positive = (ncd: PolicyVersion, said: Verdict, isDirect: boolean): Verdict => {
  const known = said.gaps.filter((gap) => gap !== "coverage_criteria")
  const isOpen = said.status === "not_covered" || said.conditions.length > 0 || known.length > 0
  const isSupported = said.support === "supported" || said.support === "not_applicable"
  const isRead = ncd.criteria.length > 0
  const isMet = !isOpen && isRead && isSupported && (said.isAttested || (ncd.coverageLevel === 1 && isDirect))
  if (isMet) return { ...said, status: "covered", gaps: known, isExplicit: false }
  const isNamed = said.conditions.length > 0 || known.length > 0
  const gap: ReadonlyArray<Gap> = isNamed ? [] : [isDirect ? "coverage_criteria" : "ncd_scope"]
  return { ...said, status: "conditional", gaps: unique<Gap>([...known, ...gap]), isExplicit: false }
}

/**
 * Caps a laboratory NCD whose list of diagnoses is not loaded (rule 4). CMS has no laboratory NCD outside
 * section 190 of the manual, so only there is a version that does not state the flag read as one.
 */
const withoutDiagnosisList = (ncd: PolicyVersion, said: Verdict, reach: Reach): Verdict => {
  const isLaboratory = ncd.laboratory ?? ncd.policy.policyId.startsWith("NCD 190.")
  const hasList = ncd.codeGroups.some(({ kind }) => kind === "dx_covered" || kind === "dx_noncovered")
  if (!isLaboratory || hasList || said.status === "not_covered") return said
  const isSilent = said.support === "not_applicable" && reach !== "related"
  return withStep(said, diagnosisListStep(ncd), {
    status: "conditional",
    support: isSilent ? "unknown" : said.support,
    gaps: unique<Gap>([...said.gaps, "diagnosis_list"])
  })
}

const diagnosisListStep = (ncd: PolicyVersion) =>
  stepOf(ncd, {
    rule: "ncd.diagnosis_list",
    result: "The determination is about a laboratory service, and its list of diagnoses is not loaded.",
    section: "NCD_lab"
  })

const levelStep = (ncd: PolicyVersion) =>
  stepOf(ncd, {
    rule: "ncd.level",
    result:
      levels[ncd.coverageLevel ?? 0] ?? "The national determination states no defined level of coverage.",
    section: "coverage level",
    quote: ncd.criteria[0]?.text ?? null
  })

const levels: Readonly<Record<number, string>> = {
  1: "The national determination covers it as its text says (level 1).",
  2: "The national determination covers it under the conditions of its text (level 2).",
  3: "The national determination does not cover it (level 3)."
}

const reachStep = (ncd: PolicyVersion, reach: Exclude<Reach, "listed" | "asked">) =>
  stepOf(ncd, { rule: `ncd.${reach}`, result: reaches[reach] })

const reaches = {
  denies: "A curated row says that the determination is about all of the code.",
  names: "A curated row leads from the code to the determination, never stronger than conditional.",
  related: "A related local document leads to the determination, never stronger than conditional.",
  unlinked: "Nothing at hand says that the determination is about the procedure."
} as const

/** What HCPCS itself says of a code (column 230): a statute or Medicare's own rule that excludes it. */
export const statuteVerdict = (
  code: string,
  facts: { readonly codes: ReadonlyArray<CodeRecord>; readonly codeTables: ReadonlyArray<CodeTableEdition> },
  query: CoverageQuery
): Verdict | undefined => {
  const record = facts.codes.find((one) => one.codeSystem === "HCPCS" && one.code === code)
  const refusal = refusals[record?.coverageCode ?? ""]
  const day = query.dateOfService
  const judges = facts.codeTables.some(
    (one) => one.codeSystem === "HCPCS" && one.from <= day && (one.until === null || day <= one.until)
  )
  if (record === undefined || refusal === undefined || !judges) return undefined
  const result = `${refusal.name}: HCPCS coverage code ${record.coverageCode}, ${refusal.says}.`
  return verdict(
    "not_covered",
    [stepOf(null, { rule: "hcpcs.coverage_code", result, section: "HCPCS level II" })],
    {
      isExplicit: true,
      issues: [result]
    }
  )
}

const refusals: Readonly<Record<string, { readonly name: string; readonly says: string } | undefined>> = {
  S: { name: "excluded_by_statute", says: "the code is not covered by statute" },
  M: { name: "non_covered_by_medicare", says: "Medicare does not cover the code" },
  I: { name: "not_payable_by_medicare", says: "the code is not payable by Medicare" }
}

/** A disagreement between a national determination and a stronger or weaker source, for a person to see. */
export const conflictVerdict = (
  upper: Verdict,
  lower: Verdict,
  said: { readonly rule: string; readonly result: string }
): Verdict =>
  withStep(
    {
      ...upper,
      status: "conditional",
      isExplicit: false,
      gaps: unique<Gap>([...upper.gaps, ...lower.gaps, "conflicting_policies"]),
      issues: unique([...upper.issues, ...lower.issues, said.result]),
      trace: [...upper.trace, ...lower.trace],
      deciding: [...upper.deciding, ...lower.deciding]
    },
    stepOf(null, said)
  )
