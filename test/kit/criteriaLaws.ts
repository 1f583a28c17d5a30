import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { CriteriaPage, CriteriaQuery, FoundCriterion } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { criteriaQueryOf, day, documentOf, passage, save } from "./library.ts"
import { anyCriteriaQuery, anyDocument } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { withSeed } from "./withSeed.ts"

/** How passages are found (contract §2, GET /coverage/criteria); each check wants an empty library. */
export const criteriaLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "contract §2 passages are found by all their words, in what is in force and admitted",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        yield* save(...documents)
        const oracle = yield* memoryLibraryOf(documents)
        const policies = yield* Policies
        for (const query of draw(anyCriteriaQuery, 100)) {
          const found = yield* everyPassage(policies, query)
          const expected = yield* everyPassage(oracle.policies, query)
          deepStrictEqual(inOrder(found), inOrder(expected), `for ${JSON.stringify(query)}`)
        }
      })
    )
  },
  {
    says: "contract §2 a passage is shown with its policy, as it was kept",
    check: Effect.gen(function* () {
      const block = { ...passage("b2", "Home oxygen a\0b"), tags: ["home"], confidenceScore: 0.5 }
      const contractors = [{ contractorNumber: "04412", name: "Example", jurisdictionCode: "JH" }]
      const document = documentOf({
        policyId: "L1",
        contractors,
        criteria: [passage("b1", "Beds"), block, passage("b3", "Nitrogen")]
      })
      yield* save(document, documentOf({ policyId: "L2", title: "Oxygen", status: "retired" }))
      const page = yield* (yield* Policies).criteria(criteriaQueryOf({}))
      deepStrictEqual(page, {
        found: [
          {
            policy: document.policy,
            title: "Policy L1",
            jurisdictions: ["JH"],
            effectiveDate: day("2020-01-01"),
            block
          }
        ],
        next: null
      })
    })
  },
  {
    says: "contract §1 pages of passages neither skip nor repeat, few or many, while others are written",
    check: Effect.gen(function* () {
      const policies = yield* Policies
      for (const [many, limit] of [
        [4, 3],
        [many500, 90]
      ] as const) {
        const text = `oxygen${many}`
        yield* save(...passagesAbout(text, many))
        let written = 0
        const found = yield* everyPassage(policies, criteriaQueryOf({ text, limit }), () => {
          written += 1
          return save(documentOf({ policyId: `L2${many}${written}`, criteria: [passage("b", text)] }))
        })
        const seen = namesOf(found)
        strictEqual(new Set(seen).size, seen.length)
        for (const document of passagesAbout(text, many)) {
          for (const { blockId } of document.criteria) {
            ok(seen.includes(`${document.policy.policyId} ${blockId}`), `${blockId} was skipped`)
          }
        }
      }
    })
  },
  {
    says: "contract §2 no text breaks a search for passages, and one without a word finds none",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "L1", criteria: [passage("b", "The oxygen, and the rest")] }))
      const policies = yield* Policies
      for (const text of [
        "the",
        "'",
        "\0",
        "((",
        "a & b | !c:*",
        "\ud800",
        "%",
        "!!",
        "x".repeat(500),
        " "
      ]) {
        deepStrictEqual(yield* policies.criteria(criteriaQueryOf({ text })), { found: [], next: null }, text)
      }
    })
  }
]

/** More than a store ranks. */
const many500 = 130

/** Five policies with that many passages each. */
const passagesAbout = (text: string, count: number) =>
  Array.from({ length: 5 }, (_, index) =>
    documentOf({
      policyId: `L${count}${(index * 3) % 5}`,
      criteria: Array.from({ length: count }, (__, part) => passage(`b${part}`, `${text} part ${part}`))
    })
  )

/** Every passage of a search, page after page; `between` happens after each page but the last. */
const everyPassage = Effect.fnUntraced(function* <E = never, R = never>(
  policies: typeof Policies.Service,
  query: CriteriaQuery,
  between: () => Effect.Effect<unknown, E, R> = () => Effect.void
) {
  const found: Array<FoundCriterion> = []
  let after: CriteriaQuery["after"] = null
  for (let page = 0; page < pagesMax; page++) {
    // A position travels inside a cursor, as JSON.
    const position: CriteriaQuery["after"] = JSON.parse(JSON.stringify(after))
    const { found: rows, next }: CriteriaPage = yield* policies.criteria({ ...query, after: position })
    ok(rows.length <= query.limit)
    found.push(...rows)
    if (next === null) return found
    after = next
    yield* between()
  }
  return yield* Effect.die(new Error("the pages do not end"))
})

const pagesMax = 200

const namesOf = (found: ReadonlyArray<FoundCriterion>) =>
  found.map(({ block, policy }) => `${policy.policyId} ${block.blockId}`)

const inOrder = (found: ReadonlyArray<FoundCriterion>) =>
  found.toSorted((a, b) => (namesOf([a]).join() < namesOf([b]).join() ? -1 : 1))
