import type { ClaimView } from "../../core/operation/claims.ts"
import type { Evaluation } from "../../core/operation/evaluations.ts"
import type { ComparisonView } from "../../core/operation/comparisons.ts"
import type { CodeView } from "../../core/operation/codes.ts"
import type { PolicyItem, PolicyView } from "../../core/operation/policies.ts"
import type { OperationRequest } from "./request.ts"

/** A question about a place or a document; `sees` is what the analyst looks at in the answer. */
export interface PlaceCase {
  readonly says: string
  readonly asked: OperationRequest
  readonly sees: (data: unknown) => unknown
  readonly expect: unknown
  readonly reasoning: string
}

const listed = (jurisdiction: string, policyId: string): OperationRequest => ({
  operation: "listPolicies",
  query: { jurisdiction, q: policyId }
})

const ids = (data: unknown): ReadonlyArray<string> =>
  (data as ReadonlyArray<PolicyItem>).map((one) => one.policy_id)

const standing = (id: string, asOf: string): OperationRequest => ({
  operation: "getPolicy",
  params: { id },
  query: { as_of: asOf }
})

const status = (data: unknown) => (data as PolicyView).status

const compared = (body: Readonly<Record<string, unknown>>): OperationRequest => ({
  operation: "comparePolicies",
  body
})

const compactly = (data: unknown) => {
  const { comparison, national_policies, summary } = data as ComparisonView
  return {
    places: comparison.map((one) => [one.jurisdiction, ...one.policies.map((policy) => policy.policy_id)]),
    national: national_policies.map((one) => `${one.policy_id} ${one.disposition} ${one.reached_by}`),
    varies: summary.has_variation,
    unresolved: summary.unresolved_jurisdictions
  }
}

const evaluated = (policyId: string): OperationRequest => ({
  operation: "evaluateCoverage",
  body: { policy_id: policyId, parameters: {} }
})

const verdict = (data: unknown) => {
  const { coverage_status, covered } = data as Evaluation
  return [coverage_status, covered]
}

