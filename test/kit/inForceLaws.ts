import { deepStrictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { PolicyId, PolicyVersion } from "../../core/coverage/Policy.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { Policies } from "../../core/port/Policies.ts"
import type { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { documentOf, save } from "./library.ts"
import { anyDocument, edgeDays } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { withSeed } from "./withSeed.ts"

/** What a store reads to certify a release (core/port/Policies.ts, law 8). */
export const inForceLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "coverage-domain §2.2 what is in force on a day is what the kernel reads over everything that was kept",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        yield* save(...documents)
        const { library } = yield* memoryLibraryOf(documents)
        for (const asOf of edgeDays) {
          const expected = [...library.policies.values()]
            .flatMap((versions) => readingOn(versions, asOf) ?? [])
            .flatMap(({ status, version }) => (isInForce(status) ? [version] : []))
          const found = yield* (yield* Policies).inForce({ asOf, after: null, limit: 1_000 })
          deepStrictEqual(found, expected.toSorted(byPolicy))
        }
      })
    )
  },
  {
    says: "coverage-domain §2.2 pages of it follow each other by policy id, byte by byte, without a gap",
    check: Effect.gen(function* () {
      const ids = ["L9", "L10", "L100", "NCD 1.1", "NCD 1.10", "a1", "É1"]
      yield* save(...ids.map((policyId) => documentOf({ policyId })))
      const asOf = edgeDays.at(-1)
      if (asOf === undefined) return yield* Effect.die("there is no day")
      const found: Array<string> = []
      for (let after: PolicyId | null = null; ; ) {
        const page: ReadonlyArray<PolicyVersion> = yield* (yield* Policies).inForce({ asOf, after, limit: 3 })
        found.push(...page.map((version) => version.policy.policyId))
        after = page.at(-1)?.policy.policyId ?? null
        if (after === null) break
      }
      deepStrictEqual(found, ids.toSorted())
    })
  }
]

const byPolicy = (a: PolicyVersion, b: PolicyVersion): number =>
  a.policy.policyId < b.policy.policyId ? -1 : 1
