import type { PolicyId } from "./Policy.ts"

/**
 * What a curated row says (coverage-domain §2.1, rule 4): `names` leads from a procedure code to the
 * determination, never stronger than conditional; `denies` says that a level 3 one is about all of the code.
 */
export const ncdCodeRoles = ["names", "denies"] as const
export type NcdCodeRole = (typeof ncdCodeRoles)[number]

/** One row of the curated table from NCDs to procedure codes, which the source tables do not hold. */
export interface NcdCode {
  readonly policyId: PolicyId
  /** Canonical CPT or HCPCS code; never its descriptor. */
  readonly code: string
  readonly role: NcdCodeRole
  /** The transmittal, manual section or contractor page that the row was taken from. */
  readonly source: string
  readonly sourceUrl: string | null
}
