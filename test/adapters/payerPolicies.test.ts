import { readFile } from "node:fs/promises"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Library } from "../../adapters/memory/Library.ts"
import { readPolicies } from "../../adapters/payer/readPolicies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Payers } from "../../core/port/Payers.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { fixture } from "../kit/cmsFixtures.ts"
import { id } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"
import { policyWithLogic, linesOf, payer, policy, policyWithRule, writePayerFile } from "../kit/payerLines.ts"

const library = Layer.fresh(memoryLibrary)
const contentsAt = (path: string) => Effect.flatMap(readPolicies(path), (source) => source.read)
const importing = (path: string) =>
  Effect.flatMap(readPolicies(path), (source) => importPolicies(source, () => Effect.void))

describe("importing payer policies (contract §4, coverage-domain §2)", () => {
  it.effect("keeps payers, versions in order, changes, criteria and rules as for Medicare's", () =>
    Effect.gen(function* () {
      const { seconds, snapshot, ...report } = yield* importing(fixture("policies.ndjson"))
      expect(report).toMatchObject({ policies: 7, versions: 9, changes: 9, unchanged: false, gaps: [] })
      expect([snapshot.length, seconds >= 0]).toEqual([64, true])
      expect((yield* (yield* Payers).list).map((one) => one.code)).toEqual([
        "cedar-valley",
        "medicare",
        "northstar"
      ])
      const injections = (yield* Library).policies.get(id("NSH-MP-101")) ?? []
      expect(injections.map((one) => [one.version, one.effectiveDate])).toEqual([
        [1, "2023-01-01"],
        [2, "2025-07-01"]
      ])
      expect(injections[1]).toMatchObject({
        policy: { payerCode: "northstar", policyType: "Medical Policy", lineOfBusiness: "commercial" },
        national: true,
        sourceShape: "criteria_backed",
        priorAuth: [
          { ruleId: "NSH-PA-101", program: "payer", payerCode: "northstar", sites: ["outpatient_hospital"] }
        ]
      })
      const [covered] = injections[1]?.codeGroups ?? []
      expect(covered).toMatchObject({ kind: "dx_covered", role: "any", scope: ["62321", "62322", "62323"] })
      expect(covered?.codes.map((code) => code.code)).toEqual(["M48062", "M5116", "M5117", "M5416", "M5417"])
      const { changes } = yield* (yield* Policies).changes({
        since: null,
        policyId: id("NSH-MP-101"),
        changeType: null,
        policyType: null,
        before: null,
        limit: 9
      })
      expect(changes.map((change) => [change.changeType, change.addedCodes])).toEqual([
        ["codes_changed", ["62322"]],
        ["created", expect.any(Array)]
      ])
      expect(yield* importing(fixture("policies.ndjson"))).toMatchObject({ unchanged: true, versions: 0 })
    }).pipe(Effect.provide(library))
  )

  it.live("files of several payers come in any order, whatever days they are of", () =>
    Effect.gen(function* () {
      yield* importing(
        yield* writePayerFile(linesOf({ record: "source", as_of: "2026-05-01" }, payer, policy))
      )
      const older = linesOf(
        { record: "source", as_of: "2020-01-01" },
        { ...payer, code: "bell" },
        { ...policy, policy_id: "BELL-1", payer_code: "bell" }
      )
      expect(yield* importing(yield* writePayerFile(older))).toMatchObject({ policies: 1, versions: 1 })
    }).pipe(Effect.provide(library))
  )

  it.live("a policy that comes again with another rule or criterion is a new version", () =>
    Effect.gen(function* () {
      const file = (record: unknown) => writePayerFile(linesOf(payer, record))
      yield* importing(yield* file(policyWithLogic({ op: "age", min: 18 })))
      expect(yield* importing(yield* file(policyWithLogic({ op: "age", min: 21 })))).toMatchObject({
        versions: 1,
        changes: 1
      })
      expect(yield* importing(yield* file(policyWithRule({})))).toMatchObject({ versions: 1, changes: 1 })
      expect(yield* importing(yield* file(policyWithRule({ end_date: "2026-01-01" })))).toMatchObject({
        versions: 1,
        changes: 1
      })
    }).pipe(Effect.provide(library))
  )

  it.live("a policy in some states applies there, and one without states everywhere", () =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() => readFile(fixture("policies.ndjson"), "utf8"))
      const { policies, snapshot } = yield* contentsAt(yield* writePayerFile(text))
      expect(snapshot).toMatchObject({ kind: "payer_policies", sourceAsOf: "2026-03-31" })
      const newest = policies.map(({ versions }) => versions.at(-1)?.())
      expect(newest.map((one) => [one?.policy.policyId, one?.national, one?.states.join()])).toEqual([
        ["CVC-001", false, "OK,TX"],
        ["CVC-002", false, "TX"],
        ["CVC-003", false, "OK,TX"],
        ["NSH-DP-201", true, ""],
        ["NSH-MP-101", true, ""],
        ["NSH-MP-102", true, ""],
        ["NSH-PP-301", true, ""]
      ])
    })
  )
})
