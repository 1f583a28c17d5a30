import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Which version is in force, what changed, and what a decision makes of it. */
export const coverage: Group = {
  tests: [
    "test/core/coverageReading.test.ts",
    "test/core/coverageRevise.test.ts",
    "test/core/coverageReviseStated.test.ts",
    "test/core/decideLaws.test.ts",
    "test/core/decideAttesting.test.ts",
    "test/core/decideCriteria.test.ts",
    "test/core/decideCompare.test.ts",
    "test/core/decideConfidence.test.ts",
    "test/core/decideEntries.test.ts",
    "test/core/decideEvaluate.test.ts",
    "test/core/decideEvaluateAbove.test.ts",
    "test/core/decideValidity.test.ts",
    "test/core/codeTables.test.ts",
    "test/core/claim.test.ts",
    "test/core/priorAuth.test.ts",
    "test/core/priorAuthRules.test.ts",
    "test/core/importOrder.test.ts",
    "test/cases/cases.test.ts"
  ],
  faults: [
    ...inFile("core/coverage/reading.ts", [
      [
        "keeps a policy in force a day past its retirement",
        "date <= span.until)",
        "date <= (dayAfter(span.until) ?? span.until))"
      ],
      [
        "ends a policy a day before its last",
        "(span.until === null || date <= span.until)",
        "(span.until === null || date < span.until)"
      ],
      [
        "begins a policy a day late",
        "span.from === null || span.from <= date",
        "span.from === null || span.from < date"
      ],
      [
        "takes a proposed policy for one in force",
        'version.status !== "proposed"',
        'version.status !== "retired" || true'
      ],
      [
        "calls a policy of unknown status active",
        'version.status === "unknown" ? "unknown" : "active"',
        '"active"'
      ],
      [
        "takes the oldest of the versions in force",
        "first(span) > first(best) ? span : best",
        "first(span) < first(best) ? span : best"
      ],
      [
        "keeps a retired policy without a date in force",
        'version.status === "retired" && version.retireDate === null ? "never" : version.retireDate',
        "version.retireDate"
      ],
      [
        "takes what has ended for what is to come",
        '{ version: ended.version, status: "retired" }',
        '{ version: ended.version, status: "future" }'
      ]
    ]),
    ...inFile("core/coverage/revise.ts", [
      [
        "records a document that says the same again",
        'if (previous?.fingerprintSha256 === fingerprint) return { _tag: "Unchanged" }',
        ""
      ],
      ["numbers a new version as the one before", "(previous?.version ?? 0) + 1", "previous?.version ?? 1"],
      [
        "calls a retirement a change of details",
        'if (isOver(next) && !isOver(previous)) return "retired"',
        ""
      ],
      [
        "tells added codes as removed",
        "addedCodes: missing(after, before)",
        "addedCodes: missing(before, after)"
      ],
      [
        "does not see that a passage was reworded",
        "before.get(id) !== after.get(id)",
        "before.has(id) !== after.has(id)"
      ]
    ]),
    ...inFile("core/coverage/date.ts", [
      [
        "takes every fourth year for a leap year",
        "(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0",
        "year % 4 === 0"
      ],
      [
        "takes the day before the first of a month for the 30th",
        "day: daysIn(year, month - 1) })",
        "day: 30 })"
      ]
    ]),
    ...inFile("core/coverage/edition.ts", [
      [
        "reads the edition of a code before it begins",
        "if (next <= date) return kept > date || next >= kept ? edition : best",
        "return next >= kept ? edition : best"
      ],
      [
        "ends a code that had ended before",
        "if (edition.terminationDate !== null && edition.terminationDate <= last) return undefined",
        ""
      ]
    ]),
    ...inFile("core/coverage/decide/combine.ts", [
      [
        "lets a local document cover what a national one denies",
        'const denial = about.find((one) => one.verdict.status === "not_covered")',
        'const denial = about.find((one) => one.verdict.status === "unknown")'
      ],
      [
        "covers by the national document where the local one denies",
        'if (local.status === "not_covered") return againstLocal(about, national, local)',
        ""
      ],
      [
        "takes a national document that was not found for one that allows",
        "const said = isOpen && isOpenFor ? undefinedLevel(found) : found",
        "const said = found"
      ],
      [
        "takes the kindest of several verdicts",
        "rank[a.status] - rank[b.status]",
        "rank[b.status] - rank[a.status]"
      ],
      [
        "hides that a plan denies what Medicare covers",
        'floor.status === "covered" && plan.status === "not_covered"',
        "false"
      ]
    ]),
    ...inFile("core/coverage/decide/absent.ts", [
      [
        "covers although the national document is not here",
        'verdict.status === "covered" ? "conditional" : verdict.status',
        "verdict.status"
      ]
    ]),
    ...inFile("core/coverage/decide/confidence.ts", [
      [
        "is sure of what nobody knows",
        'if (verdict.status === "unknown" || verdict.gaps.length > 0) return "low"',
        ""
      ],
      [
        "is as sure of what was attested as of what was read",
        'verdict.isAttested ? "medium" : "high"',
        '"high"'
      ],
      [
        "asks nobody to read a narrative",
        'const read: ReadonlyArray<string> = ["narrative", "role", "frequency", "exclusion"]',
        "const read: ReadonlyArray<string> = []"
      ]
    ]),
    ...inFile("core/coverage/decide/criteria.ts", [
      [
        "takes what is not known for true",
        'truths.includes(false) ? false : truths.includes("unknown") ? "unknown" : true',
        "!truths.includes(false)"
      ],
      ["turns what is not known into its opposite", 'truth === "unknown" ? truth : !truth', "!truth"],
      [
        "takes a band of ages that overlaps for one within",
        'return min <= band.min && band.max <= max ? true : "unknown"',
        "return true"
      ],
      ["judges the sex of nobody", 'if (sex === null || sex === "unknown") return "unknown"', ""],
      [
        "takes a code near a listed one for no code of the list",
        '.some(isNear) ? "unknown" : false',
        ".some(isNear) ? false : false"
      ]
    ]),
    ...inFile("core/coverage/decide/compare.ts", [
      ["takes what was not given for a number", 'if (given === null) return "unknown"', ""],
      ["takes less for at most", "return theirs <= ours", "return theirs < ours"]
    ]),
    ...inFile("core/coverage/decide/decide.ts", [
      [
        "tells the best of several codes as the whole",
        '["not_covered", "conditional", "unknown", "covered"]',
        '["covered", "conditional", "unknown", "not_covered"]'
      ],
      [
        "applies a document of another jurisdiction",
        "const issued = local.filter(hasContractor).filter((one) => applies(one, query.place))",
        "const issued = local.filter(hasContractor)"
      ],
      [
        "decides by policies that are not in force",
        'return reading?.status === "active" || reading?.status === "unknown" ? [reading.version] : []',
        "return reading === undefined ? [] : [reading.version]"
      ],
      [
        "applies Medicare's statute to every payer",
        "statute: isMedicares ? statuteVerdict(code, facts, query) : undefined",
        "statute: statuteVerdict(code, facts, query)"
      ]
    ])
  ]
}
