import type { IsoDate } from "../../../core/coverage/date.ts"
import type { PolicyStatus } from "../../../core/coverage/Policy.ts"
import { day, id } from "../library.ts"
import type { Chance } from "./Chance.ts"
import { drawGroups } from "./drawGroups.ts"
import {
  conditionBlocks,
  instructionBlocks,
  limitedBlocks,
  pointerTo,
  structuredBlocks,
  unclassableBlocks
} from "./sentences.ts"
import type {
  BlockTruth,
  ContractorTruth,
  Days,
  DocumentTruth,
  NationalTruth,
  Truth,
  UnitTruth
} from "./Truth.ts"

/** A library about one family of procedure codes. */
export const drawTruth = (chance: Chance): Truth => {
  const family = chance.pick(families)
  const count = chance.happens(0.03) ? 0 : chance.pick([1, 1, 1, 1, 1, 2, 2, 3])
  const nationals = chance.happens(0.2) ? [drawNational(chance, family)] : []
  const units = Array.from({ length: count }, (_, index) => drawUnit(chance, { index, family, nationals }))
  return {
    units,
    nationals,
    columns: family.filter(isLettered).map((code) => ({ code, letter: drawLetter(chance) })),
    hcpcsEdition: chance.pick([openEdition, openEdition, openEdition, oldEdition, null]),
    diagnosisEdition: chance.pick([openEdition, openEdition, oldEdition, null])
  }
}

/** Equipment, orthoses, procedures, drugs and substitutes; a family may be written as a range. */
const families: ReadonlyArray<ReadonlyArray<string>> = [
  ["E0650", "E0651", "E0652"],
  ["L1832", "L1833", "L1834", "L1836"],
  ["A4600", "A4601"],
  ["64490", "64491", "64492", "64493"],
  ["97610", "97612"],
  ["J0585", "J0586", "J0587"],
  ["Q4101", "Q4102", "Q4103"]
]

const isLettered = (code: string): boolean => /^[A-Z]/.test(code)

const drawLetter = (chance: Chance) =>
  chance.happens(0.06) ? chance.pick(["S", "M", "I"]) : chance.pick(["C", "D"])

const openEdition: Days = { from: day("2015-01-01"), until: null }
const oldEdition: Days = { from: day("2016-01-01"), until: day("2021-12-31") }

const local: ReadonlyArray<ContractorTruth> = [
  { number: "04412", jurisdiction: "JH", kind: "A/B", states: ["OK", "TX"] },
  { number: "09102", jurisdiction: "JN", kind: "A/B", states: ["FL"] }
]
const equipment: ReadonlyArray<ContractorTruth> = [
  { number: "18003", jurisdiction: "DME JC", kind: "DME", states: ["FL", "OK", "TX"] },
  { number: "19003", jurisdiction: "DME JD", kind: "DME", states: ["CA"] }
]

const drawContractors = (chance: Chance, family: ReadonlyArray<string>): ReadonlyArray<ContractorTruth> => {
  const isEquipment = family.some((code) => /^[AEL]/.test(code))
  const isDrug = family.some((code) => /^[JQ]/.test(code))
  const fits = isDrug ? chance.happens(0.5) : chance.happens(0.1) ? !isEquipment : isEquipment
  const [home, other] = fits ? equipment : local
  if (home === undefined || other === undefined) return []
  return chance.pick([[home], [home], [home], [home], [home, other], [home, other], [other]])
}

interface UnitGiven {
  readonly index: number
  readonly family: ReadonlyArray<string>
  readonly nationals: ReadonlyArray<NationalTruth>
}

