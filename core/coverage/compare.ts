import { procedureSystem } from "./codeText.ts"
import { applies, isEverywhere } from "./decide/place.ts"
import type { Jurisdiction } from "./Jurisdiction.ts"
import type { NcdCode } from "./NcdCode.ts"
import { medicare } from "./Payer.ts"
import { canonicalJurisdiction, resolvePlace } from "./place.ts"
import type { Place } from "./place.ts"
import type { Disposition, PolicyType, PolicyVersion } from "./Policy.ts"
import { dispositions } from "./Policy.ts"
import { jurisdictionsOf, procedureListing } from "./view.ts"
import type { ListedCode } from "./view.ts"

/** What is compared (contract §2, POST /policies/compare). */
export interface ComparisonQuery {
  /** Canonical, each once. */
  readonly procedureCodes: ReadonlyArray<string>
  /** Null: Medicare's documents of every kind; payers' own are compared where their kind is asked for. */
  readonly policyType: PolicyType | null
  /** As the caller wrote them; null: every jurisdiction that has a policy. */
  readonly jurisdictions: ReadonlyArray<string> | null
}

export interface ComparisonFacts {
  /** The versions in force that list one of the codes, and those that these relate. In any order. */
  readonly policies: ReadonlyArray<PolicyVersion>
  readonly ncdCodes: ReadonlyArray<NcdCode>
  readonly jurisdictions: ReadonlyArray<Jurisdiction>
}

/**
 * How a policy comes to bear on a code: it lists it; a related document does (an Article for its LCD, either
 * for an NCD); or the curated list of NCDs says so.
 */
export const reaches = ["code_list", "related_policy", "curated_list"] as const
export type Reach = (typeof reaches)[number]

/** A policy that bears on the codes; `codes` are those of the query, in its order. */
export interface ComparedPolicy {
  readonly version: PolicyVersion
  readonly codes: ReadonlyArray<ListedCode>
  /** The most restrictive of its codes. */
  readonly disposition: Disposition
  readonly reachedBy: Reach
}

export interface ComparedPlace {
  /** `JH`, `DME JA`, or a state that was asked for. */
  readonly jurisdiction: string
  /** Null for a state, which several contractors serve (coverage-domain §1.5, trap 6). */
  readonly contractor: Jurisdiction | null
  readonly policies: ReadonlyArray<ComparedPolicy>
  /** How many of the codes come to what; a code on which no policy bears is in none of them. */
  readonly summary: Readonly<Record<Disposition, number>>
}

export interface Comparison {
  readonly places: ReadonlyArray<ComparedPlace>
  readonly national: ReadonlyArray<ComparedPolicy>
  /** Whether what the places say of the codes differs; to say nothing of a code is to differ. */
  readonly hasVariation: boolean
  /** In canonical writing, each once; null where none was asked for. */
  readonly requested: ReadonlyArray<string> | null
  readonly unresolved: ReadonlyArray<string>
}

/**
 * What jurisdictions say of procedure codes, beside what applies everywhere (coverage-domain §2.1,
 * Comparison). Places that were asked for are shown also where no policy bears on the codes.
 */
export const compareCoverage = (facts: ComparisonFacts, query: ComparisonQuery): Comparison => {
  const bearing = bearingOn(facts, query)
  const local = bearing.filter(({ version }) => !isEverywhere(version))
  const asked = query.jurisdictions?.map((text) => placeAsked(text, facts.jurisdictions)) ?? null
  const found =
    asked === null
      ? localJurisdictions(local).map((code) => ({
          name: code,
          place: { jurisdictions: [code], states: [] }
        }))
      : [...new Map(asked.map((one) => [one.name, one])).values()]
  const places = found.flatMap(({ name, place }) =>
    place === undefined ? [] : [comparedPlace(name, place, { ...facts, local })]
  )
  return {
    places,
    national: bearing.filter(({ version }) => isEverywhere(version)),
    hasVariation: new Set(places.map((one) => saidOf(one.policies))).size > 1,
    requested: asked === null ? null : found.map(({ name }) => name),
    unresolved: found.flatMap(({ name, place }) => (place === undefined ? [name] : []))
  }
}

/**
 * The policies that list the codes; the LCD of an Article that does, for the two are one unit; and the NCDs
 * that either relates or that are known to be about a code. What does not list a code itself never says more
 * than conditional, but for a curated row that denies it (§2.1, rule 4). Proposed documents say nothing.
 */
const bearingOn = (
  { ncdCodes, policies }: ComparisonFacts,
  query: ComparisonQuery
): ReadonlyArray<ComparedPolicy> => {
  const own = policies
    .filter(({ status }) => status !== "proposed")
    .filter(({ policy }) => policy.payerCode === medicare.code || policy.policyType === query.policyType)
    .toSorted((a, b) => (a.policy.policyId < b.policy.policyId ? -1 : 1))
  const listing = own.flatMap((version) => compared(version, "code_list", listedIn(version, query)))
  const reached = (type: "LCD" | "NCD", through: ReadonlyArray<ComparedPolicy>) =>
    own
      .filter((one) => one.policy.policyType === type && !through.some(({ version }) => version === one))
      .flatMap((one) => reachedIn(one, { through, ncdCodes }, query))
  const local = [...listing, ...reached("LCD", listing)]
  return [...local, ...reached("NCD", local)]
    .filter(({ version }) => query.policyType === null || version.policy.policyType === query.policyType)
    .toSorted((a, b) => (a.version.policy.policyId < b.version.policy.policyId ? -1 : 1))
}

