import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Criterion } from "../../core/coverage/Criterion.ts"
import type { RuleInputs, Truth } from "../../core/coverage/decide/criteria.ts"
import { judge, missingInput } from "../../core/coverage/decide/criteria.ts"
import { criteria, queries, queryOf } from "./decideSituations.ts"

/** Whatever the caller might have meant by what was left out. */
const nothing: RuleInputs = queryOf({ procedureCodes: ["E0601"] })

const table: ReadonlyArray<readonly [string, Criterion, Partial<RuleInputs>, Truth]> = [
  ["an age band within the rule", { op: "age", min: 18 }, { ageCategory: "adult" }, true],
  ["Medicare's age within a rule of 65", { op: "age", min: 65 }, { ageCategory: "medicare_age" }, true],
  ["a band that ends where the rule does", { op: "age", max: 17 }, { ageCategory: "pediatric" }, true],
  ["a band apart from the rule", { op: "age", min: 18 }, { ageCategory: "pediatric" }, false],
  ["a band that begins after the rule", { op: "age", max: 64 }, { ageCategory: "medicare_age" }, false],
  ["a band that overlaps the rule", { op: "age", min: 21 }, { ageCategory: "adult" }, "unknown"],
  [
    "a band whose last year is the rule's first",
    { op: "age", min: 17 },
    { ageCategory: "pediatric" },
    "unknown"
  ],
  [
    "a band whose first year is the rule's last",
    { op: "age", max: 65 },
    { ageCategory: "medicare_age" },
    "unknown"
  ],
  ["no age at all", { op: "age", min: 18 }, {}, "unknown"],
  ["the sex of the rule", { op: "sex", any_of: ["female"] }, { sex: "female" }, true],
  ["another sex", { op: "sex", any_of: ["female"] }, { sex: "male" }, false],
  ["a sex that is unknown", { op: "sex", any_of: ["female"] }, { sex: "unknown" }, "unknown"],
  ["a sex that is neither", { op: "sex", any_of: ["female"] }, { sex: "other" }, "unknown"],
  ["a site by CMS's number", { op: "site", any_of: ["home"] }, { siteOfService: "12" }, true],
  ["another site", { op: "site", any_of: ["home"] }, { siteOfService: "office" }, false],
  ["a site we do not know", { op: "site", any_of: ["home"] }, { siteOfService: "a barn" }, "unknown"],
  ["a modifier among others", { op: "modifier", any_of: ["KX"] }, { modifiers: ["GA", "KX"] }, true],
  ["other modifiers only", { op: "modifier", any_of: ["KX"] }, { modifiers: ["GA"] }, false],
  ["no modifier", { op: "modifier", any_of: ["KX"] }, {}, "unknown"],
  [
    "a specialty in another case",
    { op: "specialty", any_of: ["cardiology"] },
    { providerSpecialty: "Cardiology " },
    true
  ],
  [
    "a diagnosis with a dot in the rule",
    { op: "has_code", system: "ICD10CM", any_of: ["E11.65"] },
    { diagnosisCodes: ["E1165"] },
    true
  ],
  [
    "another diagnosis",
    { op: "has_code", system: "ICD10CM", any_of: ["E1165"] },
    { diagnosisCodes: ["I10"] },
    false
  ],
  ["no diagnosis", { op: "has_code", system: "ICD10CM", any_of: ["E1165"] }, {}, "unknown"],
  [
    "the header of a listed diagnosis",
    { op: "has_code", system: "ICD10CM", any_of: ["M5450"] },
    { diagnosisCodes: ["M54"] },
    "unknown"
  ],
  [
    "that no header of a listed diagnosis is the diagnosis",
    { op: "not", criterion: { op: "has_code", system: "ICD10CM", any_of: ["M54.50"] } },
    { diagnosisCodes: ["I10", "M545"] },
    "unknown"
  ],
  [
    "a header beside the listed diagnosis itself",
    { op: "has_code", system: "ICD10CM", any_of: ["M5450", "M5451"] },
    { diagnosisCodes: ["M545", "M5451"] },
    true
  ],
  [
    "a neighbour of a listed diagnosis",
    { op: "has_code", system: "ICD10CM", any_of: ["M5450"] },
    { diagnosisCodes: ["M5459"] },
    false
  ],
  ["a procedure of the claim", { op: "has_code", system: "HCPCS", any_of: ["E0601"] }, {}, true],
  ["codes of a system nobody gives", { op: "has_code", system: "NDC", any_of: ["1"] }, {}, "unknown"],
  ["a history", { op: "within", count: 1, days: 365 }, {}, "unknown"],
  ["a measurement", { op: "cmp", param: "ahi", comparison: "ge", value: 15 }, {}, "unknown"],
  [
    "a word that was given",
    { op: "cmp", param: "site_of_service", comparison: "in", value: ["home", "office"] },
    { siteOfService: "Home" },
    true
  ],
  ["all of nothing", { op: "all", criteria: [] }, {}, true],
  ["any of nothing", { op: "any", criteria: [] }, {}, false]
]

