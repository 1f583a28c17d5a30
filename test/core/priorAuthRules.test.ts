import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { stateNames } from "../../core/coverage/stateNames.ts"
import { canonicalSite } from "../../core/coverage/site.ts"
import { judge } from "../../core/coverage/priorAuth/judge.ts"
import { federalRules, federalRulesFor } from "../../core/coverage/priorAuth/rules.ts"
import { asked, inState } from "../kit/coverageAsked.ts"
import { day } from "../kit/library.ts"

/** What all rules together say of a code: the strongest of their judgements. */
const judged = (
  code: string,
  date: string,
  given: { readonly state?: string; readonly site?: string } = {}
): string => {
  const query = asked({
    dateOfService: day(date),
    place: given.state === undefined ? null : inState(given.state),
    siteOfService: given.site ?? null
  })
  const tags = federalRulesFor(code).map((rule) => judge(rule, query)._tag)
  return ["Asks", "Unsure", "DoesNotAsk"].find((tag) => tags.some((one) => one === tag)) ?? "NotInForce"
}

describe("the federal rules of prior authorization (coverage-domain §1.3)", () => {
  it("have unique ids, real days in order, canonical codes and a checklist", () => {
    expect(new Set(federalRules.map((rule) => rule.ruleId)).size).toBe(federalRules.length)
    for (const rule of federalRules) {
      expect([rule.ruleId, rule.endDate === null || rule.effectiveDate <= rule.endDate]).toEqual([
        rule.ruleId,
        true
      ])
      expect(rule.documentation.length).toBeGreaterThan(0)
      for (const code of rule.codes) expect(code).toMatch(/^(\d{5}|[A-Z]\d{4})$/)
      if (rule.states !== "all") for (const state of rule.states) expect(stateNames).toHaveProperty(state)
    }
  })

  it("never ask by two rules for one code in one state on one day", () => {
    const edges = federalRules.flatMap((rule) => [rule.effectiveDate, ...(rule.endDate ?? [])])
    for (const code of new Set(federalRules.flatMap((rule) => rule.codes)))
      for (const date of new Set(edges)) {
        const query = asked({
          dateOfService: day(date),
          place: inState("CA"),
          siteOfService: "outpatient_hospital"
        })
        const asking = federalRulesFor(code).filter((rule) => judge(rule, query)._tag === "Asks")
        expect([code, date, asking.length < 2]).toEqual([code, date, true])
      }
  })

  it.each([
    ["E0193", "2019-07-21", "CA", "NotInForce"],
    ["E0193", "2019-07-22", "CA", "Asks"],
    ["E0193", "2019-07-22", "TX", "DoesNotAsk"],
    ["E0193", "2019-07-22", undefined, "Unsure"],
    ["E0193", "2019-10-20", "TX", "DoesNotAsk"],
    ["E0193", "2019-10-21", "TX", "Asks"],
    ["E0193", "2019-10-21", undefined, "Asks"],
    ["K0857", "2019-07-21", "TX", "NotInForce"],
    ["K0857", "2019-07-22", "TX", "Asks"],
    ["E0747", "2024-08-11", "CA", "NotInForce"],
    ["E0747", "2024-08-27", "CA", "Asks"],
    ["E0747", "2024-08-27", "TX", "DoesNotAsk"],
    ["E0747", "2024-08-28", "CA", "DoesNotAsk"],
    ["E0760", "2026-01-15", undefined, "DoesNotAsk"],
    ["L1833", "2024-08-11", "TX", "Asks"],
    ["L1833", "2024-08-12", "TX", "NotInForce"],
    ["L1951", "2024-08-11", "TX", "NotInForce"],
    ["L1951", "2024-08-12", "TX", "Asks"],
    ["L0648", "2022-07-11", "TX", "DoesNotAsk"],
    ["L0648", "2022-07-12", "TX", "Asks"]
  ])("42 CFR 414.234: %s on %s in %s: %s", (code, date, state, expected) => {
    expect(judged(code, date, state === undefined ? {} : { state })).toBe(expected)
  })

  it.each([
    ["64615", "2020-06-30", "outpatient_hospital", "NotInForce"],
    ["64615", "2020-07-01", "outpatient_hospital", "Asks"],
    ["J0585", "2020-07-01", "office", "DoesNotAsk"],
    ["15823", "2026-01-15", undefined, "Unsure"],
    ["67911", "2022-01-06", "outpatient_hospital", "Asks"],
    ["67911", "2022-01-07", "outpatient_hospital", "NotInForce"],
    ["22551", "2021-06-30", "outpatient_hospital", "NotInForce"],
    ["63650", "2021-07-01", "outpatient_hospital", "Asks"],
    ["64493", "2023-06-30", "outpatient_hospital", "NotInForce"],
    ["64493", "2023-07-01", "outpatient_hospital", "Asks"],
    ["64493", "2023-07-01", "asc", "DoesNotAsk"]
  ])("42 CFR 419.83: %s on %s at %s: %s", (code, date, site, expected) => {
    expect(judged(code, date, site === undefined ? {} : { site })).toBe(expected)
  })

  it("42 CFR 419.83: the removed spinal neurostimulator codes are not asked for", () => {
    expect([federalRulesFor("63685"), federalRulesFor("63688")]).toEqual([[], []])
  })
})

