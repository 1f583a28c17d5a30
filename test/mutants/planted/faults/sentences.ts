import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Which sentences of a policy count, and how the answer states them. */
export const sentences: Group = {
  tests: [
    "test/core/decideSentences.test.ts",
    "test/core/decideExclusions.test.ts",
    "test/core/decideRanges.test.ts",
    "test/core/decideText.test.ts",
    "test/core/claim.test.ts",
    "test/core/claimModifiers.test.ts",
    "test/core/summary.test.ts",
    "test/core/fitAnswer.test.ts",
    "test/core/priorAuthRules.test.ts",
    "test/core/priorAuth.test.ts"
  ],
  faults: [
    ...inFile("core/coverage/decide/harmless.ts", [
      ["excuses a sentence by its beginning", "  mark.test(sentence) &&", "  mark.test(sentence) ||"]
    ]),
    ...inFile("core/coverage/decide/definition.ts", [
      ["lets a definition set a limit", "!limiting.test(sentence) && ", ""],
      ["lets a definition set a place", " && !located.test(sentence)", ""]
    ]),
    ...inFile("core/coverage/decide/instruction.ts", [
      ["takes the use of a device for that of a code", "`${onClaim}m+w*[vx]", "`${billed}m+w*[vx]"],
      ["lets an order name the device", "u${onClaim})", "u${billed})"],
      ["takes a diagnosis for the name of a procedure", "(?:CPT|HCPCS|CPT", "(?:CPT|HCPCS|ICD-10-CM|CPT"],
      ["skips a word that it does not know", "if (length !== sentence.length) return undefined", ""]
    ]),
    ...inFile("core/coverage/decide/sentence.ts", [
      [
        "takes a pointer that says more for a pointer",
        'unreadWords(sentence.replace(disclaimer, " "), referralWords).length === 0',
        'unreadWords(sentence.replace(disclaimer, " "), referralWords).length < 99'
      ]
    ]),
    ...inFile("core/coverage/decide/unitVerdict.ts", [
      ["is content with an LCD without text", "&& criteria.length > 0", ""],
      ["covers past an LCD's absent articles", "|| unit.lacksArticle ", ""]
    ]),
    ...inFile("core/coverage/decide/block.ts", [
      [
        "forgets a pointer beside a condition",
        'if (statements.has("condition")) return { state: "open", refersToLcd }',
        'if (statements.has("condition")) return { state: "open", refersToLcd: false }'
      ]
    ]),
    ...inFile("core/coverage/decide/blockConditions.ts", [
      [
        "takes an exclusion for a condition to be met",
        'return isExclusion(item, section) ? "exclusion" : "narrative"',
        'return "narrative"'
      ]
    ]),
    ...inFile("core/coverage/decide/support.ts", [
      ["denies a diagnosis inside a range in prose", "if (inDoubt.size === 0) return", "if (true) return"],
      [
        "takes absent articles for silence about diagnoses",
        'lacksArticle ? open(["related_policy"], []) : none',
        "none"
      ]
    ]),
    ...inFile("core/coverage/claim/risk.ts", [
      ["calls a conditional line a low risk", 'status === "covered" &&', 'status !== "unknown" &&'],
      ["calls a covered line with a gap a low risk", "knownGaps.length === 0 &&", ""]
    ]),
    ...inFile("core/coverage/claim/modifiers.ts", [
      ["takes GZ for a mere statement", 'GZ: {\n    announces: "denial"', 'GZ: {\n    announces: "statement"']
    ]),
    ...inFile("core/coverage/priorAuth/programSteps.ts", [
      ["shows every rule of a program", "unsure.length > 0 ? unsure : nearestOf(its)", "its"]
    ]),
    ...inFile("core/coverage/textItems.ts", [
      ["cuts a list from its introduction", "(introduction.test(previous) || ", "("]
    ]),
    ...inFile("core/handler/fitAnswer.ts", [
      ["lets an answer grow past its size", "if (fits(data)) return { data }", "if (data) return { data }"]
    ]),
    ...inFile("core/coverage/summary.ts", [
      [
        "leads with the first condition of any kind",
        "const first = kindsByWeight.flatMap((kind) => conditions.filter((one) => one.kind === kind))[0]",
        "const first = conditions[0]"
      ]
    ])
  ]
}
