import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { day, documentOf, id, recordOf, snapshotOf } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const source = (name: string, asOf: string, title: string) => {
  const snapshot = snapshotOf({ snapshotId: name, sourceAsOf: day(asOf) })
  const policy = { policyId: id("L1"), versions: [() => documentOf({ policyId: "L1", title })] }
  const contents = { snapshot, policies: [policy], jurisdictions: [], gaps: [] }
  return { snapshotId: name, kind: "mcd" as const, read: Effect.succeed(contents) }
}
const quietly = () => Effect.void

describe("contract §4 the order of imports", () => {
  it.effect(
    "an older download after a newer one is refused and keeps nothing; one of the same day is taken",
    () =>
      Effect.gen(function* () {
        yield* importPolicies(source("newer", "2026-03-12", "As it is"), quietly)
        const refusal = yield* Effect.flip(
          importPolicies(source("older", "2026-03-05", "As it was"), quietly)
        )
        expect(refusal).toMatchObject({
          _tag: "SnapshotOlder",
          sourceAsOf: "2026-03-05",
          knownAsOf: "2026-03-12"
        })
        expect(yield* (yield* Snapshots).isComplete("older")).toBe(false)
        const again = yield* importPolicies(source("corrected", "2026-03-12", "As it is, corrected"), quietly)
        expect(again).toMatchObject({ versions: 1, changes: 1, unchanged: false })
      }).pipe(Effect.provide(memoryLibrary))
  )

  it.effect(
    "an import that was cut off inside a policy's history keeps every version when it runs again",
    () =>
      Effect.gen(function* () {
        const sound = yield* Snapshots
        const titles = ["First", "Second", "Third"]
        const documents = titles.map((title) => () => documentOf({ policyId: "NCD 1.1", title }))
        const snapshot = snapshotOf({ snapshotId: "cut off" })
        const policies = [{ policyId: id("NCD 1.1"), versions: documents }]
        const contents = { snapshot, policies, jurisdictions: [], gaps: [] }
        const cutting = { snapshotId: "cut off", kind: "mcd" as const, read: Effect.succeed(contents) }
        let writes = 0
        const once =
          <A, B>(write: (input: A) => B) =>
          (input: A) => {
            writes += 1
            return writes === 1 ? write(input) : Effect.die("cut off")
          }
        const failing = {
          ...sound,
          saveHistory: once(sound.saveHistory),
          complete: () => Effect.die("cut off")
        }
        const cut = importPolicies(cutting, quietly).pipe(Effect.provideService(Snapshots, failing))
        yield* Effect.exit(cut)
        yield* importPolicies(cutting, quietly)
        const history = yield* (yield* Policies).history(id("NCD 1.1"))
        expect(history.map((step) => step.newVersion)).toEqual([1, 2, 3])
      }).pipe(Effect.provide(memoryLibrary))
  )

  it.effect("a code without a date counts from the day of the file that brought or changed it", () =>
    Effect.gen(function* () {
      const file = (name: string, asOf: string, codes: ReadonlyArray<CodeRecord>) => {
        const snapshot = snapshotOf({ snapshotId: name, kind: "icd10cm", sourceAsOf: day(asOf) })
        const contents = { snapshot, codeSystem: "ICD10CM" as const, codes, gaps: [] }
        return importCodes({ snapshotId: name, kind: "icd10cm", read: Effect.succeed(contents) }, quietly)
      }
      const icd = (code: string, billable: boolean) => recordOf({ code, codeSystem: "ICD10CM", billable })
      const on = (asOf: string) =>
        Effect.map(
          Effect.flatMap(Codes, ({ find }) =>
            find({ codes: ["M545", "M5450", "R69"], codeSystem: null, asOf: day(asOf) })
          ),
          (records) => records.map(({ code, billable, effectiveDate }) => [code, billable, effectiveDate])
        )
      const old = [icd("M545", true), icd("R69", true)]
      expect((yield* file("2021", "2021-01-01", old)).codes).toBe(2)
      const next = [icd("M545", false), icd("M5450", true), icd("R69", true)]
      expect((yield* file("2026", "2025-10-01", next)).codes).toBe(2)
      expect(yield* on("2021-06-01")).toEqual([
        ["M545", true, null],
        ["M5450", true, "2025-10-01"],
        ["R69", true, null]
      ])
      expect((yield* on("2025-10-01")).slice(0, 2)).toEqual([
        ["M545", false, "2025-10-01"],
        ["M5450", true, "2025-10-01"]
      ])
      expect((yield* file("again", "2026-10-01", next)).codes).toBe(0)
      expect((yield* file("late", "2020-10-01", [...old, icd("Z999", true)])).codes).toBe(1)
      expect((yield* on("2026-01-01")).at(0)).toEqual(["M545", false, "2025-10-01"])
    }).pipe(Effect.provide(memoryLibrary))
  )
})
