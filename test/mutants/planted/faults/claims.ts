import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Prior authorization, pair edits and unit edits, and what they make of a claim. */
export const claims: Group = {
  tests: [
    "test/core/claim.test.ts",
    "test/core/priorAuth.test.ts",
    "test/core/priorAuthRules.test.ts",
    "test/cases/cases.test.ts",
    "test/sandbox/decisions.test.ts",
    "test/adapters/claimEdits.test.ts"
  ],
  faults: [
    ...inFile("core/coverage/claim/pairs.ts", [
      [
        "applies a pair edit that was deleted",
        "(edit.deletionDate === null || query.dateOfService <= edit.deletionDate)",
        "true"
      ],
      ["applies a pair edit before it begins", "edit.effectiveDate <= query.dateOfService &&", ""],
      [
        "lets a modifier open what no modifier opens",
        'const bar = modifierIndicator === 0 ? "never" : "modifier"',
        'const bar = "modifier"'
      ],
      ["reports a pair whose edit is void", "if (modifierIndicator === 9) return undefined", ""],
      [
        "takes the kindest of several edits of a pair",
        "strictness[a.modifierIndicator] - strictness[b.modifierIndicator] ||",
        "strictness[b.modifierIndicator] - strictness[a.modifierIndicator] ||"
      ]
    ]),
    ...inFile("core/coverage/claim/units.ts", [
      [
        "calls the very limit of units too many",
        "exceeded: given !== undefined && given > edit.units",
        "exceeded: given !== undefined && given >= edit.units"
      ],
      [
        "judges units by a table that has not begun",
        "edit.code === code && edit.effectiveDate <= query.dateOfService",
        "edit.code === code"
      ],
      [
        "judges an outpatient claim by the practitioner's table",
        'if (site === "outpatient_hospital") return of("outpatient_hospital")',
        ""
      ]
    ]),
    ...inFile("core/coverage/claim/risk.ts", [
      [
        "sees no risk where prior authorization is required",
        'if (status === "not_covered" || priorAuthRequired === true) return "high"',
        'if (status === "not_covered") return "high"'
      ],
      [
        "sees a low risk where nobody knows of prior authorization",
        'priorAuthRequired === false ? "low"',
        'priorAuthRequired !== true ? "low"'
      ],
      [
        "takes the lower of two risks",
        "levels.indexOf(a) > levels.indexOf(b) ? a : b",
        "levels.indexOf(a) < levels.indexOf(b) ? a : b"
      ]
    ]),
    ...inFile("core/coverage/priorAuth/judge.ts", [
      [
        "asks for authorization before a rule begins",
        'if (day < effectiveDate || (endDate !== null && day > endDate)) return ["date"]',
        'if (endDate !== null && day > endDate) return ["date"]'
      ],
      [
        "asks for authorization on a rule's suspended days",
        "suspended.some(({ from, until }) => from <= day && (until === null || day <= until))",
        "suspended.some(({ from, until }) => from > day && until === null)"
      ],
      [
        "takes a state that nobody named for another state",
        'if (place === null || place.states.length === 0) return "missing"',
        'if (place === null || place.states.length === 0) return "other"'
      ],
      [
        "takes one of a jurisdiction's states for all of them",
        "place.states.every((state) => states.includes(state))",
        "place.states.some((state) => states.includes(state))"
      ],
      [
        "asks for authorization whatever a code is billed with",
        'return others.some((code) => withCodes.includes(code)) ? "within" : "other"',
        'return "within"'
      ],
      [
        "reads a code asked about alone as one billed without its pair",
        'if (others.length === 0) return "missing"',
        'if (others.length === 0) return "other"'
      ],
      [
        "takes a site that nobody named for another site",
        'if (siteOfService === null) return "missing"',
        'if (siteOfService === null) return "other"'
      ]
    ]),
    ...inFile("core/coverage/priorAuth/priorAuth.ts", [
      [
        "needs no authorization where no list is here",
        "if (lists.length === 0) return plain(null, sentences.noList(code))",
        "if (lists.length === 0) return plain(false, sentences.noList(code))"
      ],
      [
        "needs no authorization by a list that is years old",
        "if (outdated !== undefined) return plain(null, sentences.outdated(code, outdated))",
        ""
      ],
      [
        "needs no authorization where it is not settled",
        "if (unsure.length > 0) return undecided(decision.code, unsure, trace)",
        ""
      ],
      [
        "tells the kindest of several codes",
        "[true, null, false].find((required) =>",
        "[false, null, true].find((required) =>"
      ],
      [
        "reads the rules of another payer",
        ".filter((rule) => rule.payerCode === payerCode && rule.codes.includes(code))",
        ".filter((rule) => rule.codes.includes(code))"
      ],
      [
        "reads Medicare's lists for every payer",
        'const all = query.scope._tag === "Medicare" ? [...listed, ...own] : own',
        "const all = [...listed, ...own]"
      ],
      [
        "reads the plans of another line of business",
        "policy.payerCode === payerCode && serves(policy.lineOfBusiness, lineOfBusiness)",
        "policy.payerCode === payerCode"
      ]
    ]),
    ...inFile("core/coverage/editsAmong.ts", [
      [
        "gives the pair edits of deleted days",
        "edit.effectiveDate <= date && (edit.deletionDate === null || date <= edit.deletionDate)",
        "edit.effectiveDate <= date"
      ],
      [
        "gives the unit edits of a table that a newer one replaced",
        "asked.has(edit.code) && edit.effectiveDate === newest.get(edit.service)",
        "asked.has(edit.code)"
      ]
    ])
  ]
}
