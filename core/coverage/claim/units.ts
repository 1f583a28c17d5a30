import type { EditTable, MueEdit } from "../editTables.ts"
import type { CoverageQuery, TraceStep } from "../CoverageDecision.ts"
import { isEquipment } from "../contractor.ts"
import { ncciUrl } from "./pairs.ts"

/** How many units of each code the claim has; codes are canonical. A claim may leave them out. */
export type UnitsByCode = ReadonlyMap<string, number>

/** What the unit edits say of one code; units above them are a high risk (coverage-domain §2.1, rule 12). */
export interface UnitAdvice {
  readonly issues: ReadonlyArray<string>
  readonly trace: ReadonlyArray<TraceStep>
}

/** Compares the units of one code with the tables that may judge the claim. */
export const adviseUnits = (
  code: string,
  query: CoverageQuery,
  edits: ReadonlyArray<MueEdit>,
  units: UnitsByCode
): UnitAdvice => {
  const given = units.get(code)
  const found = edits
    .filter((edit) => edit.code === code && edit.effectiveDate <= query.dateOfService)
    .filter((edit) => edit.service !== "practitioner" || edit.units > 0 || !isEquipment(code))
  const advice = tablesFor(found, query.siteOfService).map((edit) => ({
    exceeded: given !== undefined && given > edit.units,
    step: stepOf(edit, given)
  }))
  return {
    issues: advice.filter(({ exceeded }) => exceeded).map(({ step }) => `units_above_mue: ${step.result}`),
    trace: advice.map(({ step }) => step)
  }
}

/**
 * The table that judges a claim: the one of the site; without a site the suppliers' where it has the code,
 * else the table that allows the most, so that no claim is called over a limit that may not be its own.
 */
const tablesFor = (edits: ReadonlyArray<MueEdit>, site: string | null): ReadonlyArray<MueEdit> => {
  const of = (service: EditTable) => edits.filter((edit) => edit.service === service)
  const supplier = of("dme_supplier")
  if (site === "outpatient_hospital") return of("outpatient_hospital")
  if (site !== null && site !== "home") return of("practitioner")
  if (supplier.length > 0) return supplier
  if (site === "home") return of("practitioner")
  return edits.toSorted((a, b) => b.units - a.units || (a.service < b.service ? -1 : 1)).slice(0, 1)
}

const stepOf = (edit: MueEdit, given: number | undefined): TraceStep => {
  const limit =
    `${edit.units} of ${edit.code} ${edit.adjudication === 1 ? "on a line" : "on a day"} ` +
    `(${serviceNames[edit.service]})`
  return {
    rule: "mue.units",
    policyId: null,
    version: null,
    documentVersion: null,
    quote: null,
    group: null,
    result:
      given === undefined
        ? `The medically unlikely edit is ${limit}; the claim gives no units, so nothing is judged.`
        : given > edit.units
          ? `The units of ${edit.code} exceed the medically unlikely edit, ${limit}. ${kindOf(edit)}`
          : `The units keep within the medically unlikely edit, ${limit}.`,
    sourceUrl: ncciUrl,
    section: `Medically unlikely edit ${edit.code}`
  }
}

/** What kind of edit it is and why CMS set it, for a biller. */
const kindOf = ({ adjudication, rationale }: MueEdit): string =>
  `It is ${adjudications[adjudication]} (adjudication indicator ${adjudication})` +
  (rationale === null ? "." : `; rationale: ${rationale}.`)

const adjudications: Readonly<Record<MueEdit["adjudication"], string>> = {
  1: "a line edit",
  2: "a date-of-service edit from policy",
  3: "a clinical date-of-service edit"
}

const serviceNames: Readonly<Record<EditTable, string>> = {
  practitioner: "practitioner services",
  outpatient_hospital: "outpatient hospital services",
  dme_supplier: "equipment suppliers"
}
