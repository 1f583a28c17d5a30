import type { Chance } from "./Chance.ts"
import { asteriskNotes, groupConditions } from "./sentences.ts"
import type { GroupTruth } from "./Truth.ts"

/** Billable ICD-10-CM codes, some of the shape of HCPCS codes. No group lists the last ones. */
const listedDiagnoses = ["I890", "I972", "Q820", "G35", "M5412", "E1142", "R600", "L97111"]
export const unlistedDiagnoses = ["Z4789", "I87311"]
export const anyDiagnoses = [...listedDiagnoses, ...unlistedDiagnoses]

/** Codes of no unit: a group that names only these says nothing of any question. */
export const foreignCodes = ["K0001", "K0002", "K0003"]

/** The diagnosis groups of one document of a unit that lists these procedures. */
export const drawGroups = (chance: Chance, procedures: ReadonlyArray<string>): ReadonlyArray<GroupTruth> => {
  const groups = chance.happens(0.15) ? drawPair(chance, procedures) : drawSeveral(chance, procedures)
  return groups.map((group, index) => ({
    ...group,
    group: groups.slice(0, index + 1).filter(({ table }) => table === group.table).length
  }))
}

const drawSeveral = (chance: Chance, procedures: ReadonlyArray<string>): ReadonlyArray<GroupTruth> => {
  const covered = chance.pick([0, 1, 1, 1, 1, 2, 2, 3])
  const noncovered = covered === 0 ? 1 : chance.pick([0, 0, 0, 1])
  return [
    ...Array.from({ length: covered }, () => drawGroup(chance, "covered", procedures)),
    ...Array.from({ length: noncovered }, () => drawGroup(chance, "noncovered", procedures))
  ]
}

/** A primary and a secondary group about the same procedures. */
const drawPair = (chance: Chance, procedures: ReadonlyArray<string>): ReadonlyArray<GroupTruth> => {
  const names = inOrder(chance.some(procedures, 1, procedures.length))
  const stated = chance.happens(0.2)
  const half = chance.shuffle(listedDiagnoses)
  const common = { ...plain, names, stated }
  return [
    { ...common, role: "primary", diagnoses: half.slice(0, 3), wording: chance.between(0, 59) },
    { ...common, role: "secondary", diagnoses: half.slice(3, 6), wording: chance.between(0, 59) },
    ...(chance.happens(0.2) ? [drawGroup(chance, "noncovered", procedures)] : [])
  ]
}

const drawGroup = (
  chance: Chance,
  table: GroupTruth["table"],
  procedures: ReadonlyArray<string>
): GroupTruth => {
  const reading = table === "noncovered" ? "listing" : drawReading(chance)
  const stated = reading === "listing" && chance.happens(0.1)
  const isPlain = reading === "listing" && table === "covered" && !stated
  const diagnoses = chance.some(listedDiagnoses, 1, 4)
  const hasAsterisk = isPlain && chance.happens(0.2)
  return {
    ...plain,
    table,
    reading,
    stated,
    names: drawNames(chance, procedures),
    condition: isPlain && chance.happens(0.12) ? chance.pick(groupConditions) : null,
    hasRemark: isPlain && chance.happens(0.12),
    asterisk: hasAsterisk ? chance.pick(asteriskNotes) : null,
    marked: hasAsterisk ? chance.some(diagnoses, 1, diagnoses.length) : [],
    diagnoses,
    wording: chance.between(0, 59)
  }
}

const drawReading = (chance: Chance): GroupTruth["reading"] =>
  chance.happens(0.06) ? "unreadable" : chance.happens(0.2) ? "all_except" : "listing"

/** Codes of the unit, of another one, of both, or none. */
const drawNames = (chance: Chance, procedures: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  if (chance.happens(0.4)) return null
  if (chance.happens(0.08)) return chance.some(foreignCodes, 1, 3).toSorted()
  const some = chance.some(procedures, 1, procedures.length)
  return inOrder(chance.happens(0.06) ? [...some, "K0001"] : some)
}

const inOrder = (codes: ReadonlyArray<string>): ReadonlyArray<string> => codes.toSorted()

const plain: GroupTruth = {
  group: 1,
  table: "covered",
  reading: "listing",
  names: null,
  stated: false,
  role: "any",
  condition: null,
  hasRemark: false,
  asterisk: null,
  marked: [],
  diagnoses: [],
  wording: 0
}
