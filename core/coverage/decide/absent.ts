import type { TraceStep } from "../CoverageDecision.ts"
import type { NcdCode } from "../NcdCode.ts"
import type { PolicyVersion } from "../Policy.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { stepOf, unique, withStep } from "./Verdict.ts"

/** What is at hand about a procedure, and what leads from it to national determinations. */
export interface NationalLeads {
  readonly code: string
  /** The curated rows; those of other codes do not count. */
  readonly rows: ReadonlyArray<NcdCode>
  /** The local documents that decide. */
  readonly documents: ReadonlyArray<PolicyVersion>
  /** The determinations in force that are at hand. */
  readonly nationals: ReadonlyArray<PolicyVersion>
  /** Versions at hand of any day: one that a document relates to and that has ended is not absent. */
  readonly known: ReadonlyArray<PolicyVersion>
}

/**
 * The verdict past determinations that are named and not at hand: nobody has read whether they set
 * conditions, so that each is a gap and nothing is covered past it (coverage-domain §2.1, L2).
 */
export const withAbsentNcds = (verdict: Verdict, leads: NationalLeads): Verdict => {
  const steps = [
    ...rowSteps(leads, idsOf(leads.nationals)),
    ...relatedSteps(leads, idsOf([...leads.nationals, ...leads.known]))
  ]
  return steps.reduce(withAbsentNcd, verdict)
}

const idsOf = (policies: ReadonlyArray<PolicyVersion>): ReadonlySet<string> =>
  new Set(policies.map(({ policy }) => policy.policyId))

const rowSteps = ({ code, rows }: NationalLeads, held: ReadonlySet<string>): ReadonlyArray<TraceStep> =>
  rows
    .filter((row) => row.code === code && !held.has(row.policyId))
    .toSorted((a, b) => (a.policyId < b.policyId ? -1 : 1))
    .map((row) => {
      const result = `${row.policyId} is about ${row.code} (${row.source}) and is not among the policies at hand.`
      return { ...stepOf(null, { rule: "ncd.absent", result }), sourceUrl: row.sourceUrl }
    })

const relatedSteps = ({ documents }: NationalLeads, held: ReadonlySet<string>): ReadonlyArray<TraceStep> =>
  documents
    .toSorted((a, b) => (a.policy.policyId < b.policy.policyId ? -1 : 1))
    .flatMap((policy) => {
      const named = policy.related.filter((one) => one.policyType === "NCD" && !held.has(one.policyId))
      return unique(named.map((one) => one.policyId)).map((policyId) =>
        stepOf(policy, {
          rule: "ncd.related_absent",
          result: `${policyId}, to which the document relates, is not among the policies at hand.`
        })
      )
    })

const withAbsentNcd = (verdict: Verdict, step: TraceStep): Verdict => {
  if (verdict.status === "not_covered") return { ...verdict, trace: [...verdict.trace, step] }
  const status = verdict.status === "covered" ? "conditional" : verdict.status
  return withStep(verdict, step, { status, gaps: unique<Gap>([...verdict.gaps, "related_policy"]) })
}
