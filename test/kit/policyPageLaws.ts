import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { documentOf, passage, procedure, queryOf, save } from "./library.ts"
import { everyPage, ids, oxygenAndBeds } from "./policyPages.ts"

/** How the pages of a list follow one another (contract §1); each check wants an empty library. */
export const policyPageLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "contract §1 pages follow one another in one order, each row once, whatever their size",
    check: Effect.gen(function* () {
      yield* save(...oxygenAndBeds(23))
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
      const before = oxygenAndBeds(30)
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
    says: "contract §1 pages of a text that more policies hold than a store ranks give each once, those meant first",
    check: Effect.gen(function* () {
      const count = 520
      const documents = Array.from({ length: count }, (_, index) =>
        documentOf({
          policyId: `L${String((index * 7919) % 1000).padStart(4, "0")}`,
          title: index % 100 === 7 ? "About walking" : "Beds",
          criteria: [passage("b", "walking e0601")]
        })
      )
      const listing = documentOf({
        policyId: "L5000",
        title: "Walking e0601",
        codeGroups: [procedure("E0601")]
      })
      const all = [...documents, listing]
      yield* Effect.forEach(all, (document) => save(document), { concurrency: 8, discard: true })
      const policies = yield* Policies
      const found = ids(
        yield* everyPage(policies, queryOf({ text: "walking", limit: 100 }), () => save(listing))
      )
      deepStrictEqual(found.toSorted(), ids(all).toSorted())
      const headed = all.filter(({ title }) => title !== "Beds")
      deepStrictEqual(found.slice(0, headed.length).toSorted(), ids(headed).toSorted())
      const byCode = ids(yield* everyPage(policies, queryOf({ text: "e0601", limit: 200 })))
      deepStrictEqual([byCode[0], byCode.length, new Set(byCode).size], ["L5000", count + 1, count + 1])
    })
  }
]