const shared = fileURLToPath(new URL("../../../shared/data/derived/dmepos_pa_rules.json", import.meta.url))

interface SharedRule {
  readonly group: string
  readonly codes: ReadonlyArray<string>
  readonly effective_date?: string
  readonly end_date?: string | null
  readonly suspended_from?: string
  readonly states: "ALL" | ReadonlyArray<string>
}

/**
 * The facts say that L1833 was asked for everywhere from its first day; 87 FR 2051 phases it in by state like
 * the other orthoses of that notice, so only its first states are compared on that day.
 */
const firstStatesOf: Readonly<Record<string, ReadonlyArray<string>>> = { L1833: ["CA", "FL", "IL", "NY"] }

describe.runIf(existsSync(shared))("the shared facts about prior authorization (../shared/data)", () => {
  const facts: {
    readonly rules: ReadonlyArray<SharedRule>
    readonly opd: { readonly categories: ReadonlyArray<{ readonly effective_date: string }> }
  } = existsSync(shared) ? JSON.parse(readFileSync(shared, "utf8")) : { rules: [], opd: { categories: [] } }

  it("are what the rules say of every code, state and edge", () => {
    for (const fact of facts.rules) {
      for (const code of fact.codes) {
        const states = fact.states === "ALL" ? (firstStatesOf[code] ?? Object.keys(stateNames)) : fact.states
        const expected = (date: string) =>
          states.map((state) => [code, date, state, judgedIn(code, date, state)])
        const all = (date: string, tag: string) => states.map((state) => [code, date, state, tag])
        if (fact.effective_date !== undefined)
          expect(expected(fact.effective_date)).toEqual(all(fact.effective_date, "Asks"))
        if (fact.suspended_from !== undefined)
          expect(expected(fact.suspended_from)).toEqual(all(fact.suspended_from, "DoesNotAsk"))
        if (typeof fact.end_date === "string")
          expect(expected(fact.end_date)).toEqual(all(fact.end_date, "Asks"))
      }
    }
  })

  it("name the same first days of the outpatient categories", () => {
    const ours = new Set(
      federalRules.filter((rule) => rule.program === "OPD").map(({ effectiveDate }) => `${effectiveDate}`)
    )
    expect(new Set(facts.opd.categories.map((one) => one.effective_date))).toEqual(ours)
  })
})

const judgedIn = (code: string, date: string, state: string): string => judged(code, date, { state })

describe("a site of service (contract §2)", () => {
  it.each([
    ["Outpatient Hospital", "outpatient_hospital"],
    ["POS 22", "outpatient_hospital"],
    ["19", "outpatient_hospital"],
    ["HOPD", "outpatient_hospital"],
    ["11", "office"],
    ["ambulatory-surgical-center", "asc"],
    ["hospital", undefined],
    ["somewhere", undefined]
  ])("%s is %s", (text, site) => {
    expect(canonicalSite(text)).toBe(site)
  })
})
