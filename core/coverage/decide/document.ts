import type { CoverageQuery } from "../CoverageDecision.ts"
import type { CodeGroup, Disposition, PolicyVersion } from "../Policy.ts"
import { diagnosisVerdict } from "./diagnosis.ts"
import type { DiagnosisGroup } from "./DiagnosisGroup.ts"
import { diagnosisGroups } from "./DiagnosisGroup.ts"
import { entriesAmong } from "./entriesAmong.ts"
import { atMostConditional, mostRestrictive } from "./restrict.ts"
import type { JudgedBlock } from "./restriction.ts"
import { hasTextAlone, judgedBlocks, limited, restrictionVerdicts } from "./restriction.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, unique, unknownVerdict, verdict } from "./Verdict.ts"

/** How a policy lists a procedure. */
export interface Listing {
  /** By the document itself; false: read into it from its title. */
  readonly isSure: boolean
  readonly dispositions: ReadonlyArray<Disposition>
}

/** A policy read once for a query, whatever the procedure. */
export interface PolicyReading {
  readonly policy: PolicyVersion
  /** The query's procedures that the policy lists. */
  readonly listed: ReadonlyMap<string, Listing>
  readonly diagnoses: ReadonlyArray<string>
  readonly groups: ReadonlyArray<DiagnosisGroup>
  readonly blocks: ReadonlyArray<JudgedBlock>
}

export const listingsOf = (
  policy: PolicyVersion,
  procedures: ReadonlyArray<string>
): ReadonlyMap<string, Listing> => {
  const listed = new Map<string, Listing>()
  for (const group of policy.codeGroups) {
    if (group.kind !== "procedure") continue
    for (const entry of entriesAmong(group, procedures)) {
      const before = listed.get(entry.code)
      listed.set(entry.code, {
        isSure: entry.source === "document" || before?.isSure === true,
        dispositions: unique([...(before?.dispositions ?? []), ...stated(group)])
      })
    }
  }
  return listed
}

const stated = ({ disposition }: CodeGroup): ReadonlyArray<Disposition> =>
  disposition === undefined ? [] : [disposition]

/** `listed` is found first, since most documents of a search list nothing that is asked about. */
export const readingFor = (
  policy: PolicyVersion,
  query: Omit<CoverageQuery, "dateOfService" | "scope" | "place">,
  found: { readonly listed: PolicyReading["listed"]; readonly diagnoses: ReadonlyArray<string> }
): PolicyReading => ({
  policy,
  ...found,
  groups: diagnosisGroups(policy, found.diagnoses),
  blocks: judgedBlocks(policy, query)
})

/** What a policy says of one procedure, by how firmly. */
export interface Said {
  /** Of the procedure itself: what the policy states, and what its groups of diagnoses come to. */
  readonly firm: ReadonlyArray<Verdict>
  /** Its conditions that a machine can judge. */
  readonly rules: ReadonlyArray<Verdict>
  /** Its narrative, or that it lists the code at all. */
  readonly text: Verdict
  readonly hasTextAlone: boolean
  readonly reading: PolicyReading
}

/** What a policy says of one procedure (coverage-domain §2.1, steps 4, 6, 7); null: of what it is about. */
export const saidOf = (reading: PolicyReading, code: string | null): Said => {
  const { policy, groups, diagnoses, blocks } = reading
  const listing = code === null ? undefined : reading.listed.get(code)
  const dispositions = (listing?.dispositions ?? []).map((one) => dispositionVerdict(policy, one))
  const diagnosis = diagnosisVerdict({ policy, groups, code, diagnoses })
  const bound = boundOf(policy, listing)
  return {
    firm: [...dispositions, ...(diagnosis === undefined ? [] : [diagnosis])].map(bound),
    rules: restrictionVerdicts(policy, blocks).map(bound),
    text: textVerdict(policy, listing !== undefined),
    hasTextAlone: hasTextAlone(policy),
    reading
  }
}

/**
 * Documents that are one unit, as an LCD and its articles are (step 5). What they say of the procedure and
 * their conditions stand side by side and the most restrictive wins; their text only counts where nothing
 * firmer is said. Without any of it a listing is conditional: a code's presence is not coverage.
 */
export const together = (documents: ReadonlyArray<Said>): Verdict => {
  const texts = documents.map((one) => one.text)
  const firm = documents.flatMap((one) => one.firm)
  const rules = documents.flatMap((one) => one.rules)
  const unread = documents.filter((one) => one.hasTextAlone).map((one) => one.text)
  const weighed = firm.length > 0 ? [...firm, ...rules] : rules.length > 0 ? [...unread, ...rules] : texts
  const said = mostRestrictive(weighed) ?? unknownVerdict
  const trace = texts.filter((one) => !weighed.includes(one)).flatMap((one) => one.trace)
  const readings = documents.map((one) => one.reading)
  return limited({ ...said, trace: [...trace, ...said.trace] }, readings)
}

const dispositionVerdict = (policy: PolicyVersion, disposition: Disposition): Verdict => {
  const step = (result: string) => [
    stepOf(policy, { rule: "policy.disposition", result, section: "procedure codes" })
  ]
  switch (disposition) {
    case "covered":
      return verdict("covered", step("The policy states that the procedure is covered."))
    case "not_covered":
      return verdict("not_covered", step("The policy states that the procedure is not covered."))
    case "requires_pa":
      return verdict("conditional", step("The policy covers the procedure once it is authorized."), {
        review: true
      })
    case "conditional":
      return verdict("conditional", step("The policy covers the procedure on the conditions of its text."), {
        review: true,
        basis: "text"
      })
  }
}

const textVerdict = (policy: PolicyVersion, lists: boolean): Verdict => {
  const isListing = lists && policy.criteria.length === 0
  const step = stepOf(policy, {
    rule: isListing ? "policy.listed" : "policy.text_alone",
    result: isListing
      ? "The policy lists the code; a code's presence is not coverage."
      : "The policy's conditions are narrative text, which a person has to read.",
    section: isListing ? "procedure codes" : "criteria"
  })
  return verdict("conditional", [step], { basis: "text", review: true })
}

/** A code read from a title, or a document of which only lists are known, decides nothing by itself. */
const boundOf = (policy: PolicyVersion, listing: Listing | undefined): ((said: Verdict) => Verdict) => {
  if (policy.sourceShape !== "criteria_backed" && policy.effectiveDate === null) {
    const result = "Only the lists of this document are known, neither its text nor its dates."
    return (said) => atMostConditional(said, stepOf(policy, { rule: "policy.lists_only", result }))
  }
  if (listing === undefined || listing.isSure) return (said) => said
  const result = "The code was read from the document's title and is not in its lists."
  return (said) => atMostConditional(said, stepOf(policy, { rule: "policy.inferred", result }))
}
