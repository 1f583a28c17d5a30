import { diagnosisFilter } from "../../core/coverage/diagnosisFilter.ts"
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { PolicyListing, PolicyQuery } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { day, diagnoses, documentOf, id, passage, procedure, queryOf, save } from "./library.ts"
import { anyDocument, anyQuery } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { everyPage, ids, oxygenAndBeds } from "./policyPages.ts"
import { withSeed } from "./withSeed.ts"

/** What a search for policies finds and shows (contract §2); each check wants an empty library. */
export const policySearchLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "contract §2 a search gives exactly what its filters admit, whatever was kept",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        yield* save(...documents)
        const oracle = yield* memoryLibraryOf(documents)
        const policies = yield* Policies
        for (const query of draw(anyQuery, 150)) {
          const found = yield* everyPage(policies, query)
          const expected = yield* everyPage(oracle.policies, query)
          const [mine, others] = query.text === null ? [found, expected] : [byId(found), byId(expected)]
          deepStrictEqual(mine, others, `for ${JSON.stringify(query)}`)
        }
      })
    )
  },
  {
    says: "contract §2 a word of the title outranks a word of the text",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({
          policyId: "L10",
          criteria: [passage("b", "oxygen is mentioned here")],
          description: "Of beds"
        }),
        documentOf({ policyId: "L20", title: "Home oxygen" }),
        documentOf({ policyId: "L30", keywords: ["oxygen"] }),
        documentOf({ policyId: "L40", title: "Beds" })
      )
      const { listings } = yield* (yield* Policies).search(queryOf({ text: "oxygen" }))
      strictEqual(listings.length, 3)
      strictEqual(ids(listings).at(-1), "L10")
    })
  },
  {
    says: "contract §2 a text that is an id or a code finds its document first, in any usual writing",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "L33831" }),
        documentOf({ policyId: "NCD 220.6", title: "PET" }),
        documentOf({ policyId: "NCD 220.60", title: "Other" }),
        documentOf({ policyId: "A5", codeGroups: [procedure("E0601"), diagnoses("E1165")] }),
        documentOf({ policyId: "L7", title: "About L33831, 220.6, e0601 and E11.65" })
      )
      const policies = yield* Policies
      const wanted = [
        ["L33831", "L33831"],
        ["l33831", "L33831"],
        ["220.6", "NCD 220.6"],
        ["ncd220.6", "NCD 220.6"],
        ["NCD 220.6", "NCD 220.6"],
        ["E0601", "A5"],
        [" e0601 ", "A5"],
        ["E11.65", "A5"],
        ["e1165", "A5"]
      ] as const
      for (const [text, policyId] of wanted) {
        const { listings } = yield* policies.search(queryOf({ text }))
        strictEqual(listings[0]?.policy.policyId, policyId, `for ${text}`)
        ok(!ids(listings).includes(id("NCD 220.60")), `for ${text}`)
      }
    })
  },
  {
    says: "contract §2 a text without a word to look up finds by the letters of titles and ids, not everything",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "L1", title: "The knee" }),
        documentOf({ policyId: "L2", title: "Knee" }),
        documentOf({ policyId: "L3", title: "100% oxygen" })
      )
      const policies = yield* Policies
      const found = (text: string) =>
        Effect.map(policies.search(queryOf({ text })), (page) => ids(page.listings))
      deepStrictEqual(yield* found("the"), ["L1"])
      deepStrictEqual(yield* found("%"), ["L3"])
      deepStrictEqual(yield* found("_"), [])
      deepStrictEqual(yield* found("!!"), [])
      deepStrictEqual(yield* found("  "), ["L1", "L2", "L3"])
    })
  },
  {
    says: "contract §2 no text breaks a search",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        yield* save(...oxygenAndBeds(3))
        const policies = yield* Policies
        const texts = [
          ...hostileTexts,
          ...draw(fc.string({ maxLength: 40, unit: "binary" }), 40),
          ...draw(fc.string({ maxLength: 20 }), 40)
        ]
        for (const text of texts) {
          const page = yield* policies.search(
            queryOf({
              text,
              payerCode: text,
              diagnosis: null,
              place: { jurisdictions: [text], states: [text] }
            })
          )
          deepStrictEqual(page.listings, [])
          yield* policies.search(queryOf({ text, limit: 1 }))
          yield* policies.search(queryOf({ procedureCode: text, diagnosis: { _tag: "Code", code: text } }))
          yield* policies.search(queryOf({ diagnosis: { _tag: "Category", category: text } }))
        }
      })
    )
  },
  {
    says: "contract §2 a list shows the first 50 codes and 20 criteria where they are included, and counts all",
    check: Effect.gen(function* () {
      const codes = Array.from({ length: 10_000 }, (_, index) => `Z${String(index).padStart(5, "0")}`)
      const criteria = Array.from({ length: 30 }, (_, index) => passage(`b${index}`, `oxygen ${index}`))
      yield* save(
        documentOf({ policyId: "A1", description: "Short", codeGroups: [diagnoses(...codes)], criteria })
      )
      const policies = yield* Policies
      const shown = (include: PolicyQuery["include"]) =>
        Effect.map(policies.search(queryOf({ include })), ({ listings: [one] }) => [
          one?.codeCount,
          one?.criteriaCount,
          one?.codes.length,
          one?.criteria.length,
          one?.summary
        ])
      deepStrictEqual(yield* shown(new Set()), [10_000, 30, 0, 0, null])
      deepStrictEqual(yield* shown(new Set(["codes"])), [10_000, 30, 50, 0, null])
      deepStrictEqual(yield* shown(new Set(["criteria", "summary"])), [10_000, 30, 0, 20, "Short"])
      const read = yield* policies.find({ policyId: id("A1"), asOf: day("2026-01-01") })
      strictEqual(read?.version.codeGroups[0]?.codes.length, 10_000)
    })
  },
  {
    says: "contract §2 a code is asked for as a diagnosis or as a procedure, never as the other",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "A1", codeGroups: [procedure("A0100"), diagnoses("E1165")] }))
      yield* save(documentOf({ policyId: "A2", codeGroups: [diagnoses("A0100")] }))
      const policies = yield* Policies
      const found = (query: Partial<PolicyQuery>) =>
        Effect.map(policies.search(queryOf(query)), (page) => ids(page.listings))
      deepStrictEqual(yield* found({ procedureCode: "A0100" }), ["A1"])
      deepStrictEqual(yield* found({ diagnosis: diagnosisFilter("A0100") }), ["A2"])
      deepStrictEqual(yield* found({ diagnosis: diagnosisFilter("E1165"), procedureCode: "A0100" }), ["A1"])
    })
  },
  {
    says: "coverage-domain §2.1 rule 1: a category finds what lists any of its codes, and no other category",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "A1", codeGroups: [diagnoses("E1165"), procedure("E1190")] }))
      yield* save(documentOf({ policyId: "A2", codeGroups: [diagnoses("E11")] }))
      yield* save(documentOf({ policyId: "A3", codeGroups: [diagnoses("E10", "E12", "E119ZZZ")] }))
      yield* save(documentOf({ policyId: "A4", codeGroups: [diagnoses("E10", "E1")] }))
      yield* save(documentOf({ policyId: "A5", codeGroups: [procedure("E1130")] }))
      const policies = yield* Policies
      const found = (filter: string) =>
        Effect.map(policies.search(queryOf({ diagnosis: diagnosisFilter(filter) })), (page) =>
          ids(page.listings)
        )
      deepStrictEqual(yield* found("E11"), ["A1", "A2", "A3"])
      deepStrictEqual(yield* found("e11.*"), ["A1", "A2", "A3"])
      deepStrictEqual(yield* found("E11.65"), ["A1"])
      deepStrictEqual(yield* found("E12"), ["A3"])
    })
  }
]

const byId = (listings: ReadonlyArray<PolicyListing>) =>
  listings.toSorted((a, b) => (a.policy.policyId < b.policy.policyId ? -1 : 1))

/** Texts that a query language, a pattern or a wire format could take for its own. */
const hostileTexts = [
  "'",
  '"',
  "\\",
  "'; drop table policy; --",
  '"oxygen',
  "or",
  "- -",
  "a & b | !c:*",
  "((",
  "<->",
  "\0",
  "a\0b",
  "\ud800",
  "oxygen:*",
  "😀",
  "x".repeat(500),
  "-oxygen",
  '""',
  "1e309",
  "::text",
  "$1",
  "?",
  "%s",
  "\u202e"
]
