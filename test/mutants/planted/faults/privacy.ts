import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** What a patient may be known by: found, refused, and kept nowhere. */
export const privacy: Group = {
  tests: [
    "test/core/idempotencyRequest.test.ts",
    "test/core/newKey.test.ts",
    "test/core/phiIdentifiers.test.ts",
    "test/core/phiNames.test.ts",
    "test/core/phiValues.test.ts",
    "test/core/phiRequests.test.ts",
    "test/core/phiHostile.test.ts"
  ],
  faults: [
    ...inFile("core/phi/detect.ts", [
      [
        "finds one kind of identifier alone in a text",
        "found?.includes(rule.kind) !== true && matches(rule, text)",
        "found === undefined && matches(rule, text)"
      ],
      [
        "reads a soft hyphen as nothing alone",
        "return others.length === 0 ? first : [...new Set([first, ...others].flat())]",
        "return first"
      ]
    ]),
    ...inFile("core/phi/fieldNames.ts", [
      [
        "takes ninety for the last age that may be said to be one that may not",
        'typeof value === "number" ? value > ageMax',
        'typeof value === "number" ? value >= ageMax'
      ],
      [
        "lets an age above ninety pass as text",
        'typeof value === "string" && Number.parseFloat(value) > ageMax',
        "false"
      ],
      ["lets a whole postal code pass", '.replace(/\\D/g, "").length > 3', '.replace(/\\D/g, "").length > 9'],
      [
        "does not know whose record a field is in",
        'if (owner.test(folded) || ownersRecord.test(around)) return "member"',
        'if (owner.test(folded)) return "member"'
      ],
      [
        "does not know a person's record",
        'return anyPerson.test(folded) || personsRecord.test(around) ? "person" : undefined',
        "return undefined"
      ]
    ]),
    ...inFile("core/phi/identifiers.ts", [
      [
        "lets a telephone number pass for a provider's",
        "accepts: ([text]) => !isNpi(digitsOf(text).slice(-10))",
        "accepts: () => false"
      ],
      ["takes every ten digits for a provider's number", "return sum % 10 === 0", "return true"],
      [
        "takes the user of a URL for an email address",
        "accepts: (found) => !isInAuthority(found)",
        "accepts: () => true"
      ]
    ]),
    ...inFile("core/phi/prose.ts", [
      ["takes a noun of the field for a name", ' && !isFieldNoun(name.replace(possessive, ""))', ""]
    ]),
    ...inFile("core/phi/normalize.ts", [
      [
        "decodes percent-encoded text once alone",
        "return twice === once ? [text, once] : [text, once, twice]",
        "return [text, once]"
      ],
      ["does not see middle dots", '.replace(middleDots, "\\u00b7")', ""],
      [
        "reads digits of other scripts as no digits",
        "while (point - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1",
        ""
      ],
      [
        "takes a wide blank for a letter",
        'wideBlanks.test(visible) ? visible.replace(blanks, " ") : visible',
        "visible"
      ]
    ]),
    ...inFile("core/phi/scan.ts", [
      [
        "reads a body of any number of values",
        "if (seen.nodes > nodesMax) seen.says = `holds more than ${nodesMax} values`",
        ""
      ],
      ["does not look below the first level", "if (place.depth >= depthMax) {", "if (place.depth >= 1) {"],
      [
        "shows a field's name that is an identifier",
        'kinds.length > 0 || name.length > shownNameMax ? "/#key" : pointerStep(name)',
        "pointerStep(name)"
      ],
      [
        "tells one finding many times",
        "if (!told && findings.length < findingsMax)",
        "if (findings.length < findingsMax)"
      ]
    ]),
    ...inFile("core/phi/storedText.ts", [
      [
        "stores a name with an identifier",
        "return kinds.length === 0 ? undefined",
        "return kinds.length >= 0 ? undefined"
      ],
      [
        "takes bare digits in an id for an identifier",
        'identifiersIn(id, { bareDigits: "expected" })',
        'identifiersIn(id, { bareDigits: "identifying" })'
      ]
    ]),
    ...inFile("core/phi/refuse.ts", [
      [
        "lets what it found pass",
        "if (findings.length === 0) return undefined",
        "if (findings.length <= 1) return undefined"
      ]
    ])
  ]
}
