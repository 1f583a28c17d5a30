import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { readingOn } from "../../core/coverage/reading.ts"
import type { PolicyListing, PolicyPage, PolicyQuery } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import {
  anyDocument,
  anyQuery,
  day,
  diagnoses,
  documentOf,
  edgeDays,
  id,
  imported,
  passage,
  procedure,
  queryOf,
  save
} from "./library.ts"
import { remembered } from "./oracle.ts"
import { seeded } from "./seeded.ts"

/** What every store of policies keeps (core/port/Policies.ts); each check wants an empty library. */
export const policiesLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "§2.7 a policy reads on every day as the kernel folded over all its versions",
    check: seeded((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 60)
        yield* save(...documents)
        const oracle = yield* remembered(documents)
        const policies = yield* Policies
        for (const policyId of new Set(documents.map((document) => document.policy.policyId))) {
          for (const asOf of edgeDays) {
            const expected = yield* oracle.policies.find({ policyId, asOf })
            deepStrictEqual(yield* policies.find({ policyId, asOf }), expected)
            const folded = readingOn(oracle.library.policies.get(policyId) ?? [], asOf)
            deepStrictEqual([expected?.version, expected?.status], [folded?.version, folded?.status])
          }
        }
      })
    )
  },
  {
    says: "contract §2 an id that was never kept reads as nothing",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "NCD 220.6" }))
      const policies = yield* Policies
      for (const policyId of ["NCD 220.60", "ncd 220.6", "L1", "", "'; drop table policy; --", "\0"]) {
        strictEqual(yield* policies.find({ policyId: id(policyId), asOf: day("2026-01-01") }), undefined)
      }
    })
  },
  {
    says: "contract §2 a search gives exactly what its filters admit, whatever was kept",
    check: seeded((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        yield* save(...documents)
        const oracle = yield* remembered(documents)
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
    says: "contract §1 pages follow one another in one order, each row once, whatever their size",
    check: Effect.gen(function* () {
      yield* save(...library(23))
      const policies = yield* Policies
      for (const text of [null, "oxygen"]) {
        const whole = yield* everyPage(policies, queryOf({ text, limit: 100 }))
        strictEqual(whole.length, 23)
        for (const limit of [1, 4, 23]) {
          deepStrictEqual(ids(yield* everyPage(policies, queryOf({ text, limit }))), ids(whole))
        }
        const only = yield* policies.search(queryOf({ text, limit: 23 }))
        strictEqual(only.next, null)
      }
    })
  },
  {
    says: "contract §1 pages neither skip nor repeat what existed throughout while others are written",
    check: Effect.gen(function* () {
      const before = library(30)
      yield* save(...before)
      const policies = yield* Policies
      for (const text of [null, "oxygen"]) {
        let written = 0
        const found = yield* everyPage(policies, queryOf({ text, limit: 7 }), () => {
          written += 1
          return save(
            ...[1, 5, 9].map((part) =>
              documentOf({
                policyId: `L${part}00${written}${text === null ? "" : "9"}`,
                title: "Oxygen between"
              })
            )
          )
        })
        const seen = ids(found)
        strictEqual(new Set(seen).size, seen.length)
        for (const { policy } of before) ok(seen.includes(policy.policyId), `${policy.policyId} was skipped`)
      }
    })
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
    check: seeded((draw) =>
      Effect.gen(function* () {
        yield* save(...library(3))
        const policies = yield* Policies
        const texts = [
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
          "\u202e",
          ...draw(fc.string({ maxLength: 40, unit: "binary" }), 40),
          ...draw(fc.string({ maxLength: 20 }), 40)
        ]
        for (const text of texts) {
          const page = yield* policies.search(
            queryOf({
              text,
              payerCode: text,
              diagnosisCode: null,
              place: { jurisdictions: [text], states: [text] }
            })
          )
          deepStrictEqual(page.listings, [])
          yield* policies.search(queryOf({ text, limit: 1 }))
          yield* policies.search(queryOf({ procedureCode: text, diagnosisCode: text }))
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
    says: "§2.7 a document of any length and any letters can be kept and is found by its first words",
    check: Effect.gen(function* () {
      const long = (word: (index: number) => string) =>
        Array.from({ length: 150_000 }, (_, index) => word(index)).join(" ")
      const texts = [
        long((index) => `x${index.toString(36)}-y${index.toString(36)}-z`),
        long((index) => `www.${index.toString(36)}.com/${index}`),
        long((index) =>
          String.fromCodePoint(0x4e00 + (index % 20_000), 0x4e00 + (index % 19_997), 0x20000 + index)
        ),
        long((index) => `${index.toString(36)}`),
        "y".repeat(1_000_000),
        "a\0b \ud800"
      ]
      const policies = yield* Policies
      for (const [index, text] of texts.entries()) {
        const document = documentOf({ policyId: `L${index}`, criteria: [passage("b", `oxygen ${text}`)] })
        yield* save(document)
        const read = yield* policies.find({ policyId: id(`L${index}`), asOf: day("2026-01-01") })
        deepStrictEqual(read?.version.criteria, document.criteria)
      }
      strictEqual((yield* policies.search(queryOf({ text: "oxygen" }))).listings.length, texts.length)
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
      deepStrictEqual(yield* found({ diagnosisCode: "A0100" }), ["A2"])
      deepStrictEqual(yield* found({ diagnosisCode: "E1165", procedureCode: "A0100" }), ["A1"])
    })
  },
  {
    says: "contract §2 the history tells every change, oldest first",
    check: Effect.gen(function* () {
      const first = documentOf({ policyId: "L1", codeGroups: [procedure("E0601")] })
      yield* save(
        first,
        first,
        documentOf({ policyId: "L2" }),
        { ...first, codeGroups: [procedure("E0470")] },
        {
          ...first,
          codeGroups: [procedure("E0470")],
          title: "Another",
          retireDate: day("2021-12-31")
        }
      )
      const history = yield* (yield* Policies).history(id("L1"))
      deepStrictEqual(
        history.map((step) => [step.oldVersion, step.newVersion, step.changeType, step.changedAt]),
        [
          [null, 1, "created", imported],
          [1, 2, "codes_changed", imported],
          [2, 3, "retired", imported]
        ]
      )
      deepStrictEqual(history[1]?.changedFields, ["codes"])
      ok(history.every((step) => step.changeSummary !== ""))
      deepStrictEqual(yield* (yield* Policies).history(id("L9")), [])
    })
  }
]

const everyPage = Effect.fnUntraced(function* <E = never, R = never>(
  policies: typeof Policies.Service,
  query: PolicyQuery,
  between: () => Effect.Effect<unknown, E, R> = () => Effect.void
) {
  const listings: Array<PolicyListing> = []
  let after: PolicyQuery["after"] = null
  for (let page = 0; page < pagesMax; page++) {
    // A position travels inside a cursor, as JSON.
    const position: PolicyQuery["after"] = JSON.parse(JSON.stringify(after))
    const { listings: rows, next }: PolicyPage = yield* policies.search({ ...query, after: position })
    ok(rows.length <= query.limit)
    listings.push(...rows)
    if (next === null) return listings
    after = next
    yield* between()
  }
  return yield* Effect.die(new Error("the pages do not end"))
})

const pagesMax = 200

const ids = (listings: ReadonlyArray<PolicyListing>) => listings.map((listing) => listing.policy.policyId)

const byId = (listings: ReadonlyArray<PolicyListing>) =>
  listings.toSorted((a, b) => (a.policy.policyId < b.policy.policyId ? -1 : 1))

const library = (count: number): ReadonlyArray<PolicyDocument> =>
  Array.from({ length: count }, (_, index) =>
    documentOf({
      policyId: `L${String((index * 7919) % 1000).padStart(4, "0")}`,
      title: index % 3 === 0 ? "Home oxygen" : "Beds",
      keywords: index % 5 === 0 ? ["oxygen"] : [],
      criteria: [passage("b", "Oxygen at home")]
    })
  )