const compared = (
  version: PolicyVersion,
  reachedBy: Reach,
  codes: ReadonlyArray<ListedCode>
): ReadonlyArray<ComparedPolicy> =>
  codes.length === 0 ? [] : [{ version, codes, disposition: worst(codes), reachedBy }]

const listedIn = (version: PolicyVersion, query: ComparisonQuery): ReadonlyArray<ListedCode> =>
  query.procedureCodes.flatMap((code) => procedureListing(version, code) ?? [])

/** Of an LCD and an Article, and of either and an NCD, it is enough that one names the other. */
const reachedIn = (
  version: PolicyVersion,
  {
    ncdCodes,
    through
  }: Pick<ComparisonFacts, "ncdCodes"> & {
    readonly through: ReadonlyArray<ComparedPolicy>
  },
  query: ComparisonQuery
): ReadonlyArray<ComparedPolicy> => {
  const { policyId, policyType } = version.policy
  const naming = through
    .filter((one) => policyType === "NCD" || one.version.policy.policyType === "Article")
    .filter((one) => relates(one.version, version) || relates(version, one.version))
    .flatMap((one) => one.codes)
  const rows = ncdCodes.filter((row) => row.policyId === policyId)
  const codes = query.procedureCodes.flatMap((code): ReadonlyArray<ListedCode> => {
    const codeSystem = naming.find((one) => one.code === code)?.codeSystem ?? procedureSystem(code)
    const own = rows.filter((row) => row.code === code)
    const isReached = own.length > 0 || naming.some((one) => one.code === code)
    const denies = version.coverageLevel === 3 && own.some((row) => row.role === "denies")
    const disposition = denies ? "not_covered" : "conditional"
    return isReached && codeSystem !== undefined
      ? [{ code, codeSystem, disposition, source: "document" }]
      : []
  })
  return compared(version, rows.length > 0 ? "curated_list" : "related_policy", codes)
}

const relates = (from: PolicyVersion, to: PolicyVersion): boolean =>
  from.related.some((one) => one.policyId === to.policy.policyId)

interface Named {
  readonly name: string
  /** Undefined: nobody knows a place of that name. */
  readonly place: Place | undefined
}

const placeAsked = (text: string, jurisdictions: ReadonlyArray<Jurisdiction>): Named => {
  const place = resolvePlace(text, jurisdictions)
  return {
    name: place?.jurisdictions[0] ?? place?.states[0] ?? canonicalJurisdiction(text) ?? text.trim(),
    place
  }
}

const localJurisdictions = (local: ReadonlyArray<ComparedPolicy>): ReadonlyArray<string> =>
  [...new Set(local.flatMap(({ version }) => jurisdictionsOf(version)))].toSorted()

const comparedPlace = (
  name: string,
  place: Place,
  facts: ComparisonFacts & { readonly local: ReadonlyArray<ComparedPolicy> }
): ComparedPlace => {
  const policies = facts.local.filter(({ version }) => applies(version, place))
  const said = [...byCode(policies).values()]
  return {
    jurisdiction: name,
    contractor: facts.jurisdictions.find((one) => one.jurisdictionCode === name) ?? null,
    policies,
    summary: {
      covered: said.filter((one) => one === "covered").length,
      not_covered: said.filter((one) => one === "not_covered").length,
      requires_pa: said.filter((one) => one === "requires_pa").length,
      conditional: said.filter((one) => one === "conditional").length
    }
  }
}

/** What the policies of one place say of each code together: the most restrictive wins (§2.1, step 5). */
const byCode = (policies: ReadonlyArray<ComparedPolicy>): ReadonlyMap<string, Disposition> => {
  const codes = Map.groupBy(
    policies.flatMap((one) => one.codes),
    (one) => one.code
  )
  return new Map([...codes].map(([code, listed]) => [code, worst(listed)]))
}

const saidOf = (policies: ReadonlyArray<ComparedPolicy>): string =>
  JSON.stringify([...byCode(policies)].toSorted(([a], [b]) => (a < b ? -1 : 1)))

const refusal: Readonly<Record<Disposition, number>> = {
  not_covered: 3,
  requires_pa: 2,
  conditional: 1,
  covered: 0
}

const worst = (codes: ReadonlyArray<ListedCode>): Disposition =>
  dispositions.reduce<Disposition>(
    (most, one) =>
      codes.some((code) => code.disposition === one) && refusal[one] > refusal[most] ? one : most,
    "covered"
  )
