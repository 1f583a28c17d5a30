import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { Policy, PolicyDocument } from "../../core/coverage/Policy.ts"
import { changeTypes } from "../../core/coverage/revise.ts"
import type { ChangesQuery, RecordedChange } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import { day, documentOf, id, procedure, snapshotOf, time } from "./library.ts"
import { anyDocument, someIds } from "./libraryArbitraries.ts"
import { memoryLibraryOf } from "./oracle.ts"
import { withSeed } from "./withSeed.ts"

const times = ["2026-03-05T23:59:59.999Z", "2026-03-06T00:00:00.000Z", "2026-03-06T10:00:00.001Z"].map(time)

/** What every store tells of changes (core/port/Changes.ts); each check wants an empty library. */
export const changesLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "contract §2 the changes are those that the filters admit, newest first, whatever was kept",
    check: withSeed((draw) =>
      Effect.gen(function* () {
        const documents = draw(anyDocument, 80)
        const oracle = yield* memoryLibraryOf([])
        for (const [index, document] of documents.entries()) {
          const at = times[Math.trunc(index / 30)] ?? times[0]
          if (at === undefined) return
          yield* keep(document, at)
          yield* oracle.snapshots.saveHistory({ snapshot: snapshotOf({}), documents: [document], at })
        }
        const changes = yield* Policies
        for (const query of draw(anyChangesQuery, 100)) {
          const expected = yield* oracle.changes.changes(query)
          deepStrictEqual(yield* changes.changes(query), expected, JSON.stringify(query))
        }
      })
    )
  },
  {
    says: "contract §2 a change tells what the policy is called now, and what was changed then",
    check: Effect.gen(function* () {
      const [first, second] = times
      if (first === undefined || second === undefined) return
      const before = documentOf({ policyId: "L1", codeGroups: [procedure("E0601", "E0470")] })
      const after = { ...before, title: "Renamed", codeGroups: [procedure("E0601", "L8000")] }
      yield* keep(before, first)
      yield* keep(after, second)
      yield* keep(after, second)
      const { changes, next } = yield* (yield* Policies).changes(queryOf({}))
      strictEqual(next, null)
      deepStrictEqual(
        changes.map(({ changeSummary, diffId, ...change }) => {
          ok(changeSummary !== "" && diffId > 0)
          return change
        }),
        toldOf({ policy: before.policy, title: "Renamed", first, second })
      )
      for (const policyId of ["L9", "'", "\0"].map(id)) {
        deepStrictEqual(yield* (yield* Policies).changes(queryOf({ policyId })), { changes: [], next: null })
      }
    })
  },
  {
    says: "contract §1 pages of changes neither skip nor repeat what existed throughout while others are written",
    check: Effect.gen(function* () {
      const at = times[0]
      if (at === undefined) return
      for (let index = 0; index < 10; index++) yield* keep(documentOf({ policyId: `L${index}` }), at)
      const changes = yield* Policies
      const whole = yield* changes.changes(queryOf({ limit: 100 }))
      strictEqual(whole.changes.length, 10)
      for (const limit of [1, 3, 10]) {
        const seen: Array<RecordedChange> = []
        let before: number | null = null
        for (let page = 0; page < 20; page++) {
          const { changes: rows, next }: Page = yield* changes.changes(queryOf({ before, limit }))
          ok(rows.length <= limit)
          seen.push(...rows)
          if (next === null) break
          before = next
          yield* keep(documentOf({ policyId: `L${limit}x${page}`, effectiveDate: day("2021-01-01") }), at)
        }
        deepStrictEqual(
          seen
            .map(({ diffId }) => diffId)
            .filter((diffId) => whole.changes.some((one) => one.diffId === diffId)),
          whole.changes.map(({ diffId }) => diffId)
        )
        strictEqual(new Set(seen.map(({ diffId }) => diffId)).size, seen.length)
      }
    })
  }
]

/** What is told of a policy that was created and then renamed, with one code for another. */
const toldOf = ({
  first,
  second,
  ...said
}: {
  readonly policy: Policy
  readonly title: string
  readonly first: IsoTime
  readonly second: IsoTime
}) => [
  {
    ...said,
    oldVersion: 1,
    newVersion: 2,
    changeType: "codes_changed",
    changedFields: ["codes", "title"],
    addedCodes: ["L8000"],
    removedCodes: ["E0470"],
    modifiedCriteria: [],
    changedAt: second
  },
  {
    ...said,
    oldVersion: null,
    newVersion: 1,
    changeType: "created",
    changedFields: [],
    addedCodes: ["E0470", "E0601"],
    removedCodes: [],
    modifiedCriteria: [],
    changedAt: first
  }
]

type Page = Effect.Success<ReturnType<(typeof Policies.Service)["changes"]>>

const keep = (document: PolicyDocument, at: IsoTime) =>
  Effect.flatMap(Snapshots, ({ saveHistory }) =>
    saveHistory({ snapshot: snapshotOf({}), documents: [document], at })
  )

const queryOf = (given: Partial<ChangesQuery>): ChangesQuery => ({
  since: null,
  policyId: null,
  changeType: null,
  policyType: null,
  before: null,
  limit: 50,
  ...given
})

const anyChangesQuery: fc.Arbitrary<ChangesQuery> = fc.record({
  since: fc.option(fc.constantFrom(...times, time("2026-03-06T10:00:00.002Z")), { nil: null }),
  policyId: someIds.map(([one]) => one ?? null),
  changeType: fc.option(fc.constantFrom(...changeTypes), { nil: null, freq: 3 }),
  policyType: fc.option(fc.constantFrom("LCD", "Article", "NCD"), { nil: null, freq: 3 }),
  before: fc.option(fc.integer({ min: 1, max: 90 }), { nil: null, freq: 3 }),
  limit: fc.integer({ min: 1, max: 12 })
})
