import type { PayerScope } from "./CoverageDecision.ts"
import { isMedicare } from "./Payer.ts"
import type { Payer } from "./Payer.ts"
import { payerNamed } from "./payerNamed.ts"

/** The kinds of plan that a claim may name (contract §2, POST /claims/validate). */
export const planTypes = [
  "commercial",
  "medicare_advantage",
  "medicaid",
  "traditional_medicare",
  "exchange"
] as const
export type PlanType = (typeof planTypes)[number]

/** What the caller said about who pays; null: nothing. */
export interface PayerWords {
  readonly payer: string | null
  readonly planType: PlanType | null
  readonly lineOfBusiness: string | null
}

/**
 * Whose policies decide (coverage-domain §2.1, step 2): nothing or a name of Medicare is traditional
 * Medicare, Medicare Advantage its floor, anyone else their own policies. `payerKnown` is false where a payer
 * was named that nobody knows: reads refuse it, claims name it as a gap.
 */
export const payerScope = (
  words: PayerWords,
  payers: ReadonlyArray<Payer>
): { readonly scope: PayerScope; readonly payerKnown: boolean } => {
  const { payer: name } = words
  if (name === null) return { scope: scopeWithout(words), payerKnown: true }
  if (isMedicare(name)) return { scope: advantageIf(words) ?? { _tag: "Medicare" }, payerKnown: true }
  if (advantageNames.has(wordOf(name)))
    return { scope: { _tag: "MedicareAdvantage", payer: null }, payerKnown: true }
  const payer = payerNamed(name, payers)
  if (payer !== undefined && payer.code === "medicare")
    return { scope: advantageIf(words) ?? { _tag: "Medicare" }, payerKnown: true }
  return payer === undefined
    ? { scope: scopeOfStranger(words), payerKnown: false }
    : { scope: scopeOf(payer, words), payerKnown: true }
}

/** A plan that is neither Medicare's nor anybody's named decides by policies that nobody can look up. */
const scopeWithout = (words: PayerWords): PayerScope => {
  const advantage = advantageIf(words)
  if (advantage !== undefined) return advantage
  return words.planType === null || words.planType === "traditional_medicare"
    ? { _tag: "Medicare" }
    : { _tag: "Unknown" }
}

/** Of a payer whom nobody knows, the plan still tells whether Medicare's policies count. */
const scopeOfStranger = (words: PayerWords): PayerScope =>
  words.planType === "traditional_medicare"
    ? { _tag: "Medicare" }
    : (advantageIf(words) ?? { _tag: "Unknown" })

const scopeOf = (payer: Payer, words: PayerWords): PayerScope => {
  if (words.planType === "traditional_medicare") return { _tag: "Medicare" }
  const said = words.lineOfBusiness ?? words.planType
  const only = payer.linesOfBusiness.length === 1 ? payer.linesOfBusiness[0] : undefined
  const line = said ?? only ?? null
  if (advantageIf(words) !== undefined || (line !== null && advantageNames.has(wordOf(line))))
    return { _tag: "MedicareAdvantage", payer }
  return { _tag: "Payer", payer, lineOfBusiness: said === null ? null : lineOf(payer, said) }
}

const advantageIf = ({ lineOfBusiness, planType }: PayerWords): PayerScope | undefined =>
  planType === "medicare_advantage" || (lineOfBusiness !== null && advantageNames.has(wordOf(lineOfBusiness)))
    ? { _tag: "MedicareAdvantage", payer: null }
    : undefined

/** The line of business as the payer's own policies write it, where they do. */
const lineOf = (payer: Payer, said: string): string =>
  payer.linesOfBusiness.find((line) => wordOf(line) === wordOf(said)) ?? said

const wordOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")

const advantageNames: ReadonlySet<string> = new Set([
  "medicare advantage",
  "medicare part c",
  "part c",
  "ma",
  "mapd"
])
