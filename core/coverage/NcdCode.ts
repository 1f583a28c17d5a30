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

/** Rows of the service's own list, or of the operator's, which stand before the service's and outlast it. */
export const ncdCodeOrigins = ["shipped", "imported"] as const
export type NcdCodeOrigin = (typeof ncdCodeOrigins)[number]

export interface NcdCodeList {
  readonly origin: NcdCodeOrigin
  readonly rows: ReadonlyArray<NcdCode>
}

/** What names one row of a list. */
export const ncdCodeKey = ({ code, policyId }: NcdCode): string => `${policyId}\0${code}`

/**
 * What a list does to the rows of its origin: those that are new or differ are written, the last of several
 * with one key. A shipped list is complete, so a row that it leaves out is dropped; an imported one adds.
 */
export const reviseNcdCodes = (
  known: ReadonlyArray<NcdCode>,
  { origin, rows }: NcdCodeList
): { readonly written: ReadonlyArray<NcdCode>; readonly dropped: ReadonlyArray<NcdCode> } => {
  const before = new Map(known.map((row) => [ncdCodeKey(row), row]))
  const given = new Map(rows.map((row) => [ncdCodeKey(row), row]))
  return {
    written: [...given].flatMap(([key, row]) => (isSame(before.get(key), row) ? [] : [row])),
    dropped: origin === "shipped" ? known.filter((row) => !given.has(ncdCodeKey(row))) : []
  }
}

const isSame = (a: NcdCode | undefined, b: NcdCode): boolean =>
  a !== undefined && a.role === b.role && a.source === b.source && a.sourceUrl === b.sourceUrl
