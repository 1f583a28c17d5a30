import { dayAfter, dayBefore } from "../../../core/coverage/date.ts"
import type { IsoDate } from "../../../core/coverage/date.ts"
import { day } from "../library.ts"
import type { Chance } from "./Chance.ts"
import { anyDiagnoses, unlistedDiagnoses } from "./drawGroups.ts"
import type { DocumentTruth, GroupTruth, Question, Truth } from "./Truth.ts"

/** A question at the edges of what is so: days of change, diagnoses and places in and out of a document. */
export const drawQuestion = (chance: Chance, truth: Truth): Question => {
  const documents = truth.units.flatMap((unit) => unit.documents)
  const listing = chance.happens(0.85) ? documents : [...documents, ...nationalCodes(truth)]
  const known = [...new Set(listing.flatMap(({ procedures }) => procedures))]
  const codes =
    chance.happens(0.02) || known.length === 0 ? ["99213"] : chance.some(known, 1, oneOrMore(chance))
  return {
    codes,
    diagnoses: drawDiagnoses(chance, documents),
    date: drawDate(chance, truth),
    place: drawPlace(chance, documents),
    site: chance.pick(["office", "office", "office", "outpatient_hospital", "home", "home", null]),
    sex: chance.pick(["female", "female", "female", "female", "male", null]),
    modifiers: chance.pick([[], ["KX"], ["KX"], ["KX"], ["GA"], ["GA", "KX"]]),
    specialty: chance.pick([...Array.from({ length: 4 }, () => "vascular surgery"), "podiatry", null])
  }
}

const nationalCodes = ({ nationals, columns }: Truth) => [
  ...nationals.map(({ lists, names, denies }) => ({ procedures: [...lists, ...names, ...denies] })),
  {
    procedures: columns.flatMap(({ code, letter }) => (["S", "M", "I"].includes(letter ?? "") ? [code] : []))
  }
]

const oneOrMore = (chance: Chance): number => chance.pick([1, 1, 1, 1, 2, 3])

const drawDiagnoses = (chance: Chance, documents: ReadonlyArray<DocumentTruth>): ReadonlyArray<string> => {
  const groups = documents.flatMap((document) => document.groups)
  if (chance.happens(0.08)) return []
  if (groups.length === 0) return chance.some(anyDiagnoses, 1, 2)
  const one = (): string => drawFrom(chance, chance.pick(groups))
  return [...new Set(Array.from({ length: oneOrMore(chance) }, one))]
}

/** Mostly what the group supports: what it lists, or what it does not where its list excludes. */
const drawFrom = (chance: Chance, { reading, diagnoses }: GroupTruth): string => {
  if (chance.happens(0.12)) return chance.pick(unlistedDiagnoses)
  if (reading === "all_except" && chance.happens(0.7)) return chance.pick(anyDiagnoses)
  return chance.pick(diagnoses)
}

/** The middle of things, or the days on and beside one on which a document begins or ends. */
const drawDate = (chance: Chance, { units, nationals, hcpcsEdition }: Truth): IsoDate => {
  const usual = day("2024-06-01")
  if (chance.happens(0.85)) return usual
  const spans = [
    ...units.flatMap(({ documents }) => documents),
    ...nationals,
    ...(hcpcsEdition ? [hcpcsEdition] : [])
  ]
  const edges = spans.flatMap(({ from, until }) => [from, until]).filter((each) => each !== null)
  if (edges.length === 0) return usual
  const edge = chance.pick(edges)
  return chance.pick([dayBefore(edge), edge, dayAfter(edge)]) ?? edge
}

const drawPlace = (chance: Chance, documents: ReadonlyArray<DocumentTruth>): Question["place"] => {
  const serving = documents.flatMap(({ contractors }) => contractors)
  if (chance.happens(0.06)) return null
  if (serving.length === 0 || chance.happens(0.12))
    return { state: chance.pick(["TX", "OK", "FL", "CA", "NY"]) }
  const { jurisdiction, states } = chance.pick(serving)
  return chance.happens(0.15) ? { jurisdiction } : { state: chance.pick(states) }
}
