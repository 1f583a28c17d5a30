import type { CoverageQuery } from "./CoverageDecision.ts"
import { decidingKinds } from "./decide/place.ts"
import type { Jurisdiction } from "./Jurisdiction.ts"
import type { PolicyVersion } from "./Policy.ts"
import { jurisdictionsOf } from "./view.ts"

/**
 * The contractor that answers for a query's place. A state has several at once (coverage-domain §1.5, trap
 * 6): the kind of service picks the one for equipment or for Parts A and B, and where it may be either, the
 * documents that matched. Only one that serves the place is ever named. Null without a place, and where
 * Medicare's contractors decide nothing.
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
  const kinds = new Set(query.procedureCodes.flatMap((code) => decidingKinds(code, query.siteOfService)))
  const fitting = here.filter(({ macType }) => kinds.has(macType.startsWith("DME") ? "dme" : "a_b"))
  return (
    fitting.find(({ jurisdictionCode }) => issuing.has(jurisdictionCode)) ?? fitting[0] ?? here[0] ?? null
  )
}

/** Supplies, durable equipment, orthoses and prostheses of HCPCS level II. */
export const isEquipment = (code: string): boolean => decidingKinds(code, null).join() === "dme"
