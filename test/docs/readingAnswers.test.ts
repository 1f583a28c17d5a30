import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import { conditionKinds, coverageStatuses, diagnosisSupports } from "../../core/coverage/CoverageDecision.ts"
import { editionGaps } from "../../core/coverage/decide/validity.ts"
import { gaps } from "../../core/coverage/decide/Verdict.ts"
import { root } from "./terminal.ts"

const page = readFileSync(`${root}docs/reading-a-coverage-answer.md`, "utf8")

/** Returns the first cells of a generated table of the page, without their code marks. */
const namesIn = (text: string, marker: string): ReadonlyArray<string> => {
  const [, part = ""] = text.split(`, ${marker} -->`)
  const [table = ""] = part.split("<!-- end -->")
  return [...table.matchAll(/^\| `(\w+)` \| (?!Meaning)/gm)].map((match) => match[1] ?? "")
}

const kernelGaps = [...gaps, ...Object.values(editionGaps)].toSorted()

describe("docs/reading-a-coverage-answer.md", () => {
  it("explains every gap that the kernel can name, and no other", () => {
    expect(namesIn(page, "gaps")).toEqual(kernelGaps)
    const without = page.replace(/^\| `group_scope`.*\n/m, "| `invented` | x | y |\n")
    expect(namesIn(without, "gaps")).not.toEqual(kernelGaps)
  })

  it("explains every status, every kind of diagnosis support and every kind of condition", () => {
    expect(namesIn(page, "statuses").toSorted()).toEqual(coverageStatuses.toSorted())
    expect(namesIn(page, "supports").toSorted()).toEqual(diagnosisSupports.toSorted())
    expect(namesIn(page, "kinds").toSorted()).toEqual(conditionKinds.toSorted())
  })

  it("states about the example what the sandbox returns", () => {
    const { conditions, coverage_status, diagnosis_support, known_gaps } = kept.operations.validateClaim.data
    const [, prose = ""] = page.split("## An example")
    expect(/`diagnosis_support` is `(\w+)`/.exec(prose)?.[1]).toBe(diagnosis_support)
    expect(/the status is `(\w+)`/.exec(prose.replaceAll("\n", " "))?.[1]).toBe(coverage_status)
    expect(conditions.length).toBeGreaterThan(0)
    expect(known_gaps.length).toBeGreaterThan(0)
  })
})
