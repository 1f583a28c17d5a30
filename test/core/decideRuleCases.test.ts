import { describe, it } from "vitest"
import { medicare } from "../../core/coverage/Payer.ts"
import { acmes, apnea, article, comesOut, plan, ruled, supports } from "./decideDocuments.ts"
import type { Situation } from "./decideDocuments.ts"
import { acme, block } from "./decideSituations.ts"

/** One row a situation, in a coverage analyst's words. */
const situations: Readonly<Record<string, Situation>> = {
  "an age that the policy excludes": {
    policies: [ruled(block({ op: "age", min: 18 }))],
    asked: { ageCategory: "pediatric" },
    status: "not_covered",
    confidence: "high",
    rule: "criteria.violated"
  },
  "an age that the policy asks for and nobody gave": {
    policies: [ruled(block({ op: "age", min: 18 }))],
    status: "conditional",
    confidence: "medium",
    gaps: ["age_category"],
    rule: "criteria.unknown"
  },
  "all conditions of a policy without narrative are met": {
    policies: [
      ruled(block({ op: "age", min: 18 }), block({ op: "site", any_of: ["home"] }, { blockId: "b2" }))
    ],
    asked: { ageCategory: "adult", siteOfService: "home" },
    status: "covered",
    confidence: "high",
    rule: "criteria.met"
  },
  "its conditions are met, and narrative remains": {
    policies: [ruled(block({ op: "age", min: 18 }), block(null, { blockId: "b2" }))],
    asked: { ageCategory: "adult" },
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "policy.text_alone"
  },
  "sex, site, modifier and specialty are missing": {
    policies: [
      ruled(
        block({
          op: "all",
          criteria: [
            { op: "sex", any_of: ["female"] },
            { op: "site", any_of: ["home"] },
            { op: "modifier", any_of: ["KX"] },
            { op: "specialty", any_of: ["cardiology"] }
          ]
        })
      )
    ],
    status: "conditional",
    confidence: "low",
    gaps: ["modifiers", "provider_specialty", "sex_when_policy_relevant", "site_of_service"],
    rule: "criteria.unknown"
  },
  "the LCD's age and its article's diagnosis both count": {
    policies: [ruled(block({ op: "age", min: 18 })), article(supports(["G4733"]))],
    asked: { ...apnea, ageCategory: "pediatric" },
    status: "not_covered",
    confidence: "high",
    rule: "criteria.violated"
  },
  "a limit of frequency is left to a person and changes nothing": {
    policies: [
      ruled(block({ op: "within", count: 1, days: 1825 }, { section: "frequency" })),
      article(supports(["G4733"]))
    ],
    asked: apnea,
    status: "covered",
    confidence: "high",
    review: true,
    rule: "criteria.frequency"
  },
  "a limit of frequency alone covers nothing": {
    policies: [ruled(block({ op: "within", count: 1, days: 1825 }, { section: "frequency" }))],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "criteria.frequency"
  },
  "a payer states that it covers": {
    policies: [plan("covered")],
    asked: acmes,
    status: "covered",
    confidence: "high",
    rule: "policy.disposition"
  },
  "a payer covers once it is authorized": {
    policies: [plan("requires_pa")],
    asked: acmes,
    status: "conditional",
    confidence: "high",
    review: true,
    rule: "policy.disposition"
  },
  "a payer's policy for another line of business": {
    policies: [plan("covered", "medicaid")],
    asked: acmes,
    status: "unknown",
    confidence: "low",
    rule: "combine.no_policy"
  },
  "Medicare's policies say nothing of another payer": {
    policies: [article(supports(["G4733"]))],
    asked: { ...apnea, ...acmes },
    status: "unknown",
    confidence: "low",
    rule: "combine.no_policy"
  },
  "a payer's policies say nothing of Medicare": {
    policies: [plan("covered")],
    asked: { scope: { _tag: "Payer", payer: medicare, lineOfBusiness: null } },
    status: "unknown",
    confidence: "low",
    rule: "combine.no_policy"
  },
  "Medicare Advantage stands on Medicare's floor": {
    policies: [article(supports(["G4733"])), plan("covered", "Medicare Advantage")],
    asked: { ...apnea, scope: { _tag: "MedicareAdvantage", payer: acme } },
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "a payer whom nobody knows": {
    policies: [article(supports(["G4733"])), plan("covered")],
    asked: { ...apnea, scope: { _tag: "Unknown" } },
    status: "unknown",
    confidence: "low",
    gaps: ["payer"],
    rule: "combine.no_policy"
  }
}

describe("coverage-domain §2.1: conditions and payers", () => {
  it.each(Object.entries(situations))("%s", (_, situation) => comesOut(situation))
})
