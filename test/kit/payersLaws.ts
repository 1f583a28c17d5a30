import { deepStrictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import { medicare } from "../../core/coverage/Payer.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { payerOf, snapshotOf } from "./library.ts"

const snapshot = snapshotOf({ kind: "payer_policies" })

/** What every store of payers keeps (core/port/Payers.ts); each check wants an empty library. */
export const payersLaws: ReadonlyArray<Law<Payers | Snapshots>> = [
  {
    says: "contract §2 Medicare is a payer before any import",
    check: Effect.gen(function* () {
      deepStrictEqual(yield* (yield* Payers).list, [medicare])
    })
  },
  {
    says: "contract §2 payers are those that any import named, by code, each as it was told last",
    check: Effect.gen(function* () {
      const { save } = yield* Snapshots
      const [a, z, other] = [payerOf({ code: "acme" }), payerOf({ code: "zenith" }), payerOf({ code: "b" })]
      const renamed = { ...a, name: "Acme Health", linesOfBusiness: ["exchange"] }
      deepStrictEqual(yield* save({ _tag: "Payers", snapshot, payers: [z, other, a] }), { written: 3 })
      deepStrictEqual(yield* save({ _tag: "Payers", snapshot, payers: [z, other, renamed] }), { written: 1 })
      deepStrictEqual(yield* save({ _tag: "Payers", snapshot, payers: [a, renamed] }), { written: 0 })
      deepStrictEqual(yield* save({ _tag: "Payers", snapshot, payers: [] }), { written: 0 })
      deepStrictEqual(yield* (yield* Payers).list, [renamed, other, medicare, z])
    })
  },
  {
    says: "contract §2 an import that names Medicare says what it is from then on",
    check: Effect.gen(function* () {
      const told = { ...medicare, name: "Medicare (fee for service)" }
      yield* (yield* Snapshots).save({ _tag: "Payers", snapshot, payers: [told] })
      deepStrictEqual(yield* (yield* Payers).list, [told])
    })
  }
]
