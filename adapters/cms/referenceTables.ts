import { createHash } from "node:crypto"
import { dateFault, day, isNumber, line } from "./cell.ts"
import type { LoadedTables } from "./LoadedTables.ts"
import type { TableReader } from "./readTable.ts"

/** The columns that every edition of ncd_trkg.csv has, after the id and version (coverage-domain §1.1). */
const ncdColumnsRequired = [
  "ncd_mnl_sect",
  "ncd_mnl_sect_title",
  "cvrg_lvl_cd",
  "ncd_efctv_dt",
  "ncd_trmntn_dt",
  "itm_srvc_desc",
  "indctn_lmtn",
  "othr_txt",
  "ncd_keyword",
  "last_updt_tmstmp"
] as const

/** The columns of ncd_trkg.csv that become the document; the flag of a laboratory NCD may be absent. */
export const ncdColumns = [...ncdColumnsRequired, "ncd_lab"] as const

/** Tables without which nobody can say where a local document applies. */
export const contractorTableNames = [
  "contractor",
  "contractor_jurisdiction",
  "dmerc_region_lookup",
  "state_lookup"
] as const

/** The national determinations and the tables that local documents refer to, by name. */
export const referenceTables = (gathered: LoadedTables): ReadonlyArray<readonly [string, TableReader]> => [
  ["ncd_trkg", ncdTable(gathered)],
  ["contractor", contractorTable(gathered)],
  ["contractor_jurisdiction", territoryTable(gathered)],
  ["dmerc_region_lookup", regionTable(gathered)],
  ["state_lookup", stateTable(gathered)]
]

const ncdTable = (gathered: LoadedTables): TableReader => ({
  columns: ["ncd_id", "ncd_vrsn_num", ...ncdColumnsRequired],
  optional: ["ncd_lab"],
  row: ({ cells: [number = "", version = "", ...cells], whole }) => {
    if (!isNumber(number) || !isNumber(version)) return "NCD_id and NCD_vrsn_num must be numbers"
    const [section = "", , , effective = "", terminated = ""] = cells
    if (!/^\d{1,3}(\.\d{1,3}){1,5}$/.test(section.trim())) return "NCD_mnl_sect is no section of the manual"
    const fault = dateFault({ NCD_efctv_dt: effective, NCD_trmntn_dt: terminated })
    if (fault !== undefined) return fault
    if (!/^(true|false)?$/i.test((cells[ncdColumnsRequired.length] ?? "").trim()))
      return "NCD_lab is neither True nor False"
    const rows = gathered.ncds.get(number.trim()) ?? []
    if (rows.some((row) => row.version === Number(version))) return "this version of the NCD stands twice"
    const sha256 = createHash("sha256").update(whole.join("\u001f")).digest("hex")
    rows.push({ number: number.trim(), version: Number(version), cells, sha256 })
    gathered.ncds.set(number.trim(), rows)
    return undefined
  }
})

const contractorTable = (gathered: LoadedTables): TableReader => ({
  columns: [
    "contractor_id",
    "contractor_type_id",
    "contractor_version",
    "contractor_subtype_id",
    "contractor_number",
    "contractor_bus_name",
    "dmerc_rgn",
    "url"
  ],
  row: ({ cells }) => {
    const [id = "", typeId = "", version = "", subtypeId = "", number = "", ...rest] = cells
    const [name = "", region = "", url = ""] = rest
    const key = [id, typeId, version]
    if (!key.every(isNumber)) return "the contractor's id, type and version must be numbers"
    const joined = key.map((part) => part.trim()).join(" ")
    gathered.byKey.set(joined, {
      key: joined,
      typeId: typeId.trim(),
      subtypeId: subtypeId.trim(),
      number: number.trim(),
      name: line(name),
      regionId: region.trim(),
      url: url.trim()
    })
    return undefined
  }
})

const territoryTable = (gathered: LoadedTables): TableReader => ({
  columns: ["contractor_id", "contractor_type_id", "contractor_version", "state_id", "term_date"],
  row: ({ cells: [id = "", typeId = "", version = "", stateId = "", termDate = ""] }) => {
    const key = [id, typeId, version]
    if (![...key, stateId].every(isNumber)) return "the ids of contractor and state must be numbers"
    const fault = dateFault({ term_date: termDate })
    if (fault !== undefined) return fault
    const joined = key.map((part) => part.trim()).join(" ")
    const territories = gathered.territories.get(joined) ?? []
    territories.push({ stateId: stateId.trim(), termDate: day(termDate) })
    gathered.territories.set(joined, territories)
    return undefined
  }
})

const regionTable = (gathered: LoadedTables): TableReader => ({
  columns: ["region_id", "mac_description", "super_mac_description"],
  row: ({ cells: [id = "", dme = "", other = ""] }) => {
    if (!isNumber(id)) return "region_id must be a number"
    gathered.regions.set(id.trim(), { dme: dme.trim(), other: other.trim() })
    return undefined
  }
})

const stateTable = (gathered: LoadedTables): TableReader => ({
  columns: ["state_id", "state_abbrev"],
  row: ({ cells: [id = "", abbreviation = ""] }) => {
    if (!isNumber(id)) return "state_id must be a number"
    gathered.states.set(id.trim(), abbreviation.trim())
    return undefined
  }
})
