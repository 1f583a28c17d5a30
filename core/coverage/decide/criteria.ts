import { canonicalCode } from "../codeText.ts"
import type { AgeCategory, Criterion } from "../Criterion.ts"
import type { CoverageQuery } from "../CoverageDecision.ts"
import { canonicalSite } from "../site.ts"
import { compare } from "./compare.ts"
import type { Gap } from "./Verdict.ts"

/** The rule-level inputs that a criterion may ask about; empty and null: not given. */
export type RuleInputs = Pick<
  CoverageQuery,
  | "procedureCodes"
  | "diagnosisCodes"
  | "modifiers"
  | "siteOfService"
  | "ageCategory"
  | "sex"
  | "providerSpecialty"
>

/** Kleene's three values: what was not said is unknown, never false. */
export type Truth = boolean | "unknown"

/**
 * Judges a condition of a policy (coverage-domain §2, logic_ast): false outweighs unknown in `all`, true
 * outweighs it in `any`. An age band judges an age only where it lies within it or apart from it.
 */
export const judge = (criterion: Criterion, inputs: RuleInputs): Truth => {
  switch (criterion.op) {
    case "all":
      return every(criterion.criteria.map((one) => judge(one, inputs)))
    case "any":
      return negated(every(criterion.criteria.map((one) => negated(judge(one, inputs)))))
    case "not":
      return negated(judge(criterion.criterion, inputs))
    case "cmp":
      return compare(criterion, wordOf(criterion.param, inputs))
    case "has_code": {
      const given = codesOf(criterion.system, inputs)
      return given === undefined || given.length === 0 ? "unknown" : hasCode(criterion.any_of, given)
    }
    case "age":
      return inputs.ageCategory === null ? "unknown" : within(bands[inputs.ageCategory], criterion)
    case "sex":
      return sexFits(criterion.any_of, inputs.sex)
    case "site":
      return siteFits(criterion.any_of, inputs.siteOfService)
    case "modifier":
      return inputs.modifiers.length === 0 ? "unknown" : criterion.any_of.some(among(inputs.modifiers))
    case "specialty":
      return inputs.providerSpecialty === null
        ? "unknown"
        : criterion.any_of.some((word) => alike(word) === alike(inputs.providerSpecialty ?? ""))
    case "within":
      return "unknown"
  }
}

/** What an unknown criterion hangs on. */
export interface MissingInput {
  readonly gaps: ReadonlyArray<Gap>
  /** It also asks what no input of this interface can say: a history, a measurement, another's word. */
  readonly unsayable: boolean
}

/** The inputs that would make an unknown criterion known, as far as inputs can. */
export const missingInput = (criterion: Criterion, inputs: RuleInputs): MissingInput => {
  if (judge(criterion, inputs) !== "unknown") return { gaps: [], unsayable: false }
  if (criterion.op === "all" || criterion.op === "any") {
    const parts = criterion.criteria.map((one) => missingInput(one, inputs))
    return { gaps: parts.flatMap((one) => one.gaps), unsayable: parts.some((one) => one.unsayable) }
  }
  if (criterion.op === "not") return missingInput(criterion.criterion, inputs)
  const gap = gapOf(criterion, inputs)
  return gap === undefined ? { gaps: [], unsayable: true } : { gaps: [gap], unsayable: false }
}

/**
 * The input that a leaf waits for; undefined where one was given and still tells nothing (an age band that
 * overlaps, a site that we do not know), or where no input could.
 */
const gapOf = (leaf: Criterion, inputs: RuleInputs): Gap | undefined => {
  switch (leaf.op) {
    case "age":
      return inputs.ageCategory === null ? "age_category" : undefined
    case "sex":
      return inputs.sex === null || inputs.sex === "unknown" ? "sex_when_policy_relevant" : undefined
    case "site":
      return inputs.siteOfService === null ? "site_of_service" : undefined
    case "modifier":
      return "modifiers"
    case "specialty":
      return "provider_specialty"
    case "has_code":
      return codeGaps[leaf.system]
    case "cmp":
      return words.find((name) => name === leaf.param)
    case "all":
    case "any":
    case "not":
    case "within":
      return undefined
  }
}

const every = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(false) ? false : truths.includes("unknown") ? "unknown" : true

const negated = (truth: Truth): Truth => (truth === "unknown" ? truth : !truth)

const among =
  (given: ReadonlyArray<string>) =>
  (code: string): boolean =>
    given.includes(code) || given.includes(canonicalCode(code))

/**
 * The beginning of a listed code, such as the header M54 of M54.50, may stand for it or for its neighbours,
 * and a listed header may mean every diagnosis below it: such an input tells nothing, not even that none is
 * listed.
 */
const hasCode = (anyOf: ReadonlyArray<string>, given: ReadonlyArray<string>): Truth => {
  if (anyOf.some(among(given))) return true
  const listed = anyOf.map(canonicalCode)
  const isNear = (code: string) => listed.some((one) => one.startsWith(code) || code.startsWith(one))
  return given.map(canonicalCode).some(isNear) ? "unknown" : false
}

/** The inputs that name codes of a system; of others no input does. */
const codeGaps: Readonly<Record<string, Gap | undefined>> = {
  CPT: "procedure_code",
  HCPCS: "procedure_code",
  ICD10CM: "diagnosis_codes",
  MODIFIER: "modifiers"
}

const codesOf = (system: string, inputs: RuleInputs): ReadonlyArray<string> | undefined => {
  if (system === "ICD10CM") return inputs.diagnosisCodes
  if (system === "MODIFIER") return inputs.modifiers
  return system === "CPT" || system === "HCPCS" ? inputs.procedureCodes : undefined
}

/** Whole years, both ends included; the wire's words for them (contract §2, age_category). */
const bands: Readonly<Record<AgeCategory, { readonly min: number; readonly max: number }>> = {
  pediatric: { min: 0, max: 17 },
  adult: { min: 18, max: 64 },
  medicare_age: { min: 65, max: Number.POSITIVE_INFINITY }
}

const within = (
  band: { readonly min: number; readonly max: number },
  rule: { readonly min?: number; readonly max?: number }
): Truth => {
  const [min, max] = [rule.min ?? 0, rule.max ?? Number.POSITIVE_INFINITY]
  if (band.max < min || max < band.min) return false
  return min <= band.min && band.max <= max ? true : "unknown"
}

/** A sex that is `other` to a rule about one of two is not judged by a machine. */
const sexFits = (anyOf: ReadonlyArray<string>, sex: RuleInputs["sex"]): Truth => {
  if (sex === null || sex === "unknown") return "unknown"
  if (anyOf.includes(sex)) return true
  return sex === "other" ? "unknown" : false
}

const siteFits = (anyOf: ReadonlyArray<string>, given: string | null): Truth => {
  if (given === null) return "unknown"
  if (anyOf.some((site) => alike(site) === alike(given))) return true
  const site = canonicalSite(given)
  return site === undefined ? "unknown" : anyOf.some((one) => canonicalSite(one) === site)
}

const alike = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")

const words = ["age_category", "provider_specialty", "sex_when_policy_relevant", "site_of_service"] as const

const wordOf = (param: string, inputs: RuleInputs): string | null => {
  switch (words.find((name) => name === param)) {
    case "age_category":
      return inputs.ageCategory
    case "provider_specialty":
      return inputs.providerSpecialty
    case "sex_when_policy_relevant":
      return inputs.sex === "unknown" ? null : inputs.sex
    case "site_of_service":
      return inputs.siteOfService
    case undefined:
      return null
  }
}
