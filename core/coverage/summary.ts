import type { Condition, CoverageStatus } from "./CoverageDecision.ts"
import { inputGaps } from "./decide/Verdict.ts"

/** What a summary is made of: the whole answer, and each of its codes. */
export interface SummaryInput {
  readonly status: CoverageStatus
  readonly conditions: ReadonlyArray<Condition>
  readonly knownGaps: ReadonlyArray<string>
  /** How many issues the answer lists. */
  readonly issues: number
  /** Null: not known; undefined: the operation does not look at prior authorization. */
  readonly priorAuthRequired?: boolean | null
  readonly codes: ReadonlyArray<CodeSummaryInput>
}

export interface CodeSummaryInput {
  /** Null where a policy was evaluated without a procedure. */
  readonly code: string | null
  readonly status: CoverageStatus
  readonly reasons: ReadonlyArray<string>
  /** The policies whose words decide. */
  readonly decidedBy: ReadonlyArray<string>
}

/**
 * Returns the answer in two sentences for a biller (coverage-domain §2.1, rule 14): the verdict with its main
 * reason, then what to do next.
 */
export const summarize = (given: SummaryInput): string => {
  const codes = given.codes.toSorted((a, b) => ((a.code ?? "") < (b.code ?? "") ? -1 : 1))
  const answer = { ...given, codes }
  return [verdictSentence(answer), nextSentence(answer)].filter((sentence) => sentence !== "").join(" ")
}

const verdictSentence = (answer: SummaryInput): string => {
  const leading = answer.codes.filter(({ status }) => status === answer.status)
  const reason = reasonOf(answer, leading)
  const under = underWhat(answer, leading)
  const subject = subjectOf(answer, leading)
  return `${verdicts[answer.status]}${subject}${under}${reason === "" ? "." : `: ${reason}`}`
}

const verdicts: Readonly<Record<CoverageStatus, string>> = {
  covered: "Covered",
  conditional: "Conditional",
  not_covered: "Not covered",
  unknown: "Unknown"
}

/** Names codes only where they differ: a single code is the question itself. */
const subjectOf = ({ codes }: SummaryInput, leading: ReadonlyArray<CodeSummaryInput>): string => {
  const named = leading.flatMap(({ code }) => code ?? [])
  if (codes.length < 2 || named.length === 0) return ""
  return ` for ${some(named, codesMax)}`
}

const underWhat = (
  { conditions, status }: SummaryInput,
  leading: ReadonlyArray<CodeSummaryInput>
): string => {
  const stated = status === "conditional" ? conditions.map(({ policyId }) => policyId) : []
  const deciding = stated.length > 0 ? stated : leading.flatMap(({ decidedBy }) => decidedBy)
  const policies = [...new Set(deciding)]
  return policies.length === 0 ? "" : ` under ${some(policies, policiesMax)}`
}

const reasonOf = (
  { conditions, knownGaps, status }: SummaryInput,
  leading: ReadonlyArray<CodeSummaryInput>
): string => {
  const first = kindsByWeight.flatMap((kind) => conditions.filter((one) => one.kind === kind))[0]
  if (status === "conditional" && first !== undefined) return gistOf(tellingLine(first.text))
  // What is missing then leaves it open, and the second sentence names it.
  if (status === "conditional" && knownGaps.length > 0) return ""
  return sentenceCase(gistOf(leading[0]?.reasons[0] ?? ""))
}

/** The first sentence that is about coverage; a text may begin with a description of the service. */
const tellingLine = (text: string): string =>
  text.split(/\n|(?<=[.;]) (?=[A-Z])/).find((sentence) => telling.test(sentence)) ?? text

const telling = /\b(?:cover(?:s|ed|age)?|reasonable and necessary|indicated|must|only|required|criteria)\b/i

/** Which conditions say most about a service, first. */
const kindsByWeight: ReadonlyArray<Condition["kind"]> = [
  ...(["narrative", "age", "sex", "site", "specialty", "role", "modifier"] as const),
  ...(["frequency", "exclusion", "documentation"] as const)
]

/** The first line of a text without its name of a rule, cut after a whole word. */
const gistOf = (text: string): string => {
  const [line = ""] = text.replace(/^[a-z_]+: /, "").split("\n")
  const plain = line.replace(/[\s:;,.]+$/, "")
  if (plain === "") return ""
  if (plain.length <= gistCharactersMax) return `${plain}.`
  const cut = plain.slice(0, gistCharactersMax)
  return `${cut.slice(0, cut.lastIndexOf(" "))}…`
}

const sentenceCase = (text: string): string => text.replace(/^The (?=[a-z])/, "the ")

const nextSentence = (answer: SummaryInput): string => {
  const steps = [
    ...conditionSteps(answer),
    ...inputSteps(answer),
    ...(answer.issues > 0 ? [`resolve the ${counted(answer.issues, "issue")} listed`] : []),
    ...priorAuthSteps(answer),
    ...reviewSteps(answer)
  ]
  if (steps.length === 0) return ""
  const whole =
    steps.length < 3 ? steps.join(" and ") : `${steps.slice(0, -1).join(", ")}, and ${steps.at(-1)}`
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}.`
}

const conditionSteps = ({ conditions, status }: SummaryInput): ReadonlyArray<string> => {
  if (status !== "conditional" || conditions.length === 0) return []
  const exclusions = conditions.filter(({ kind }) => kind === "exclusion").length
  const others = conditions.length - exclusions
  return [
    ...(others > 0 ? [`confirm the ${counted(others, "condition")} listed`] : []),
    ...(exclusions > 0
      ? [
          `confirm that the ${counted(exclusions, "exclusion")} listed ${exclusions === 1 ? "does" : "do"} not apply`
        ]
      : [])
  ]
}

const inputs: ReadonlySet<string> = new Set(inputGaps)

const inputSteps = ({ knownGaps }: SummaryInput): ReadonlyArray<string> => {
  const missing = knownGaps.filter((gap) => inputs.has(gap))
  const names = missing.map((name) => `\`${name}\``)
  return names.length === 0 ? [] : [`send ${some(names, gapsMax)}`]
}

const priorAuthSteps = ({ priorAuthRequired, status }: SummaryInput): ReadonlyArray<string> => {
  if (priorAuthRequired === true) return ["request prior authorization"]
  return priorAuthRequired === null && status !== "not_covered"
    ? ["ask the payer whether prior authorization is required"]
    : []
}

const reviewSteps = ({ knownGaps }: SummaryInput): ReadonlyArray<string> => {
  const open = knownGaps.filter((gap) => !inputs.has(gap) && gap !== "prior_authorization")
  return open.length === 0 ? [] : [`have a person review what is missing (${some(open, gapsMax)})`]
}

const counted = (count: number, noun: string): string => (count === 1 ? noun : `${count} ${noun}s`)

/** `A, B and 3 more`. */
const some = (names: ReadonlyArray<string>, max: number): string => {
  const shown = names.slice(0, max)
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} more`] : shown
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`
}

const codesMax = 3
const policiesMax = 2
const gapsMax = 4

/** The main reason of a summary, in UTF-16 code units. */
const gistCharactersMax = 200
