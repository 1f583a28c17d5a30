import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CoverageDecision, CoverageFacts, CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { readingOn } from "../../core/coverage/reading.ts"
import { day, id } from "../kit/library.ts"
import {
  acme,
  block,
  diagnosisCodes,
  facts,
  factsOf,
  group,
  queries,
  queryOf,
  versionOf
} from "./decideSituations.ts"

const holds = (law: (found: CoverageFacts, query: CoverageQuery) => void): void =>
  fc.assert(fc.property(facts, queries, law), { numRuns: 400 })

/** A decision without the documents themselves, whose own order of groups is their source's. */
const plain = (decision: CoverageDecision) => ({
  ...decision,
  policies: idsOf(decision.policies),
  codes: decision.codes.map((code) => ({ ...code, policies: idsOf(code.policies) }))
})
const idsOf = (policies: ReadonlyArray<PolicyVersion>) => policies.map((one) => one.policy.policyId)

const statusOf = (decision: CoverageDecision, code: string) =>
  decision.codes.find((one) => one.code === code)?.status

const turned = (policy: PolicyVersion): PolicyVersion => ({
  ...policy,
  related: policy.related.toReversed(),
  contractors: policy.contractors.toReversed(),
  states: policy.states.toReversed(),
  codeGroups: policy.codeGroups.map((one) => ({ ...one, codes: one.codes.toReversed() })).toReversed()
})

