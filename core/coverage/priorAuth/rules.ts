import type { PriorAuthRule } from "../PriorAuthRule.ts"
import { dmeposRules } from "./dmepos.ts"
import { outpatientRules } from "./outpatient.ts"

/**
 * Every rule by which traditional Medicare asks for prior authorization (coverage-domain §1.3): hospital
 * outpatient services (42 CFR 419.83) and equipment (42 CFR 414.234).
 */
export const federalRules: ReadonlyArray<PriorAuthRule> = [...outpatientRules, ...dmeposRules]

/** The federal rules that name the code, whatever the day. */
export const federalRulesFor = (code: string): ReadonlyArray<PriorAuthRule> => rulesByCode.get(code) ?? []

const rulesByCode: ReadonlyMap<string, ReadonlyArray<PriorAuthRule>> = new Map(
  [...new Set(federalRules.flatMap((rule) => rule.codes))].map((code) => [
    code,
    federalRules.filter((rule) => rule.codes.includes(code))
  ])
)
