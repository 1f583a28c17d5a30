import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import { conditionKinds } from "../../core/coverage/CoverageDecision.ts"
import { editionGaps } from "../../core/coverage/decide/validity.ts"
import { gaps } from "../../core/coverage/decide/Verdict.ts"
import { examples } from "../../core/sandbox/examples.ts"
import { gapMeanings, kindMeanings, statusMeanings, supportMeanings } from "./answerMeanings.ts"
import type { ValueMeaning } from "./answerMeanings.ts"
import { code, table } from "./markdown.ts"

/** The generated parts of docs/reading-a-coverage-answer.md: the tables of values, and a real answer. */
export const answerFragments = ({ operations }: SandboxAnswers) => ({
  statuses: () => meanings(["`coverage_status`", "Meaning", "What to do"], statusMeanings),
  supports: () => meanings(["`diagnosis_support`", "Meaning", "What to do"], supportMeanings),
  kinds: () => meanings(["`kind`", "Meaning", "Attesting it states"], pick(kindMeanings, conditionKinds)),
  gaps: () => meanings(["Gap", "Meaning", "What to do"], pick(gapMeanings, gapNames)),
  request: () => fenced(JSON.parse(examples.validateClaim.body ?? "{}")),
  answer: () => fenced(excerpt(operations.validateClaim))
})

const meanings = (head: ReadonlyArray<string>, values: Readonly<Record<string, ValueMeaning>>): string =>
  table(
    head,
    Object.entries(values).map(([value, { action, means }]) => [code(value), means, action])
  )

/** Every name that the kernel can put into `known_gaps`, in alphabetical order. */
const gapNames: ReadonlyArray<string> = [...gaps, ...Object.values(editionGaps)].toSorted()

/** The meanings of these names, in their order. A name without a meaning has no row. */
const pick = (
  meaningsByName: Readonly<Record<string, ValueMeaning>>,
  names: ReadonlyArray<string>
): Readonly<Record<string, ValueMeaning>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const meaning = meaningsByName[name]
      return meaning === undefined ? [] : [[name, meaning]]
    })
  )

/** The members of the answer that a reader looks at first, in reading order. */
const shown = [
  "summary",
  "coverage_status",
  "diagnosis_support",
  "conditions",
  "prior_auth_required",
  "denial_risk",
  "confidence",
  "requires_manual_review",
  "known_gaps",
  "issues",
  "trace"
] as const

/** Entries that are shown of `conditions` and of `trace`. */
const entriesMax = 2

const excerpt = (answer: unknown): unknown => {
  const { data, meta } = Object(answer) as {
    readonly data: Readonly<Record<string, unknown>>
    readonly meta: object
  }
  const members = shown.filter((name) => name in data).map((name) => [name, shortened(data[name])])
  return { data: Object.fromEntries(members), meta }
}

const shortened = (value: unknown): unknown =>
  Array.isArray(value) && value.some((one) => typeof one === "object") ? value.slice(0, entriesMax) : value

const fenced = (value: unknown): string => ["```json", JSON.stringify(value, null, 2), "```"].join("\n")
