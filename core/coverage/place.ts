import type { Jurisdiction } from "./Jurisdiction.ts"
import { stateNames } from "./stateNames.ts"

/**
 * What a place means to a search: documents of any of these jurisdictions, or that apply to any of these
 * states.
 */
export interface Place {
  readonly jurisdictions: ReadonlyArray<string>
  readonly states: ReadonlyArray<string>
  /** Every jurisdiction that serves the states; absent where nobody knows. */
  readonly serving?: ReadonlyArray<string>
}

/**
 * The state that an abbreviation of the source stands for: CMS splits California, New York and Missouri and
 * writes CNMI for the Northern Marianas (coverage-domain §1.5, trap 4). Undefined: no state.
 */
export const foldState = (text: string): string | undefined => {
  const upper = text.trim().toUpperCase()
  const state = subStates[upper] ?? upper
  return Object.hasOwn(stateNames, state) ? state : undefined
}

/**
 * The usual writings of a Medicare jurisdiction, canonical: `J05` is `J5`, `jh` is `JH`, `JA` is `DME JA`.
 */
export const canonicalJurisdiction = (text: string): string | undefined => {
  const match = normalizePlace.exec(text.trim().toUpperCase())
  if (match === null) return undefined
  const [, prefix, mark = ""] = match
  const letter = mark.replace(/^0+(?=\d)/, "")
  return prefix !== undefined || /^[A-D]$/.test(letter) ? dme(letter) : `J${letter}`
}

/**
 * A jurisdiction (`JH`, `J05`, `DME JA`), a contractor's number (`04412`) or a state (`TX`, `NF`, `Texas`) as
 * a place to search in; undefined when the service knows none of that name (RESOURCE_JURISDICTION_NOT_FOUND).
 * A state wins no contest here: no jurisdiction is written like one.
 */
export const resolvePlace = (text: string, jurisdictions: ReadonlyArray<Jurisdiction>): Place | undefined => {
  const code = canonicalJurisdiction(text)
  const number = text.trim()
  const known = jurisdictions.find(
    (one) => one.jurisdictionCode === code || one.macCode.split("/").includes(number)
  )
  if (known !== undefined) return { jurisdictions: [known.jurisdictionCode], states: [] }
  const state = foldState(text) ?? stateNamed(text)
  if (state === undefined) return undefined
  const serving = jurisdictions
    .filter((one) => one.states.includes(state))
    .map((one) => one.jurisdictionCode)
    .toSorted()
  return { jurisdictions: [], states: [state], ...(serving.length === 0 ? {} : { serving }) }
}

/**
 * `J`, a letter or a number of at most two digits; `DME`, `MAC` and `Jurisdiction` may stand before it. A
 * letter alone names nothing.
 */
const normalizePlace =
  /^(?![A-Z]$)(DME(?:\s*MAC)?[\s-]*)?(?:JURISDICTION\s*|MAC\s*)?(?:J[\s-]*)?([A-Z]|\d{1,2})$/

const dme = (letter: string): string | undefined => (/^[A-D]$/.test(letter) ? `DME J${letter}` : undefined)

const subStates: Readonly<Record<string, string>> = {
  NF: "CA",
  SF: "CA",
  UN: "NY",
  DN: "NY",
  QN: "NY",
  EM: "MO",
  WM: "MO",
  CNMI: "MP"
}

const stateNamed = (text: string): string | undefined => {
  const name = text.trim().toLowerCase()
  return Object.entries(stateNames).find(([, each]) => each.toLowerCase() === name)?.[0]
}
