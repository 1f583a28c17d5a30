import { describe, expect, it } from "vitest"
import { diagnosisSupports, levels } from "../../core/coverage/CoverageDecision.ts"
import { coverageStatuses, quoteCharactersMax } from "../../core/coverage/CoverageDecision.ts"
import type { CodeDecision } from "../../core/coverage/CoverageDecision.ts"
import { decidePriorAuth } from "../../core/coverage/priorAuth/priorAuth.ts"
import { answerOf, documentsOf, factsOf, inWords } from "./question.ts"
import type { Row } from "./tables.ts"
import { cell, documents, parts, questions, textsOf } from "./tables.ts"

/** The traps that at least half of the cases are about. */
const traps = [
  ...["exclusion_list", "foreign_codes", "secondary_only", "two_policies", "several_units"],
  ...["omission_vs_listing", "retired", "proposed", "unknown_document", "no_contractor", "edition"],
  ...["sub_state", "dme_vs_ab", "unread_words"]
]

describe("the table of worked cases", () => {
  it("has 200 cases of their own names, 40 from real paragraphs, and half of them are traps", () => {
    expect(new Set(questions.map((row) => cell(row, "case"))).size).toBe(questions.length)
    expect(questions.length).toBeGreaterThanOrEqual(200)
    const real = questions.filter((row) => cell(row, "source_url") !== "")
    expect(real.length).toBeGreaterThanOrEqual(40)
    const trapped = questions.filter((row) => traps.includes(cell(row, "trap")))
    expect(trapped.length * 2).toBeGreaterThanOrEqual(questions.length)
  })

  it("uses every document, and its words for the answers are those of the service", () => {
    const used = new Set(questions.flatMap((row) => parts(cell(row, "documents"))))
    expect([...documents.keys()].filter((key) => !used.has(key))).toEqual([])
    for (const row of questions) {
      expect(coverageStatuses, inWords(row)).toContain(cell(row, "coverage_status"))
      expect(diagnosisSupports, inWords(row)).toContain(cell(row, "diagnosis_support"))
      expect(cell(row, "why").length, inWords(row)).toBeGreaterThan(5)
    }
  })

  it.each(questions.map((row) => [cell(row, "case"), row] as const))("%s quotes a document", (_, row) => {
    const sentence = cell(row, "deciding_sentence")
    expect(sentence.length, inWords(row)).toBeLessThanOrEqual(quoteCharactersMax)
    if (sentence.startsWith("[rule ")) return
    const texts = documentsOf(row).flatMap(textsOf)
    expect(
      texts.some((text) => text.includes(sentence)),
      inWords(row)
    ).toBe(true)
  })
})

describe("worked cases (coverage-domain §2.1)", () => {
  it.each(questions.map((row) => [cell(row, "case"), row] as const))("%s", (_, row) => {
    const { decision, query } = answerOf(row)
    const authorization = decidePriorAuth(decision, query, factsOf(row))
    const asked = cell(row, "prior_auth") === "" ? [] : authorization.knownGaps
    const complaints = [
      ...axes(row, decision),
      ...details(row, { ...decision, knownGaps: [...decision.knownGaps, ...asked] }),
      ...invariants(row, decision),
      ...priorAuth(row, authorization.required)
    ]
    expect(complaints, inWords(row)).toEqual([])
  })
})

const differs = (name: string, seen: unknown, wanted: string): ReadonlyArray<string> =>
  String(seen) === wanted ? [] : [`${name} is ${seen}, expected ${wanted}`]

const axes = (row: Row, decision: CodeDecision): ReadonlyArray<string> => [
  ...differs("coverage status", decision.status, cell(row, "coverage_status")),
  ...differs("diagnosis support", decision.diagnosisSupport, cell(row, "diagnosis_support"))
]

/** What a row may ask for besides; an empty cell looks at nothing. */
const details = (row: Row, decision: CodeDecision): ReadonlyArray<string> => {
  const { conditions, confidence, issues, knownGaps, reasons, trace } = decision
  const [condition, issue] = [cell(row, "condition"), cell(row, "issues")]
  const said = [...reasons, ...issues, ...trace.map((step) => step.result)]
  const none = issue === "none" && issues.length > 0
  const begins = issue === "" || issue === "none" || issues.some((one) => one.startsWith(issue))
  const atMost = levels.indexOf("medium")
  return [
    ...parts(cell(row, "known_gaps"))
      .filter((gap) => !knownGaps.some((one) => one.startsWith(gap)))
      .map((gap) => `gap ${gap} is not named among ${knownGaps.join(", ")}`),
    ...(conditions.some((one) => one.text.includes(condition)) || condition === ""
      ? []
      : [`no condition says "${condition}"`]),
    ...(none || !begins ? [`issues are ${issues.join("; ")}, expected ${issue}`] : []),
    ...(said.some((text) => text.includes(cell(row, "mentions")))
      ? []
      : [`nothing mentions ${cell(row, "mentions")}`]),
    ...(cell(row, "confidence") === "<=medium" && levels.indexOf(confidence) > atMost
      ? [`confidence is ${confidence}`]
      : [])
  ]
}

/** What holds of every answer (L1, L3). */
const invariants = (row: Row, decision: CodeDecision): ReadonlyArray<string> => {
  const { conditions, issues, knownGaps, status, trace } = decision
  const texts = new Map<string, string>(
    documentsOf(row).map((one) => [one.policy.policyId, textsOf(one).join("\n")])
  )
  const free = status !== "covered" || conditions.length === 0
  const says = status !== "conditional" || conditions.length + knownGaps.length + issues.length > 0
  const quotes = trace.flatMap(({ policyId, quote }) =>
    policyId === null || quote === null || (texts.get(policyId) ?? "").includes(quote) ? [] : [quote]
  )
  return [
    ...(free || cell(row, "attested") !== "" ? [] : ["covered with conditions left"]),
    ...(says ? [] : ["conditional without saying on what"]),
    ...quotes.map((quote) => `quotes what no document says: ${quote}`)
  ]
}

const priorAuth = (row: Row, required: boolean | null): ReadonlyArray<string> => {
  const wanted = cell(row, "prior_auth")
  if (wanted === "") return []
  if (wanted === "not true") return required === true ? ["prior authorization is true"] : []
  return differs("prior authorization", required, wanted)
}
