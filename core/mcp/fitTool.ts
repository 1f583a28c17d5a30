import { isObject } from "../json/isObject.ts"
import { shortenText } from "../text/shortenText.ts"
import type { Omission } from "./toolAnswer.ts"

/**
 * Characters that the data of an answer may take, as structured content and as text together. The rest of
 * 100,000 (contract §3), about 25,000 tokens, is for `meta` and the protocol.
 */
export const dataCharactersMax = 90_000

/** Characters of the data in an answer, which holds it as JSON and once more as a JSON text. */
export const charactersOf = (data: unknown): number => {
  const text = JSON.stringify(data) ?? ""
  return text.length + JSON.stringify(text).length
}

/** Whether the data of an answer is small enough. */
export const fitsTool = (data: unknown): boolean => {
  const text = JSON.stringify(data) ?? ""
  // Escaped once more, each character of JSON takes two at most. So a usual answer is measured by its length.
  return text.length * 3 + '""'.length <= dataCharactersMax || charactersOf(data) <= dataCharactersMax
}

/** A paged part of an answer that is too large. */
export interface PagedPart {
  readonly name: string
  readonly items: ReadonlyArray<unknown>
}

/**
 * Returns how many items each paged part may have, by its name, so that all parts fit together; parts that
 * fit as they are have no entry. The smaller parts come first, and each gets an equal share of what is left.
 */
export const smallerPages = (
  data: Readonly<Record<string, unknown>>,
  paged: ReadonlyArray<PagedPart>
): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  const sized = paged.map(({ name, items }) => ({ name, items, characters: charactersOf(items) }))
  const ascending = sized.toSorted((one, other) => one.characters - other.characters)
  let left = dataCharactersMax - charactersOf(data) + sized.reduce((sum, part) => sum + part.characters, 0)
  ascending.forEach(({ name, items, characters }, index) => {
    const share = Math.max(0, left / (ascending.length - index))
    if (characters > share && items.length > 1) limits.set(name, Math.max(1, fitting(items, share)))
    left -= Math.min(characters, share)
  })
  return limits
}

/** How many items from the first one on fit. */
const fitting = (items: ReadonlyArray<unknown>, share: number): number => {
  let characters = 0
  return items.filter((item) => {
    characters += charactersOf(item)
    return characters <= share
  }).length
}

/**
 * Shortens what is still too large, stage by stage and size by size until it fits. Statuses, gaps and ids of
 * conditions are in no stage.
 */
export const fitTool = (
  data: Readonly<Record<string, unknown>>
): { readonly data: Readonly<Record<string, unknown>>; readonly truncated: ReadonlyArray<Omission> } => {
  let shorter: unknown = data
  let fits = fitsTool(data)
  const truncated: Array<Omission> = []
  for (const { at, next, sizes } of stages) {
    let done: Omission | undefined
    for (const size of sizes) {
      if (fits) break
      const counts = { shown: 0, of: 0 }
      const cut = shorten(shorter, at, { size, counts })
      if (counts.shown === counts.of) continue
      shorter = cut
      fits = fitsTool(cut)
      done = { at: at.join("."), shown: counts.shown, of: done?.of ?? counts.of, next }
    }
    if (done !== undefined) truncated.push(done)
  }
  return { data: Object(shorter), truncated }
}

interface Stage {
  /** The names that lead to it; `*` is every item of a list and every member of an object. */
  readonly at: ReadonlyArray<string>
  /** Items of a list or characters of a text that stay, the largest first. */
  readonly sizes: ReadonlyArray<number>
  readonly next: string
}

const texts = [4_000, 2_000, 1_000, 500, 200]
const readPolicy = "Read the policy with policy_research and policy_id."
const readSection = "Send section to read one section, or open source_url for the whole text."
const listed = "The operation's policies are in policy_research with procedure_code."

const stages: ReadonlyArray<Stage> = [
  { at: ["*", "trace"], sizes: [0], next: "Send fewer codes with trace full." },
  { at: ["policy", "sections", "*"], sizes: [0], next: "The same text is in criteria." },
  { at: ["policy", "criteria", "*", "*", "text"], sizes: texts, next: readSection },
  { at: ["policy", "description"], sizes: [500], next: "Open source_url." },
  {
    at: ["policy", "codes", "*", "*", "display"],
    sizes: [80, 0],
    next: "Look the code up with coverage_lookup."
  },
  { at: ["policy", "criteria", "*"], sizes: [20, 10, 5], next: readSection },
  {
    at: ["code", "policies"],
    sizes: [150, 100, 50, 25],
    next: "Send jurisdiction, or page through policy_research with procedure_code or icd10."
  },
  { at: ["criteria", "*", "text"], sizes: texts, next: readPolicy },
  { at: ["policies", "*", "summary"], sizes: [500, 200], next: readPolicy },
  { at: ["changes", "*", "details", "*"], sizes: [50, 10], next: "Send include_codes to read the codes." },
  { at: ["*", "*", "change_summary"], sizes: [500, 200], next: readPolicy },
  { at: ["*", "matched_policies", "*", "codes"], sizes: [10, 0], next: listed },
  { at: ["*", "criteria_details", "*", "*", "text"], sizes: [1_000, 300, 0], next: readPolicy },
  { at: ["*", "documentation_checklist"], sizes: [20], next: readPolicy },
  { at: ["*", "*", "documentation_requirements"], sizes: [20, 5], next: readPolicy },
  { at: ["*", "codes", "*", "documentation_requirements"], sizes: [20, 5], next: readPolicy },
  { at: ["*", "matched_policies"], sizes: [50, 20], next: listed },
  { at: ["*", "conditions", "*", "text"], sizes: [300, 100], next: readPolicy },
  { at: ["payers"], sizes: [500, 200, 100], next: "Send code to read one payer by its code or name." },
  { at: ["*"], sizes: [200, 100, 50, 20], next: "Narrow the call with more arguments." }
]

/** What of a list or of a text stays, counted over all that the path leads to. */
interface Cutting {
  readonly size: number
  readonly counts: { shown: number; of: number }
}

const shorten = (value: unknown, [step, ...rest]: ReadonlyArray<string>, cutting: Cutting): unknown => {
  if (step === undefined) return cut(value, cutting)
  if (Array.isArray(value))
    return step === "*" ? value.map((item: unknown) => shorten(item, rest, cutting)) : value
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      step === "*" || step === name ? shorten(member, rest, cutting) : member
    ])
  )
}

const cut = (value: unknown, { counts, size }: Cutting): unknown => {
  if (!Array.isArray(value) && typeof value !== "string") return value
  counts.of += value.length
  counts.shown += Math.min(value.length, size)
  if (value.length <= size) return value
  if (typeof value !== "string") return value.slice(0, size)
  return size === 0 ? null : shortenText(value, size)
}
