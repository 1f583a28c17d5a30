import type { EditTable, MueEdit } from "../editTables.ts"
import type { CoverageQuery, TraceStep } from "../CoverageDecision.ts"
import { ncciUrl, servicesAt } from "./pairs.ts"

/** How many units of each code the claim has; codes are canonical. A claim may leave them out. */
export type UnitsByCode = ReadonlyMap<string, number>

/** What the unit edits say of one code: advice, which never changes a risk (coverage-domain §2.1, step 9). */
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
  const services = servicesAt(query.siteOfService)
  const given = units.get(code)
  const advice = edits
    .filter((edit) => edit.code === code && services.includes(edit.service))
    .filter((edit) => edit.effectiveDate <= query.dateOfService)
    .toSorted((a, b) => services.indexOf(a.service) - services.indexOf(b.service))
    .map((edit) => ({ exceeded: given !== undefined && given > edit.units, step: stepOf(edit, given) }))
  return {
    issues: advice.filter(({ exceeded }) => exceeded).map(({ step }) => `units_above_mue: ${step.result}`),
    trace: advice.map(({ step }) => step)
  }
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
        ? `The medically unlikely edit is ${limit}; the claim gives no units, so this is advice only.`
        : given > edit.units
          ? `The units of ${edit.code} exceed the medically unlikely edit, ${limit}; this is advice only.`
          : `The units keep within the medically unlikely edit, ${limit}.`,
    sourceUrl: ncciUrl,
    section: `Medically unlikely edit ${edit.code}`
  }
}

const serviceNames: Readonly<Record<EditTable, string>> = {
  practitioner: "practitioner services",
  outpatient_hospital: "outpatient hospital services",
  dme_supplier: "equipment suppliers"
}
