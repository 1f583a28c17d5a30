import type { PayerScope } from "../CoverageDecision.ts"
import { medicare } from "../Payer.ts"
import type { Policy } from "../Policy.ts"

/** Where a policy stands: above, in or beside Medicare's local documents (coverage-domain §2.1, step 5). */
export type Tier = "national" | "local" | "payer"

/**
 * The tier in which a policy decides for these payers (step 2); undefined: it does not decide. A policy that
 * names no line of business is for all of them, and a query that names none asks about all.
 */
export const tierOf = (policy: Policy, scope: PayerScope): Tier | undefined => {
  const isMedicares = policy.payerCode === medicare.code
  switch (scope._tag) {
    case "Medicare":
      return isMedicares ? medicareTier(policy) : undefined
    case "MedicareAdvantage": {
      if (isMedicares) return medicareTier(policy)
      const own = scope.payer?.code === policy.payerCode
      return own && isLine(policy, advantage) ? "payer" : undefined
    }
    case "Payer": {
      if (policy.payerCode !== scope.payer.code) return undefined
      if (isMedicares) return medicareTier(policy)
      return scope.lineOfBusiness === null || isLine(policy, scope.lineOfBusiness) ? "payer" : undefined
    }
    case "Unknown":
      return undefined
  }
}

const advantage = "medicare_advantage"

/** Whether the policy is for the line of business, whatever the case and the marks between its words. */
const isLine = ({ lineOfBusiness }: Policy, line: string): boolean =>
  lineOfBusiness === null || alike(lineOfBusiness) === alike(line)

const alike = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")

const medicareTier = (policy: Policy): Tier => (policy.policyType === "NCD" ? "national" : "local")
