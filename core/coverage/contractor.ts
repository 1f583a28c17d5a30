import type { CoverageQuery } from "./CoverageDecision.ts"
import type { Jurisdiction } from "./Jurisdiction.ts"
import type { PolicyVersion } from "./Policy.ts"
import { jurisdictionsOf } from "./view.ts"

/**
 * The contractor that answers for a query's place. A state has several at once (coverage-domain §1.5, trap
 * 6): the documents that matched say which; where they do not, equipment goes to the DME contractor and
 * everything else to the one for Parts A and B. Null without a place, and where Medicare's contractors decide
 * nothing.
 */
export const contractorFor = (
  query: CoverageQuery,
  policies: ReadonlyArray<PolicyVersion>,
  jurisdictions: ReadonlyArray<Jurisdiction>
): Jurisdiction | null => {
  const { place, scope } = query
  if (place === null || scope._tag === "Payer" || scope._tag === "Unknown") return null
  const here = jurisdictions
    .filter(
      ({ jurisdictionCode, states }) =>
        place.jurisdictions.includes(jurisdictionCode) || states.some((state) => place.states.includes(state))
    )
    .toSorted((a, b) => (a.jurisdictionCode < b.jurisdictionCode ? -1 : 1))
  const issuing = new Set(policies.flatMap(jurisdictionsOf))
  const equipment = query.procedureCodes.length > 0 && query.procedureCodes.every(isEquipment)
  return (
    here.find(({ jurisdictionCode }) => issuing.has(jurisdictionCode)) ??
    here.find(({ macType }) => macType.startsWith("DME") === equipment) ??
    null
  )
}

/** Supplies, durable equipment, orthoses and prostheses of HCPCS level II. */
const isEquipment = (code: string): boolean => /^([EKL]\d{4}|A[4-9]\d{3}|B\d{4})$/.test(code)
