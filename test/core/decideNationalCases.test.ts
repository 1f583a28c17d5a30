import { describe, expect, it } from "vitest"
import { decide } from "../../core/coverage/decide/decide.ts"
import {
  apnea,
  article,
  california,
  citing,
  comesOut,
  device,
  from,
  lcd,
  ncd,
  supports
} from "./decideDocuments.ts"
import type { Situation } from "./decideDocuments.ts"
import { factsOf, queryOf, versionOf } from "./decideSituations.ts"

/** One row a situation, in a coverage analyst's words. */
const situations: Readonly<Record<string, Situation>> = {
  "an NCD that lists the code covers it fully": {
    policies: [ncd(1, [device])],
    status: "covered",
    confidence: "high",
    rule: "ncd.level"
  },
  "an NCD that lists the code covers it under conditions": {
    policies: [ncd(2, [device])],
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.level"
  },
  "an NCD that lists the code refuses it, whatever the article says": {
    policies: [ncd(3, [device]), article(supports(["G4733"]))],
    asked: apnea,
    status: "not_covered",
    confidence: "high",
    rule: "combine.ncd_not_covered"
  },
  "an NCD of the undefined level 4": {
    policies: [ncd(4, [device])],
    status: "unknown",
    confidence: "low",
    rule: "ncd.level"
  },
  "an NCD of the undefined level 4 leaves the local answer": {
    policies: [ncd(4, [device]), article(supports(["G4733"]))],
    asked: apnea,
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "an NCD that an LCD cites makes nothing stronger than conditional": {
    policies: [ncd(1), citing],
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.related"
  },
  "an NCD that an LCD cites refuses nothing by that": {
    policies: [ncd(3), citing],
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.related"
  },
  "a cited NCD keeps a local coverage at conditional": {
    policies: [ncd(2), citing, article(supports(["G4733"]))],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.level"
  },
  "a local refusal stands beside a cited NCD of conditions": {
    policies: [ncd(2), citing, article(supports(["G4733"]))],
    asked: { diagnosisCodes: ["I10"] },
    status: "not_covered",
    confidence: "high",
    rule: "article.dx_not_listed"
  },
  "a local refusal against a national full coverage": {
    policies: [ncd(1, [device]), article(supports(["G4733"]))],
    asked: { diagnosisCodes: ["I10"] },
    status: "conditional",
    confidence: "high",
    review: true,
    rule: "combine.local_conflicts_with_ncd"
  },
  "a national full coverage stands before a local condition": {
    policies: [ncd(1, [device]), lcd],
    status: "covered",
    confidence: "high",
    rule: "combine.ncd_wins"
  },
  "a laboratory NCD reaches its test by the curated list": {
    policies: [versionOf({ policyId: "NCD 190.23", coverageLevel: 2 })],
    asked: { procedureCodes: ["80061"] },
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.level"
  },
  "a curated refusal is never stronger than conditional": {
    policies: [versionOf({ policyId: "NCD 160.23", coverageLevel: 3 })],
    asked: { procedureCodes: ["G0255"] },
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.curated"
  }
}

describe("coverage-domain §2.1: national determinations", () => {
  it.each(Object.entries(situations))("%s", (_, situation) => comesOut(situation))

  it("step 5: a local conflict and a split state are issues that say what and who", () => {
    const conflict = decide(
      factsOf(ncd(1, [device]), article(supports(["G4733"]))),
      queryOf({ diagnosisCodes: ["I10"] })
    )
    expect(conflict.issues).toEqual([
      "local_conflicts_with_ncd: a local policy refuses what NCD 240.4 covers fully."
    ])
    const split = decide(
      factsOf(from("L1", "JE", "covered"), from("L2", "JF", "not_covered")),
      queryOf({ place: california })
    )
    expect(split.issues).toEqual([expect.stringMatching(/^state_has_several_jurisdictions: JE, JF /)])
  })

  it("step 10: a diagnosis that does not support it is called so, with its source", () => {
    const decision = decide(factsOf(article(supports(["G4733"]))), queryOf({ diagnosisCodes: ["I10"] }))
    expect(decision.codes[0]?.reasons[0]).toMatch(/^dx_not_supporting_medical_necessity: /)
    expect(decision.trace).toContainEqual({
      documentVersion: null,
      quote: null,
      rule: "article.dx_not_listed",
      policyId: "A52467",
      version: 1,
      group: 1,
      result: expect.any(String),
      sourceUrl: "https://policies.example/A52467",
      section: "diagnosis codes that support medical necessity"
    })
  })
})
