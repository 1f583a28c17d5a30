import { describe, expect, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import { conditionCharactersMax } from "../../core/coverage/decide/condition.ts"
import { changeBetween } from "../../core/coverage/revise.ts"
import { passageCharacters, passagesOf } from "../../core/coverage/passages.ts"
import { textItems } from "../../core/coverage/textItems.ts"
import { block, factsOf, group, queryOf, versionOf } from "./decideSituations.ts"

const decideBy = (criteria: Parameters<typeof block>[1], attestedConditions: ReadonlyArray<string> = []) => {
  const article = versionOf({
    policyId: "A10001",
    codeGroups: [group("procedure", ["E0601"]), group("dx_covered", ["I10"])],
    criteria: [block(null, criteria)]
  })
  return decide(factsOf(article), queryOf({ diagnosisCodes: ["I10"], attestedConditions }))
}

const kindsOf = (criteria: Parameters<typeof block>[1]) =>
  decideBy(criteria).conditions.map(({ kind, text }) => [kind, text])

describe("coverage-domain §2.1, rule 8: an exclusion is a condition of its own kind", () => {
  it.each([
    ["limitations", "Injections for axial spine pain alone are not covered."],
    ["limitations", "Spinal stenosis without radicular pain is not an indication in this jurisdiction."],
    ["limitations", "Necrotic tissue with eschar, untreated osteomyelitis, or malignancy in the wound."],
    ["limitations", "Care of feet that are otherwise healthy is excluded by statute."],
    ["indications", "Screening is considered not reasonable and necessary."],
    ["other", "The device is contraindicated in patients with a pacemaker."]
  ] as const)("in %s: %s", (section, text) => {
    expect(kindsOf({ section, text })).toEqual([["exclusion", text]])
  })

  it.each([
    ["limitations", "Ablation is limited to two sessions."],
    ["limitations", "No more than 4 sessions in a rolling twelve months."],
    ["indications", "The device is covered only after a trial and is not covered otherwise."],
    ["indications", "A trial of four weeks must have failed."]
  ] as const)("is none in %s: %s", (section, text) => {
    expect(kindsOf({ section, text })).toEqual([["narrative", text]])
  })

  it("is a condition apart from the requirements of the same passage, without the billing text", () => {
    const text =
      "A trial of four weeks must have failed.\nCodes may be subject to NCCI edits.\nSnoring is not covered."
    expect(kindsOf({ section: "other", text })).toEqual([
      ["narrative", "A trial of four weeks must have failed."],
      ["exclusion", "Snoring is not covered."]
    ])
  })

  it("counts as met once it is attested, and the trace says that it does not apply", () => {
    const criteria = { section: "limitations", text: "Snoring is not covered." } as const
    const before = decideBy(criteria)
    expect([before.status, before.requiresManualReview]).toEqual(["conditional", true])
    const after = decideBy(
      criteria,
      before.conditions.map((one) => one.conditionId)
    )
    expect([after.status, after.confidence]).toEqual(["covered", "medium"])
    expect(after.trace.at(-1)?.result).toBe("The caller attests that the exclusion does not apply.")
  })
})

describe("coverage-domain §2.1, rule 13: a step names the condition that it is about", () => {
  it("by its condition_id", () => {
    const { conditions, trace } = decideBy({ text: "A trial of four weeks must have failed." })
    const ids = trace.flatMap(({ conditionId }) => conditionId ?? [])
    expect(ids).toEqual(conditions.map((one) => one.conditionId))
  })
})

describe("coverage-domain §2.1, L1: a pointer beside a condition", () => {
  it("leaves its gap after the condition is attested", () => {
    const criteria = {
      text: "A trial must have failed.\nThe service must meet the criteria of the related LCD."
    }
    const ids = decideBy(criteria).conditions.map((one) => one.conditionId)
    const { knownGaps, status } = decideBy(criteria, ids)
    expect({ knownGaps, status }).toEqual({ knownGaps: ["related_policy"], status: "conditional" })
  })
})

describe("coverage-domain §2.1, rule 14: a list is cut at its boundaries", () => {
  const items = (count: number) => Array.from({ length: count }, (_, at) => `- item ${at} ${"x".repeat(90)}`)
  const list = ["All of the following must be met:", ...items(12)].join("\n")

  it("stays with the line that introduces it", () => {
    expect(textItems(`Intro.\n${list}\nEnd.`)).toEqual(["Intro.", list, "End."])
    expect(textItems("One:\n1. a\n2. b\n(a) c\nAfter.")).toEqual(["One:\n1. a\n2. b\n(a) c", "After."])
    expect(textItems("B. Nationally Covered\nC. Other")).toEqual(["B. Nationally Covered", "C. Other"])
  })

  it("is one passage, although it is longer than a passage is", () => {
    const text = `${"y".repeat(passageCharacters - 10)}\n${list}\n- last\nThe next paragraph.`
    const texts = passagesOf([{ section: "indications", text }]).map((one) => one.text)
    expect(texts.some((one) => one.includes(list.slice(0, 20)) && one.endsWith("- last"))).toBe(true)
    expect(texts.at(-1)).toBe("The next paragraph.")
  })

  it("ends after the last whole item that fits, and states the length of the whole text", () => {
    const text = ["It is covered when:", ...items(60)].join("\n")
    const [shown] = decideBy({ text }).conditions
    const lines = shown?.text.split("\n") ?? []
    expect(shown?.text.length).toBeLessThanOrEqual(conditionCharactersMax)
    expect(lines.slice(0, -1).every((line) => text.split("\n").includes(line))).toBe(true)
    expect(lines.at(-1)).toBe(`[The whole text has ${text.length} characters: read it in policy A10001.]`)
    const [other] = decideBy({ text: `${text}!` }).conditions
    expect(other?.conditionId).not.toBe(shown?.conditionId)
  })

  it("states at most 40 conditions of a document, and covers once these are attested", () => {
    const texts = Array.from({ length: 60 }, (_, at) => `Treatment ${at} must have failed.`)
    const criteria = texts.map((text, at) => block(null, { blockId: `b${at}`, text }))
    const codeGroups = [group("procedure", ["E0601"]), group("dx_covered", ["I10"])]
    const facts = factsOf(versionOf({ policyId: "A10001", codeGroups, criteria }))
    const asked = (attestedConditions: ReadonlyArray<string>) =>
      decide(facts, queryOf({ diagnosisCodes: ["I10"], attestedConditions }))
    const { conditions } = asked([])
    expect(conditions.map((one) => one.text)).toEqual([...texts.slice(0, 40), texts.slice(40).join("\n")])
    const ids = conditions.map((one) => one.conditionId)
    expect(asked(ids).status).toBe("covered")
    expect(asked(ids.slice(0, 40)).status).toBe("conditional")
  })

  it("is no change of the policy where only the cuts differ", () => {
    const texts = ["One sentence.", "Another sentence."]
    const cut = versionOf({ policyId: "L10001", criteria: texts.map((text) => block(null, { text })) })
    const whole = versionOf({ policyId: "L10001", criteria: [block(null, { text: texts.join("\n") })] })
    const change = changeBetween({ ...cut, sourceDocumentSha256: "1".repeat(64) }, whole)
    expect(change).toBeNull()
  })
})
