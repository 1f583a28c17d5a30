import { describe, it } from "vitest"
import {
  apnea,
  article,
  bare,
  california,
  comesOut,
  device,
  from,
  lcd,
  ncd,
  relatedTo,
  supports
} from "./decideDocuments.ts"
import type { Situation } from "./decideDocuments.ts"
import { block, group, versionOf } from "./decideSituations.ts"

/** One row a situation, in a coverage analyst's words. */
const situations: Readonly<Record<string, Situation>> = {
  "nothing is known of the code": {
    policies: [],
    status: "unknown",
    confidence: "low",
    rule: "combine.no_policy"
  },
  "an LCD lists the code: a code's presence is not coverage": {
    policies: [bare],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "policy.listed"
  },
  "an LCD's conditions are narrative alone": {
    policies: [lcd],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "policy.text_alone"
  },
  "its article lists the diagnosis": {
    policies: [lcd, article(supports(["G4733"]))],
    asked: apnea,
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "its article does not list the diagnosis": {
    policies: [lcd, article(supports(["G4733"]))],
    asked: { diagnosisCodes: ["I10"] },
    status: "not_covered",
    confidence: "high",
    rule: "article.dx_not_listed"
  },
  "its article lists diagnoses and none was given": {
    policies: [lcd, article(supports(["G4733"]))],
    status: "conditional",
    confidence: "medium",
    gaps: ["diagnosis_codes"],
    rule: "article.dx_missing"
  },
  "one of several diagnoses supports it": {
    policies: [lcd, article(supports(["G4733"]))],
    asked: { diagnosisCodes: ["G4733", "I10"] },
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "the diagnosis carries an asterisk": {
    policies: [article(supports(["G4733*"], { asteriskText: "Only beside a sleep study." }))],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "article.dx_asterisk"
  },
  "the diagnosis is listed as not supporting it": {
    policies: [article(group("dx_noncovered", ["I10"]))],
    asked: { diagnosisCodes: ["I10"] },
    status: "not_covered",
    confidence: "high",
    rule: "article.dx_noncovered"
  },
  "there is only a list of what does not support it, and the diagnosis is not on it": {
    policies: [article(group("dx_noncovered", ["I10"]))],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "article.dx_only_noncovered"
  },
  "of two diagnoses only one is listed as not supporting it": {
    policies: [article(group("dx_noncovered", ["I10"]))],
    asked: { diagnosisCodes: ["I10", "G4733"] },
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "article.dx_only_noncovered"
  },
  "a diagnosis on both lists supports it": {
    policies: [article(supports(["I10"]), group("dx_noncovered", ["I10"]))],
    asked: { diagnosisCodes: ["I10"] },
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "nobody can tell which procedures the group is about": {
    policies: [article(supports(["G4733"]), supports(["I10"], { group: 2 }))],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "article.dx_scope_none"
  },
  "a scoped group does not list the diagnosis, but one of unknown scope does": {
    policies: [article(supports(["G4733"], { scope: ["E0601"] }), supports(["I10"], { group: 2 }))],
    asked: { diagnosisCodes: ["I10"] },
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "article.dx_scope_none"
  },
  "the group is about another procedure": {
    policies: [article(supports(["G4733"], { scope: ["K0001"] }))],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "policy.listed"
  },
  "a secondary diagnosis alone": {
    policies: [
      article(supports(["I10"], { role: "secondary" }), supports(["G4733"], { group: 2, scope: "all" }))
    ].map((one) => ({
      ...one,
      codeGroups: one.codeGroups.map((each) => ({ ...each, scope: "all" as const }))
    })),
    asked: { diagnosisCodes: ["I10"] },
    status: "conditional",
    confidence: "medium",
    gaps: ["diagnosis_codes"],
    rule: "article.dx_second_missing"
  },
  "one code of group 1 and one of group 2, which carries an asterisk": {
    policies: [
      article(
        supports(["G4733"], { scope: "all", role: "both_required" }),
        supports(["I10*"], { group: 2, scope: "all", role: "both_required" })
      )
    ],
    asked: { diagnosisCodes: ["I10", "G4733"] },
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "article.dx_asterisk"
  },
  "its article alone lists the code: the LCD's conditions count all the same": {
    policies: [
      versionOf({ policyId: "L33718", criteria: [block({ op: "age", min: 65 })] }),
      article(supports(["G4733"]))
    ],
    asked: { ...apnea, ageCategory: "pediatric" },
    status: "not_covered",
    confidence: "high",
    rule: "criteria.violated"
  },
  "its article alone lists the code, and the LCD cites a national determination": {
    policies: [
      versionOf({ policyId: "L33718", ...relatedTo("NCD 240.4") }),
      article(supports(["G4733"])),
      ncd(2)
    ],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "ncd.level"
  },
  "an LCD of which no document lists the code": {
    policies: [versionOf({ policyId: "L33718" })],
    asked: apnea,
    status: "unknown",
    confidence: "low",
    rule: "combine.no_policy"
  },
  "one code of group 1 and one of group 2": {
    policies: [
      article(
        supports(["G4733"], { scope: "all", role: "both_required" }),
        supports(["I10"], { group: 2, scope: "all", role: "both_required" })
      )
    ],
    asked: { diagnosisCodes: ["I10", "G4733"] },
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "one code that both groups list is not two": {
    policies: [
      article(
        supports(["G4733"], { scope: "all", role: "both_required" }),
        supports(["G4733"], { group: 2, scope: "all", role: "both_required" })
      )
    ],
    asked: apnea,
    status: "conditional",
    confidence: "medium",
    gaps: ["diagnosis_codes"],
    rule: "article.dx_second_missing"
  },
  "two codes of group 1 where one of group 2 is required": {
    policies: [
      article(
        supports(["G4733", "E1165"], { scope: "all", role: "both_required" }),
        supports(["I10"], { group: 2, scope: "all", role: "both_required" })
      )
    ],
    asked: { diagnosisCodes: ["E1165", "G4733"] },
    status: "conditional",
    confidence: "medium",
    gaps: ["diagnosis_codes"],
    rule: "article.dx_second_missing"
  },
  "an article stands alone where its LCD lists no codes": {
    policies: [article(supports(["G4733"]))],
    asked: apnea,
    status: "covered",
    confidence: "high",
    rule: "article.dx_covered"
  },
  "another LCD of the same place is not refined by it": {
    policies: [lcd, article(supports(["G4733"])), versionOf({ policyId: "L39999", codeGroups: [device] })],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "policy.listed"
  },
  "only the lists of an article are known": {
    policies: [
      { ...article(supports(["G4733"])), effectiveDate: null, sourceShape: "code_list_only" as const }
    ],
    asked: apnea,
    status: "conditional",
    confidence: "low",
    review: true,
    rule: "policy.lists_only"
  },
  "no state was given, and there is one answer": {
    policies: [article(supports(["G4733"]))],
    asked: { ...apnea, place: null },
    status: "covered",
    confidence: "medium",
    gaps: ["state"],
    rule: "article.dx_covered"
  },
  "no state was given, and answers differ": {
    policies: [from("L1", "JE", "covered"), from("L2", "JF", "not_covered")],
    asked: { place: null },
    status: "conditional",
    confidence: "medium",
    gaps: ["state"],
    rule: "combine.state_missing"
  },
  "a state's jurisdictions answer differently": {
    policies: [from("L1", "JE", "covered"), from("L2", "JF", "not_covered")],
    asked: { place: california },
    status: "conditional",
    confidence: "high",
    review: true,
    rule: "combine.jurisdictions_differ"
  },
  "within one jurisdiction the most restrictive wins": {
    policies: [from("L1", "JE", "covered"), from("L2", "JE", "not_covered")],
    asked: { place: california },
    status: "not_covered",
    confidence: "high",
    rule: "policy.disposition"
  },
  "within one jurisdiction a refusal outweighs a condition": {
    policies: [from("L1", "JE", "conditional"), from("L2", "JE", "not_covered")],
    asked: { place: california },
    status: "not_covered",
    confidence: "high",
    rule: "policy.disposition"
  },
  "a jurisdiction's own question leaves the others out": {
    policies: [from("L1", "JE", "covered"), from("L2", "JF", "not_covered")],
    asked: { place: { jurisdictions: ["JE"], states: [] } },
    status: "covered",
    confidence: "high",
    rule: "policy.disposition"
  }
}

describe("coverage-domain §2.1: local documents, and where they apply", () => {
  it.each(Object.entries(situations))("%s", (_, situation) => comesOut(situation))
})