/** Where documents apply, what jurisdictions say beside each other, and what stands on a day. */
export const placeCases: ReadonlyArray<PlaceCase> = [
  {
    says: "WPS's national number puts none of its documents into Texas",
    asked: listed("TX", "L34526"),
    sees: ids,
    expect: [],
    reasoning:
      "L34526 names 05901, which lists nearly every state, and twelve numbers of J5 and J8. Without it, it " +
      "applies in IA, IN, KS, MI, MO and NE, and Texas is Novitas's."
  },
  {
    says: "it applies where the contractors of J5 and J8 serve",
    asked: listed("MI", "L34526"),
    sees: ids,
    expect: ["L34526"],
    reasoning: "08202 and its like serve Michigan (J8)."
  },
  {
    says: "western Missouri is Missouri for a local document too",
    asked: listed("WM", "L34526"),
    sees: ids,
    expect: ["L34526"],
    reasoning: "05301 and 05302 serve MO; WM is a part of it."
  },
  {
    says: "and JH, which is asked by its letter, has it not",
    asked: listed("JH", "L34526"),
    sees: ids,
    expect: [],
    reasoning: "None of its contractors has the region whose super_mac_description is J - H."
  },
  {
    says: "a document of the California contractors applies in northern California",
    asked: listed("NF", "L34163"),
    sees: ids,
    expect: ["L34163"],
    reasoning: "01112 has NF alone; NF is folded into CA, where the document's states have it."
  },
  {
    says: "a document of New York's contractors applies in Queens",
    asked: listed("QN", "L33394"),
    sees: ids,
    expect: ["L33394"],
    reasoning: "13292 has QN; folded it is NY."
  },
  {
    says: "and not in California",
    asked: listed("CA", "L33394"),
    sees: ids,
    expect: [],
    reasoning: "Of J6 and JK's numbers none serves California for Parts A and B."
  },
  {
    says: "a document of one contractor applies in the states that it names itself",
    asked: listed("PA", "L33942"),
    sees: ids,
    expect: ["L33942"],
    reasoning: "L33942 has one contractor row (15004): lcd_x_primary_jurisdiction counts, and has PA."
  },
  {
    says: "and nowhere else",
    asked: listed("TX", "L33942"),
    sees: ids,
    expect: [],
    reasoning: "TX is not among its sixteen primary states."
  },
  {
    says: "NCD 220.6 is retired, although no column says when",
    asked: standing("220.6", "2026-03-12"),
    sees: status,
    expect: "retired",
    reasoning: "Only v7 is left, 'PET Scans - RETIRED', level 2, without a termination date."
  },
  {
    says: "a determination whose last day precedes its first was never in force as it stands",
    asked: standing("30.4", "2023-04-10"),
    sees: status,
    expect: "retired",
    reasoning: "30.4 v3: effective 2023-04-10, terminated 2021-01-01, titled RETIRED. An empty interval."
  },
  {
    says: "220.60 is not 220.6",
    asked: { operation: "listPolicies", query: { q: "NCD 220.60", status: "all" } },
    sees: (data) => ids(data).includes("NCD 220.6"),
    expect: false,
    reasoning: "Sections are text: 220.60 would be another section, and there is none."
  },
  {
    says: "the retired determination decides nothing when it is evaluated",
    asked: evaluated("NCD 220.6"),
    sees: verdict,
    expect: ["unknown", false],
    reasoning: "It is in force on no day."
  },
  {
    says: "a level 3 determination asked about itself refuses",
    asked: evaluated("240.5"),
    sees: verdict,
    expect: ["not_covered", false],
    reasoning: "240.5, level 3. The question is what this policy says, not which codes it reaches."
  },
  {
    says: "a level 1 determination asked about itself is conditional while its text is narrative",
    asked: evaluated("ncd 100.4"),
    sees: verdict,
    expect: ["conditional", false],
    reasoning: "Esophageal manometry, 100.4, level 1: covered where reasonable and necessary, says its text."
  },
  {
    says: "an LCD of which only the list is known is conditional for a code of the list",
    asked: {
      operation: "evaluateCoverage",
      body: { policy_id: "L33718", parameters: { procedure_code: "E0601" } }
    },
    sees: verdict,
    expect: ["conditional", false],
    reasoning: "A code's presence is not coverage."
  },
  {
    says: "CPAP: the four DME jurisdictions say the same, from one LCD",
    asked: compared({ procedure_codes: ["E0601"] }),
    sees: compactly,
    expect: {
      places: [
        ["DME JA", "L33718"],
        ["DME JB", "L33718"],
        ["DME JC", "L33718"],
        ["DME JD", "L33718"]
      ],
      national: [],
      varies: false,
      unresolved: []
    },
    reasoning:
      "L33718 is issued by 16013, 17013, 18003 and 19003 (regions A to D). NCD 240.4 (id 226) is not in " +
      "this part of the tables."
  },
  {
    says: "percussive ventilation: the national refusal, which a row says is about the code, stands beside",
    asked: compared({ procedure_codes: ["E0481"], jurisdictions: ["DME JB"] }),
    sees: compactly,
    expect: {
      places: [["DME JB", "L33786"]],
      national: ["NCD 240.5 not_covered curated_list"],
      varies: false,
      unresolved: []
    },
    reasoning: "A row of the list denies the code by 240.5, whose level is 3."
  },
  {
    says: "acupuncture is national alone",
    asked: compared({ procedure_codes: ["97810"] }),
    sees: compactly,
    expect: {
      places: [],
      national: ["NCD 30.3.3 conditional curated_list"],
      varies: false,
      unresolved: []
    },
    reasoning: "No local document lists 97810; the curated list leads to 30.3.3."
  },
  {
    says: "who was asked for is shown, silent or not, and who is gone is unresolved",
    asked: compared({ procedure_codes: ["E0601"], jurisdictions: ["JH", "DME JC", "J01", "TX"] }),
    sees: compactly,
    expect: {
      places: [["JH"], ["DME JC", "L33718"], ["TX", "L33718"]],
      national: [],
      varies: true,
      unresolved: ["J1"]
    },
    reasoning:
      "JH (Parts A and B) lists no equipment; region C does, in Texas too. J1 became JE long ago and is in " +
      "no row; J01 is another writing of it."
  },
  {
    says: "an LCD whose policy article is not imported says nothing of diagnoses",
    asked: {
      operation: "validateClaim",
      body: {
        procedure_codes: ["E0601"],
        diagnosis_codes: ["I10"],
        state: "TX",
        site_of_service: "home",
        date_of_service: "2026-01-15"
      }
    },
    sees: (data) => {
      const claim = data as ClaimView
      return [claim.diagnosis_support, claim.denial_risk, claim.known_gaps.includes("related_policy")]
    },
    expect: ["unknown", "medium", true],
    reasoning: "A52467 lists the diagnoses of L33718 and is not among the tables."
  },
  {
    says: "the look-up of a code names the policies of the place",
    asked: {
      operation: "lookupCode",
      query: { code: "E0601", include: "policies", jurisdiction: "TX", as_of: "2026-01-15" }
    },
    sees: (data) =>
      (data as CodeView).policies?.map((one) => `${one.policy_id} ${one.disposition} ${one.jurisdiction}`),
    expect: ["L33718 conditional DME JA, DME JB, DME JC, DME JD"],
    reasoning: "One LCD, four issuers, one of which serves Texas."
  }
]
