import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { documentOf, queryOf, save } from "./library.ts"
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
  }
]
