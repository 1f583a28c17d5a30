import type { IsoDate } from "../../core/coverage/date.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import { foldState } from "../../core/coverage/place.ts"
import type { PolicyContractor } from "../../core/coverage/Policy.ts"
import { nationalContractorNumber } from "../../core/coverage/view.ts"

/** A row of contractor.csv. */
export interface Contractor {
  /** contractor_id, contractor_type_id and contractor_version, as every other table refers to it. */
  readonly key: string
  readonly typeId: string
  readonly subtypeId: string
  readonly number: string
  readonly name: string
  readonly regionId: string
  readonly url: string
}

/** A row of contractor_jurisdiction.csv; the term date is null while it lasts. */
export interface Territory {
  readonly stateId: string
  readonly termDate: IsoDate | null
}

/** The reference tables that say who serves where. */
export interface Contractors {
  readonly byKey: ReadonlyMap<string, Contractor>
  readonly territories: ReadonlyMap<string, ReadonlyArray<Territory>>
  /** Region id to the jurisdictions it names for DME contractors and for all others. */
  readonly regions: ReadonlyMap<string, { readonly dme: string; readonly other: string }>
  /** State id to its abbreviation in the source. */
  readonly states: ReadonlyMap<string, string>
}

/**
 * contractor_type_lookup: 10 is a DME MAC. contractor_subtype_lookup: 1 A, 2 B, 3 home health and hospice, 4
 * DME.
 */
const dmeTypeId = "10"
const homeHealthSubtypeId = "3"

/**
 * The letter of a contractor's jurisdiction: its region says it, once for DME and once for all others (trap
 * 5).
 */
export const jurisdictionOf = (contractors: Contractors, contractor: Contractor): string | null => {
  const region = contractors.regions.get(contractor.regionId)
  if (region === undefined) return null
  const isDme = contractor.typeId === dmeTypeId
  const mark = /^J\s*-\s*0*([A-Z]|[1-9]\d?)$/.exec(isDme ? region.dme : region.other)?.[1]
  return mark === undefined ? null : `${isDme ? "DME " : ""}J${mark}`
}

/** The contractor as a policy names it. */
export const policyContractor = (contractors: Contractors, contractor: Contractor): PolicyContractor => ({
  contractorNumber: contractor.number,
  name: contractor.name,
  jurisdictionCode: jurisdictionOf(contractors, contractor)
})

/** The states that the ids name, folded, each once and sorted; an unknown id names none. */
export const statesNamed = (contractors: Contractors, stateIds: Iterable<string>): ReadonlyArray<string> => {
  const states = [...stateIds].map((id) => foldState(contractors.states.get(id) ?? ""))
  return [...new Set(states.filter((state) => state !== undefined))].toSorted()
}

/** Where the contractors serve on the day, without the one number that lists nearly every state (trap 3). */
export const territoryOf = (
  contractors: Contractors,
  serving: ReadonlyArray<Contractor>,
  on: IsoDate
): ReadonlyArray<string> =>
  statesNamed(
    contractors,
    serving
      .filter((contractor) => contractor.number !== nationalContractorNumber)
      .flatMap((contractor) => contractors.territories.get(contractor.key) ?? [])
      .filter((territory) => territory.termDate === null || territory.termDate >= on)
      .map((territory) => territory.stateId)
  )

/**
 * The jurisdictions that the contractors make up, by code. Home health and hospice contractors serve states
 * of other jurisdictions too, so a jurisdiction's states are those of its Part A, Part B and DME contractors.
 */
export const jurisdictionsFrom = (contractors: Contractors, on: IsoDate): ReadonlyArray<Jurisdiction> => {
  const members = Map.groupBy(contractors.byKey.values(), (one) => jurisdictionOf(contractors, one))
  return [...members]
    .flatMap(([code, all]) => (code === null ? [] : [jurisdictionFrom({ contractors, code, all, on })]))
    .toSorted((a, b) => (a.jurisdictionCode < b.jurisdictionCode ? -1 : 1))
}

const jurisdictionFrom = ({
  contractors,
  code,
  all,
  on
}: {
  readonly contractors: Contractors
  readonly code: string
  readonly all: ReadonlyArray<Contractor>
  readonly on: IsoDate
}): Jurisdiction => {
  const isDme = code.startsWith("DME ")
  const homeHealth = all.filter((one) => one.subtypeId === homeHealthSubtypeId)
  return {
    jurisdictionCode: code,
    jurisdictionName: isDme ? `DME Jurisdiction ${code.slice(5)}` : `Jurisdiction ${code.slice(1)}`,
    macName: commonest(all.map((one) => one.name)) ?? code,
    macCode: [...new Set(all.map((one) => one.number))].toSorted().join("/"),
    macType: isDme ? "DME MAC" : homeHealth.length > 0 ? "A/B/HHH MAC" : "A/B MAC",
    states: territoryOf(
      contractors,
      all.filter((one) => !homeHealth.includes(one)),
      on
    ),
    websiteUrl: websiteOf(commonest(all.map((one) => one.url).filter((url) => url !== "")))
  }
}

/** The value that most rows have; of several the first in order of text. */
const commonest = (values: ReadonlyArray<string>): string | undefined =>
  [...Map.groupBy(values, (value) => value)].toSorted(
    ([a, many], [b, others]) => others.length - many.length || (a < b ? -1 : 1)
  )[0]?.[0]

/** Most rows leave out the scheme. */
const websiteOf = (url: string | undefined): string | null =>
  url === undefined ? null : /^https?:\/\//i.test(url) ? url : `https://${url}`
