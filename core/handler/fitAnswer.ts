import type { ConditionItem, TraceItem } from "../operation/decisionFields.ts"
import { shortenText } from "../text/shortenText.ts"

/** Bytes of a coverage answer's data as JSON: 64 KiB less the envelope (coverage-domain §2.1, rule 14). */
export const answerBytesMax = 63 * 1_024

/** The parts of a coverage answer that may be long; an operation without one leaves it out. */
interface Shortened {
  readonly trace: ReadonlyArray<TraceItem>
  readonly conditions: ReadonlyArray<ConditionItem>
  readonly matched_policies?: ReadonlyArray<{ readonly codes: ReadonlyArray<unknown> }>
  readonly criteria_details?: {
    readonly indications: ReadonlyArray<{ readonly text: string }>
    readonly limitations: ReadonlyArray<{ readonly text: string }>
  }
}

/**
 * Returns the answer within its size. What does not fit is left out in the order of the stages and named in
 * `meta.omitted`; a condition's id, a gap or an issue never is.
 */
export const fitAnswer = <Data extends Shortened>(
  data: Data
): { readonly data: Data; readonly meta?: { readonly omitted: ReadonlyArray<string> } } => {
  if (fits(data)) return { data }
  let shorter = data
  const omitted: Array<string> = []
  for (const { applies, name, shorten } of stages) {
    if (!applies(shorter)) continue
    shorter = shorten(shorter) as Data
    omitted.push(name)
    if (fits(shorter)) break
  }
  return { data: shorter, meta: { omitted } }
}

const fits = (data: object): boolean => {
  const text = JSON.stringify(data)
  // A code unit takes at most three bytes.
  return text.length * 3 <= answerBytesMax || bytesOf(text) <= answerBytesMax
}

/** UTF-8 bytes; either half of a surrogate pair counts two. */
const bytesOf = (text: string): number => {
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}

/** A condition keeps the beginning of its text: enough to recognize it by. */
const conditionCharacters = 300

interface Stage {
  readonly name: string
  /** Whether the answer has anything that the stage leaves out. */
  readonly applies: (data: Shortened) => boolean
  readonly shorten: (data: Shortened) => Shortened
}

const stages: ReadonlyArray<Stage> = [
  {
    name: "trace.quote",
    applies: ({ trace }) => trace.some(({ quote }) => quote !== null),
    shorten: (data) => ({ ...data, trace: data.trace.map((step) => ({ ...step, quote: null })) })
  },
  {
    name: "matched_policies.codes",
    applies: ({ matched_policies: policies = [] }) => policies.some(({ codes }) => codes.length > 0),
    shorten: ({ matched_policies: policies = [], ...data }) => ({
      ...data,
      matched_policies: policies.map((policy) => ({ ...policy, codes: [] }))
    })
  },
  {
    name: "criteria_details.text",
    applies: ({ criteria_details: { indications, limitations } = noCriteria }) =>
      indications.length + limitations.length > 0,
    shorten: ({ criteria_details: criteria = noCriteria, ...data }) => ({
      ...data,
      criteria_details: {
        ...criteria,
        indications: criteria.indications.map(withoutText),
        limitations: criteria.limitations.map(withoutText)
      }
    })
  },
  {
    name: "trace",
    applies: ({ trace }) => trace.length > 0,
    shorten: (data) => ({ ...data, trace: [] })
  },
  {
    name: "conditions.text",
    applies: ({ conditions }) => conditions.some(({ text }) => text.length > conditionCharacters),
    shorten: (data) => ({ ...data, conditions: data.conditions.map(shortened) })
  }
]

const noCriteria: NonNullable<Shortened["criteria_details"]> = { indications: [], limitations: [] }

const withoutText = <Passage extends { readonly text: string }>(passage: Passage): Passage => ({
  ...passage,
  text: ""
})

const shortened = (condition: ConditionItem): ConditionItem => ({
  ...condition,
  text: shortenText(condition.text, conditionCharacters)
})
