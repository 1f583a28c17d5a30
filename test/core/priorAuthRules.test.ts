import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { stateNames } from "../../core/coverage/stateNames.ts"
import { canonicalSite } from "../../core/coverage/site.ts"
import { decidePriorAuth } from "../../core/coverage/priorAuth/priorAuth.ts"
import { judge } from "../../core/coverage/priorAuth/judge.ts"
import type { CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { coverageQueryOf, decidedCode, inState } from "../kit/coverageQueryOf.ts"
import { day } from "../kit/library.ts"
import { everyListedCode, listedFacts, shippedPriorAuth } from "../kit/shippedRules.ts"

const facts = listedFacts()

const queryOn = (
  date: string,
  given: { readonly state?: string | undefined; readonly site?: string | undefined } = {}
): CoverageQuery =>
  coverageQueryOf({
    dateOfService: day(date),
    place: given.state === undefined ? null : inState(given.state),
    siteOfService: given.site ?? null
  })

/** What all lists together state about a code that is asked about alone. */
const required = (code: string, query: CoverageQuery): boolean | null =>
  decidePriorAuth(decidedCode(code, "conditional"), { ...query, procedureCodes: [code] }, facts).required

const hospital = "outpatient_hospital"

describe("the shipped prior authorization lists (coverage-domain §2.1, rule 11)", () => {
  it("have one step in the trace for each program, which states what applies", () => {
    for (const [state, site] of [
      ["TX", "office"],
      ["TX", hospital],
      ["OH", "home"],
      [undefined, undefined]
    ]) {
      for (const code of everyListedCode) {
        const query = queryOn("2026-06-01", { state, site })
        const { trace } = decidePriorAuth(decidedCode(code, "conditional"), query, facts)
        const programs = trace.map((step) => step.rule)
        expect([code, state, site, new Set(programs).size]).toEqual([code, state, site, programs.length])
      }
    }
  })

  it("are one a program, by that name, of a day in the past, with a checklist for every code", () => {
    expect(shippedPriorAuth.map((list) => list.program)).toEqual(["ASC", "DMEPOS", "OPD", "RSNAT", "WISeR"])
    for (const { listAsOf, program } of shippedPriorAuth)
      expect([program, listAsOf >= "2026-04-01" && listAsOf <= "2026-11-22"]).toEqual([program, true])
    for (const rule of facts.priorAuthRules) {
      expect([rule.ruleId, rule.documentation.length > 2]).toEqual([rule.ruleId, true])
      const hasGroups = ["ASC", "DMEPOS", "OPD"].includes(rule.program)
      expect([rule.ruleId, !hasGroups || rule.category !== rule.program]).toEqual([rule.ruleId, true])
    }
  })

  it("never ask by two rows of one list for one code in one state on one day", () => {
    const rules = facts.priorAuthRules
    const edges = new Set(rules.flatMap((rule) => [rule.effectiveDate, ...(rule.endDate ?? [])]))
    for (const program of shippedPriorAuth.map((list) => list.program))
      for (const code of everyListedCode) {
        const own = rules.filter((rule) => rule.program === program && rule.codes.includes(code))
        for (const date of own.length > 1 ? edges : [])
          for (const state of ["CA", "TX", "OH"]) {
            const query = queryOn(date, { state, site: program === "ASC" ? "asc" : hospital })
            const asking = own.filter((rule) => judge(rule, query)._tag === "Asks")
            expect([program, code, date, state, asking.length < 2]).toEqual([
              program,
              code,
              date,
              state,
              true
            ])
          }
      }
  })

  it.each([
    ...["K0800", "K0801", "K0802", "K0806", "K0807", "K0808"].map((code) => [code, "2022-04-13"] as const),
    ...["E0651", "E0652", "L0651", "L1844", "L1846", "L1852", "L1932"].map(
      (code) => [code, "2026-04-13"] as const
    )
  ])("%s is required everywhere from %s, and not the day before", (code, first) => {
    const before = `${first.slice(0, 8)}12`
    expect([required(code, queryOn(before)), required(code, queryOn(first))]).toEqual([false, true])
    expect(required(code, queryOn("2026-11-22", { state: "TX" }))).toBe(true)
  })

  it.each([
    ["E0193", "2019-07-21", "CA", false],
    ["E0193", "2019-07-22", "CA", true],
    ["E0193", "2019-07-22", "TX", false],
    ["E0193", "2019-07-22", undefined, null],
    ["E0193", "2019-10-20", "TX", false],
    ["E0193", "2019-10-21", "TX", true],
    ["E0193", "2019-10-21", undefined, true],
    ["K0856", "2017-03-20", "WV", true],
    ["K0856", "2017-07-16", "TX", false],
    ["K0856", "2017-07-17", "TX", true],
    ["K0857", "2019-07-21", "TX", false],
    ["K0857", "2019-07-22", "TX", true],
    ["L5973", "2020-09-01", "MI", true],
    ["L5973", "2020-09-01", "OH", false],
    ["E0747", "2024-08-11", "CA", false],
    ["E0747", "2024-08-27", "CA", true],
    ["E0747", "2024-08-27", "TX", false],
    ["E0747", "2024-08-28", "CA", false],
    ["E0760", "2026-01-15", undefined, false],
    ["L1833", "2024-08-11", "TX", true],
    ["L1833", "2024-08-12", "TX", false],
    ["L1951", "2024-08-11", "TX", false],
    ["L1951", "2024-08-12", "TX", true],
    ["L0648", "2022-07-11", "TX", false],
    ["L0648", "2022-07-12", "TX", true],
    ["K0001", "2026-04-13", "TX", false]
  ])("42 CFR 414.234: %s on %s in %s: %s", (code, date, state, expected) => {
    expect(required(code, queryOn(date, { state }))).toBe(expected)
  })

  it.each([
    ["64615", "2020-06-30", hospital, false],
    ["64615", "2020-07-01", hospital, null],
    ["J0585", "2020-07-01", "office", false],
    ["64490", "2026-01-15", undefined, null],
    ["67911", "2022-01-06", hospital, true],
    ["67911", "2022-01-07", hospital, false],
    ["22551", "2021-06-30", hospital, false],
    ["63650", "2021-07-01", hospital, true],
    ["63685", "2021-07-01", hospital, false],
    ["64493", "2023-06-30", hospital, false],
    ["64493", "2023-07-01", hospital, true],
    ["64493", "2023-07-01", "asc", false],
    ["64495", "2024-08-04", hospital, true],
    ["64495", "2024-08-05", hospital, false]
  ])("42 CFR 419.83: %s on %s at %s: %s", (code, date, site, expected) => {
    expect(required(code, queryOn(date, { site, state: "TX" }))).toBe(expected)
  })

  it.each([
    ["A0428", "2014-12-14", "NJ", false],
    ["A0428", "2014-12-15", "NJ", true],
    ["A0428", "2016-01-01", "MD", true],
    ["A0426", "2021-11-30", "TX", false],
    ["A0426", "2021-12-01", "TX", true],
    ["A0426", "2022-07-31", "OH", false],
    ["A0426", "2022-07-31", undefined, null],
    ["A0426", "2022-08-01", "OH", true],
    ["A0428", "2026-11-22", undefined, true],
    ["A0427", "2026-11-22", "TX", false]
  ])("86 FR 48149: %s on %s in %s: %s", (code, date, state, expected) => {
    expect(required(code, queryOn(date, { state }))).toBe(expected)
  })

  it.each([
    ["64568", "2026-01-14", "TX", hospital, false],
    ["64568", "2026-01-15", "TX", hospital, true],
    ["64568", "2026-01-15", "OH", "office", true],
    ["64568", "2026-01-15", "CA", hospital, false],
    ["64568", "2026-01-15", undefined, hospital, null],
    ["64568", "2026-01-15", "TX", undefined, null],
    ["64568", "2026-01-15", "TX", "inpatient", false],
    ["15275", "2026-01-15", "OK", "home", true],
    ["15275", "2026-01-15", "AZ", "home", false],
    ["22551", "2026-01-15", "TX", hospital, true]
  ])("90 FR 28749: %s on %s in %s at %s: %s", (code, date, state, site, expected) => {
    expect(required(code, queryOn(date, { state, site }))).toBe(expected)
  })

  it.each([
    ["2026-01-18", "CA", "asc", false],
    ["2026-01-19", "CA", "asc", true],
    ["2026-01-19", "TX", "asc", false],
    ["2026-02-16", "TX", "asc", true],
    ["2026-02-16", "NJ", "asc", false],
    ["2026-02-16", "TX", "office", false],
    ["2026-02-16", "TX", hospital, true]
  ])("the demonstration for surgical centers: 15823 on %s in %s at %s: %s", (date, state, site, expected) => {
    expect(required("15823", queryOn(date, { state, site }))).toBe(expected)
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
  const known: {
    readonly rules: ReadonlyArray<SharedRule>
    readonly opd: { readonly categories: ReadonlyArray<{ readonly effective_date: string }> }
  } = existsSync(shared) ? JSON.parse(readFileSync(shared, "utf8")) : { rules: [], opd: { categories: [] } }

  it("are what the lists say of every code, state and edge", () => {
    for (const fact of known.rules) {
      for (const code of fact.codes) {
        const states = fact.states === "ALL" ? (firstStatesOf[code] ?? Object.keys(stateNames)) : fact.states
        const seen = (date: string) =>
          states.map((state) => [code, date, state, required(code, queryOn(date, { state }))])
        const all = (date: string, expected: boolean) => states.map((state) => [code, date, state, expected])
        if (fact.effective_date !== undefined)
          expect(seen(fact.effective_date)).toEqual(all(fact.effective_date, true))
        if (fact.suspended_from !== undefined)
          expect(seen(fact.suspended_from)).toEqual(all(fact.suspended_from, false))
        if (typeof fact.end_date === "string") expect(seen(fact.end_date)).toEqual(all(fact.end_date, true))
      }
    }
  })

  it("name the same first days of the outpatient categories", () => {
    const ours = shippedPriorAuth.find((list) => list.program === "OPD")?.rows.map((row) => row.effectiveDate)
    expect(new Set(known.opd.categories.map((one) => one.effective_date))).toEqual(new Set(ours))
  })
})

describe("a site of service (contract §2)", () => {
  it.each([
    ["Outpatient Hospital", hospital],
    ["POS 22", hospital],
    ["19", hospital],
    ["HOPD", hospital],
    ["11", "office"],
    ["ambulatory-surgical-center", "asc"],
    ["hospital", undefined],
    ["somewhere", undefined]
  ])("%s is %s", (text, site) => {
    expect(canonicalSite(text)).toBe(site)
  })
})