describe("coverage-domain §5: laws of a decision", () => {
  it("the order of policies, codes and inputs never shows", () => {
    fc.assert(
      fc.property(
        facts.chain((found) =>
          fc.record({
            found: fc.constant(found),
            shuffled: fc.shuffledSubarray([...found.policies], { minLength: found.policies.length })
          })
        ),
        queries,
        ({ found, shuffled }, query) => {
          const other = decide(
            { ...found, policies: shuffled.map(turned), codes: found.codes.toReversed() },
            {
              ...query,
              procedureCodes: query.procedureCodes.toReversed(),
              diagnosisCodes: query.diagnosisCodes.toReversed(),
              modifiers: query.modifiers.toReversed()
            }
          )
          expect(plain(other)).toEqual(plain(decide(found, query)))
        }
      ),
      { numRuns: 400 }
    )
  })

  it("nor does that of two groups which share a number", () => {
    const policy = versionOf({
      policyId: "L10001",
      codeGroups: [
        group("procedure", ["K0001", "97810"], { group: 2 }),
        group("procedure", ["97810"], { group: 1 }),
        group("dx_noncovered", ["G4733"], { group: 3 }),
        group("dx_covered", [], { group: 3 })
      ]
    })
    const query = queryOf({ procedureCodes: ["K0001"], diagnosisCodes: ["G4733"], place: null })
    const other = plain(decide(factsOf(turned(policy)), query))
    expect(other).toEqual(plain(decide(factsOf(policy), query)))
    expect(JSON.stringify(other)).toContain("article.dx_noncovered")
  })

  const everything = [group("procedure", ["E0601", "K0001"], { disposition: "not_covered" })]
  const unrelated: ReadonlyArray<readonly [string, PolicyVersion]> = [
    ["lists another code", versionOf({ policyId: "L90001", codeGroups: [group("procedure", ["L1832"])] })],
    [
      "is about another place",
      versionOf({
        policyId: "L90002",
        states: ["AK"],
        contractors: [{ contractorNumber: "02102", name: "Noridian", jurisdictionCode: "JF" }],
        codeGroups: everything
      })
    ],
    [
      "is WPS's national number's alone",
      versionOf({
        policyId: "L90003",
        states: [],
        contractors: [{ contractorNumber: "05901", name: "WPS", jurisdictionCode: "JH" }],
        codeGroups: everything
      })
    ],
    ["is another payer's", versionOf({ policyId: "other-1", payerCode: "other", codeGroups: everything })],
    ["is proposed", versionOf({ policyId: "DL90004", status: "proposed", codeGroups: everything })],
    ["is an NCD that nothing leads to", versionOf({ policyId: "NCD 99.9", coverageLevel: 3 })]
  ]
  it.each(unrelated)("a policy that %s changes nothing", (_, policy) => {
    holds((found, given) => {
      const query = { ...given, place: given.place ?? { jurisdictions: [], states: ["TX"] } }
      const more = { ...found, policies: [...found.policies, policy] }
      expect(decide(more, query)).toEqual(decide(found, query))
    })
  })

  it("an NCD that lists the code and refuses it dominates whatever else there is", () => {
    const refusal = versionOf({
      policyId: "NCD 99.1",
      coverageLevel: 3,
      codeGroups: [group("procedure", ["E0601"])]
    })
    const medicares = queries.filter(({ scope }) => scope._tag.startsWith("Medicare"))
    fc.assert(
      fc.property(facts, medicares, (found, given) => {
        const query = { ...given, procedureCodes: ["E0601"] }
        const decision = decide({ ...found, policies: [...found.policies, refusal] }, query)
        expect(decision.status).toBe("not_covered")
      })
    )
  })

  it("no policy is unknown, never a refusal", () => {
    holds((found, query) => {
      const decision = decide({ ...found, policies: [] }, query)
      expect(decision.codes.map((one) => one.status)).toEqual(query.procedureCodes.map(() => "unknown"))
      expect([decision.status, decision.confidence]).toEqual(["unknown", "low"])
      expect(decision.codes.every((one) => one.policies.length === 0 && one.reasons.length === 1)).toBe(true)
    })
  })

  it("a code that no policy lists is unknown, and every known one has a policy", () => {
    holds((found, query) => {
      for (const one of decide(found, query).codes) {
        if (one.policies.length === 0) expect(one.status).toBe("unknown")
        if (one.status !== "unknown") expect(one.policies.length).toBeGreaterThan(0)
      }
    })
  })

  it("before the first effective date of every policy it is unknown", () => {
    const dates = fc.constantFrom("2020-01-01", "2020-01-02", "2021-07-01", "2024-12-31").map(day)
    fc.assert(
      fc.property(fc.array(dates, { minLength: 1, maxLength: 4 }), dates, (starts, on) => {
        const versions = starts.map((effectiveDate, index) =>
          versionOf({
            policyId: "L10001",
            version: index + 1,
            effectiveDate,
            codeGroups: [group("procedure", ["E0601"], { disposition: "covered" })]
          })
        )
        const reading = readingOn(versions, on)
        const inForce = reading?.status === "active" ? [reading.version] : []
        const { status } = decide(factsOf(...inForce), queryOf({ dateOfService: on }))
        expect(status).toBe(starts.some((start) => start <= on) ? "covered" : "unknown")
      })
    )
  })

  it("it is conditional only where a condition is left, a gap is named or policies conflict", () => {
    holds((found, query) => {
      for (const one of decide(found, query).codes) {
        if (one.status === "conditional") {
          const open = one.conditions.length + one.knownGaps.length + one.issues.length
          expect(open, one.reasons.join(" ")).toBeGreaterThan(0)
        }
      }
    })
  })

  it("L1: it is covered only where no condition is left and the diagnosis does not stand against it", () => {
    holds((found, query) => {
      for (const one of decide(found, query).codes) {
        if (one.status !== "covered") continue
        expect(one.conditions).toEqual([])
        expect(one.diagnosisSupport).not.toBe("not_supported")
      }
    })
  })

  it("rule 12: confidence is high or medium only without a gap, and low without an answer", () => {
    holds((found, query) => {
      for (const one of decide(found, query).codes) {
        const gaps = one.knownGaps.filter((gap) => gap !== "payer").length
        if (one.status === "unknown" || gaps > 0) expect(one.confidence).toBe("low")
        else if (one.status !== "conditional") expect(one.confidence).not.toBe("low")
        if (one.confidence === "high") expect(one.status).not.toBe("conditional")
      }
    })
  })

  it("the whole is the worst of its codes, and sure as its least sure", () => {
    holds((found, query) => {
      const decision = decide(found, query)
      expect(decision.codes.map((one) => one.status)).toContain(decision.status)
      const worst = ["not_covered", "conditional", "unknown", "covered"] as const
      expect(decision.status).toBe(
        worst.find((status) => decision.codes.some((one) => one.status === status))
      )
      expect(decision.confidence).toBe(
        (["low", "medium", "high"] as const).find((level) =>
          decision.codes.some((one) => one.confidence === level)
        )
      )
    })
  })

  it("each code is decided by itself, unless a condition asks for the others", () => {
    holds((found, query) => {
      const alone = decide(found, { ...query, procedureCodes: ["E0601"] }).codes[0]
      const both = decide(found, { ...query, procedureCodes: ["K0001", "E0601"] }).codes[0]
      expect(both).toEqual(alone)
    })
  })

  it("rule 13: every reason is a step of the trace, and every step of a policy cites its source", () => {
    holds((found, query) => {
      for (const one of decide(found, query).codes) {
        const results = new Set(one.trace.map((step) => step.result))
        expect(one.reasons.filter((reason) => !results.has(reason))).toEqual([])
        expect(one.reasons.length).toBeGreaterThan(0)
        expect(one.trace.every((step) => step.policyId === null || step.sourceUrl !== null)).toBe(true)
        const known = new Set<string>(idsOf(one.policies))
        const strangers = one.trace.filter((step) => step.policyId !== null && !known.has(step.policyId))
        expect(strangers).toEqual([])
      }
    })
  })

  it("one supporting diagnosis suffices: another never takes coverage away", () => {
    const article = fc.array(fc.subarray([...diagnosisCodes]), { minLength: 1, maxLength: 2 }).map((lists) =>
      versionOf({
        policyId: "A50001",
        codeGroups: [
          group("procedure", ["E0601"]),
          ...lists.map((codes, index) => group("dx_covered", codes, { group: index + 1, scope: "all" })),
          group("dx_noncovered", ["I10", "Z9999"])
        ]
      })
    )
    fc.assert(
      fc.property(
        article,
        fc.subarray([...diagnosisCodes]),
        fc.subarray([...diagnosisCodes, "Z9999"]),
        (policy, some, more) => {
          const before = statusOf(decide(factsOf(policy), queryOf({ diagnosisCodes: some })), "E0601")
          const all = [...new Set([...some, ...more])]
          const after = statusOf(decide(factsOf(policy), queryOf({ diagnosisCodes: all })), "E0601")
          if (before === "covered") expect(after).toBe("covered")
        }
      )
    )
  })

  it("a plan's own policies never weaken Medicare's full coverage to a refusal (42 CFR 422.101)", () => {
    const ncd = versionOf({
      policyId: "NCD 99.2",
      coverageLevel: 1,
      criteria: [block(null, { text: "This item is covered under Medicare." })],
      codeGroups: [group("procedure", ["E0601"])]
    })
    const plan = versionOf({
      policyId: "acme-9",
      payerCode: "acme",
      related: [{ policyId: id("NCD 99.2"), policyType: "NCD" }],
      codeGroups: [group("procedure", ["E0601"], { disposition: "not_covered" })]
    })
    const query = queryOf({ scope: { _tag: "MedicareAdvantage", payer: acme } })
    const decision = decide(factsOf(ncd, plan), query)
    expect([decision.status, decision.requiresManualReview]).toEqual(["conditional", true])
    expect(decision.issues[0]).toMatch(/^plan_conflicts_with_medicare_floor: /)
  })
})
