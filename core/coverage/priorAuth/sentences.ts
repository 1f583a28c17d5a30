import type { PriorAuthList, PriorAuthRule } from "../PriorAuthRule.ts"
import { payerProgram } from "../PriorAuthRule.ts"
import type { Judgement, MissingInput, Obstacle } from "./judge.ts"
import { programNamed } from "./programs.ts"

/** What is said where no single rule speaks; every sentence is for a biller. */
export const sentences = {
  notCovered: (code: string): string =>
    `${code} is not covered, so prior authorization does not arise: it would not make the service payable.`,
  stated: (code: string, policyId: string): string =>
    `Policy ${policyId} lists ${code} as requiring prior authorization.`,
  notFound: (code: string): string =>
    `${code} is not in the code table for the date of service, and no policy that applies and no list ` +
    "names it, so this cannot be decided; check the code.",
  noRule: (code: string): string =>
    `Policies speak of ${code}, and no prior authorization rule in force on the date of service names it.`,
  unlisted: (code: string, lists: ReadonlyArray<PriorAuthList>): string =>
    `None of Medicare's prior authorization lists (${lists.map((list) => list.program).join(", ")}) names ` +
    `${code} for the date of service.`,
  outdated: (code: string, { listAsOf, program }: PriorAuthList): string =>
    `No list asks for ${code} on the date of service, but the ${program} list was last checked on ` +
    `${listAsOf}, more than a year before it: ask the contractor.`,
  noList: (code: string): string =>
    `No list of Medicare's prior authorization programs is known here, so this cannot be told of ${code}.`,
  nothing: (code: string): string =>
    `No policy and no prior authorization rule in force on the date of service names ${code}, so this ` +
    "cannot be told; ask the payer.",
  planRules: (code: string): string =>
    `A Medicare Advantage plan sets its own prior authorization, and none of this plan's rules for ${code} ` +
    "is known here; ask the plan.",
  unknownPayer: "The payer is not known here, so its prior authorization rules are not either; ask the payer."
} as const

/** What one rule comes to for the code, in a sentence. */
export const judgementSentence = (code: string, rule: PriorAuthRule, judgement: Judgement): string => {
  const list = `${listNameOf(rule)} (${rule.category})`
  switch (judgement._tag) {
    case "Asks":
      return `${code} needs prior authorization by ${list}, in force since ${rule.effectiveDate}${exceptionOf(rule)}.`
    case "Unsure":
      return (
        `${code} may need prior authorization by ${list}: it depends on ` +
        `${judgement.missing.map((name) => inputOf(rule, name)).join(" and ")}, which the request does not settle.`
      )
    case "DoesNotAsk":
      return `${code} is on ${list}, but ${judgement.because.map((one) => obstacleOf(rule, one)).join(", and ")}.`
  }
}

/** Where the rule stands in its source. */
export const sectionOf = ({ category, program }: PriorAuthRule): string =>
  program === payerProgram ? category : (programNamed(program).section ?? category)

const listNameOf = ({ program }: PriorAuthRule): string =>
  program === payerProgram ? "the payer's own list" : programNamed(program).listName

const exceptionOf = ({ exemption }: PriorAuthRule): string => (exemption ? ` (${exemption})` : "")

const inputOf = (rule: PriorAuthRule, input: MissingInput): string => {
  switch (input) {
    case "state":
      return "the state"
    case "site_of_service":
      return "the site of service"
    case "procedure_codes":
      return `whether ${anyOf(rule)} is billed with it`
  }
}

/** `J0585, J0586 or J0587`. */
const anyOf = ({ withCodes = [] }: PriorAuthRule): string =>
  [withCodes.slice(0, -1).join(", "), withCodes.at(-1) ?? ""].filter((part) => part !== "").join(" or ")

const obstacleOf = (rule: PriorAuthRule, obstacle: Obstacle): string => {
  switch (obstacle) {
    case "date":
      return `not on the date of service: ${daysOf(rule)}`
    case "suspended":
      return "the requirement is suspended on the date of service"
    case "state":
      return "it does not ask in this state on the date of service"
    case "site":
      return "it does not ask at this site of service"
    case "with_codes":
      return `it asks only beside ${anyOf(rule)}, and the request names other procedure codes`
  }
}

const daysOf = ({ effectiveDate, endDate }: PriorAuthRule): string =>
  endDate === null ? `it counts from ${effectiveDate}` : `it counted from ${effectiveDate} to ${endDate}`