const drawUnit = (chance: Chance, { index, family, nationals }: UnitGiven): UnitTruth => {
  const shape = chance.pick(["lcd", "pair", "pair", "pair", "three", "article"])
  const listed = chance.some(family, 1, family.length)
  const ids = [`L3300${index}`, `A5200${index}`, `A5210${index}`]
  const chosen =
    { lcd: ids.slice(0, 1), pair: ids.slice(0, 2), three: ids, article: ids.slice(1, 2) }[shape] ?? []
  const serving = drawContractors(chance, family)
  const texts = chance.happens(0.5) ? judgeable : narrative
  const speaking = chance.pick(chosen)
  const listing = chance.pick([chosen, chosen.slice(0, 1), chosen.slice(-1), [speaking]])
  const documents = chosen.map((policyId): DocumentTruth => {
    const isLcd = policyId.startsWith("L")
    const lcd = chosen.find((other) => other.startsWith("L"))
    return {
      ...drawStanding(chance),
      policyId: id(policyId),
      isLcd,
      version: chance.between(1, 3),
      documentVersion: chance.happens(0.8) ? String(chance.between(4, 60)) : null,
      contractors: chance.happens(0.97) ? serving : [],
      procedures: listing.includes(policyId) ? listed : [],
      groups: policyId === speaking && chance.happens(0.85) ? drawGroups(chance, listed) : [],
      blocks: drawBlocks(
        chance,
        texts,
        isLcd ? undefined : (lcd ?? (chance.happens(0.1) ? "L39999" : undefined))
      ),
      related: [
        ...(isLcd ? chosen.filter((other) => other !== policyId && chance.happens(0.7)) : []),
        ...(!isLcd && lcd !== undefined ? [lcd] : []),
        ...nationals.flatMap((one) => (chance.happens(0.3) ? [one.policyId] : []))
      ].map(id)
    }
  })
  return {
    documents: chance.happens(0.08) ? documents.flatMap((one) => withEarlier(chance, one)) : documents
  }
}

/** Status and days, mostly in force. */
const drawStanding = (chance: Chance): Days & { readonly status: PolicyStatus } => {
  if (chance.happens(0.85)) return { status: "active", from: drawDay(chance, 2020, 2022), until: null }
  const from = drawDay(chance, 2020, 2022)
  return chance.pick([
    { status: "retired", from, until: drawDay(chance, 2023, 2024) },
    { status: "active", from, until: drawDay(chance, 2024, 2026) },
    { status: "active", from: drawDay(chance, 2024, 2026), until: null },
    { status: "proposed", from, until: null },
    { status: "unknown", from: null, until: null },
    { status: "unknown", from, until: null }
  ])
}

const drawDay = (chance: Chance, firstYear: number, lastYear: number): IsoDate =>
  day(`${chance.between(firstYear, lastYear)}-${chance.pick(["01-01", "03-31", "07-15", "12-31"])}`)

/** The version before the one drawn, which said something else. */
const withEarlier = (chance: Chance, document: DocumentTruth): ReadonlyArray<DocumentTruth> => [
  document,
  {
    ...document,
    version: document.version + 10,
    from: day("2019-01-01"),
    blocks: drawBlocks(chance, narrative)
  }
]

/** Blocks that a machine can judge leave coverage possible; most real documents have others. */
const judgeable = [[], [structuredBlocks], [instructionBlocks], [instructionBlocks, structuredBlocks]]
const narrative = [
  ...judgeable,
  [conditionBlocks],
  [conditionBlocks, structuredBlocks],
  [conditionBlocks, conditionBlocks],
  [limitedBlocks],
  [limitedBlocks, structuredBlocks],
  [unclassableBlocks]
]

const drawBlocks = (
  chance: Chance,
  from: typeof narrative,
  lcd?: string | undefined
): ReadonlyArray<BlockTruth> => {
  const kinds = chance.pick(from)
  const drawn = kinds.map((kind) => chance.pick(kind))
  const pointers = lcd !== undefined && chance.happens(0.25) ? [pointerTo(lcd, chance.between(0, 9))] : []
  return [...new Set([...drawn, ...pointers])]
}

const drawNational = (chance: Chance, family: ReadonlyArray<string>): NationalTruth => ({
  policyId: id(chance.pick(["NCD 280.6", "NCD 20.8.1.1", "NCD 150.13"])),
  level: chance.pick([1, 1, 1, 2, 3, 3, 4, null]),
  from: drawDay(chance, 2019, 2021),
  until: chance.happens(0.15) ? drawDay(chance, 2023, 2025) : null,
  blocks: drawBlocks(chance, narrative),
  lists: chance.happens(0.5) ? chance.some(family, 1, 2) : [],
  names: chance.happens(0.35) ? chance.some(family, 1, 2) : [],
  denies: chance.happens(0.25) ? chance.some(family, 1, 2) : []
})