describe("coverage-domain §2: conditions have three values", () => {
  it.each(table)("%s", (_, criterion, given, truth) => {
    expect(judge(criterion, { ...nothing, ...given })).toBe(truth)
  })

  const three: ReadonlyArray<readonly [Truth, Criterion]> = [
    [true, { op: "age", min: 0 }],
    [false, { op: "age", min: 18 }],
    ["unknown", { op: "within", count: 1, days: 1 }]
  ]
  const child = queryOf({ ageCategory: "pediatric" })
  it.each(three.flatMap((a) => three.map((b) => [a, b] as const)))("Kleene's tables: %j and %j", (a, b) => {
    const criteria = [a[1], b[1]]
    const both = a[0] === false || b[0] === false ? false : a[0] === true && b[0] === true ? true : "unknown"
    const either =
      a[0] === true || b[0] === true ? true : a[0] === false && b[0] === false ? false : "unknown"
    expect(judge({ op: "all", criteria }, child)).toBe(both)
    expect(judge({ op: "any", criteria }, child)).toBe(either)
    const negated = a[0] === "unknown" ? "unknown" : !a[0]
    expect(judge({ op: "not", criterion: a[1] }, child)).toBe(negated)
  })

  it("saying more never turns a truth into its contrary", () => {
    fc.assert(
      fc.property(criteria, queries, (criterion, query) => {
        const before = judge(criterion, { ...nothing, procedureCodes: query.procedureCodes })
        if (before === "unknown") return
        expect(judge(criterion, query)).toBe(before)
      }),
      { numRuns: 500 }
    )
  })

  it("a header waits for the diagnosis, and a rule about procedures for the procedure", () => {
    const listed: Criterion = { op: "has_code", system: "ICD10CM", any_of: ["M5450"] }
    const none: Criterion = { op: "not", criterion: listed }
    for (const criterion of [listed, none]) {
      expect(missingInput(criterion, queryOf({ diagnosisCodes: ["M545"] })).gaps).toEqual(["diagnosis_codes"])
    }
    const device: Criterion = { op: "has_code", system: "HCPCS", any_of: ["E0601"] }
    expect(missingInput(device, queryOf({ procedureCodes: [] })).gaps).toEqual(["procedure_code"])
  })

  it("de Morgan holds", () => {
    fc.assert(
      fc.property(fc.array(criteria, { maxLength: 3 }), queries, (parts, query) => {
        const not = (criterion: Criterion): Criterion => ({ op: "not", criterion })
        expect(judge(not({ op: "all", criteria: parts }), query)).toBe(
          judge({ op: "any", criteria: parts.map(not) }, query)
        )
      })
    )
  })

  it("what is unknown says what it waits for, and what is known waits for nothing", () => {
    fc.assert(
      fc.property(criteria, queries, (criterion, query) => {
        const { gaps, unsayable } = missingInput(criterion, query)
        expect(gaps.length > 0 || unsayable).toBe(judge(criterion, query) === "unknown")
      }),
      { numRuns: 500 }
    )
  })
})
