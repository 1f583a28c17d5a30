import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Library } from "../../adapters/memory/Library.ts"
import { readPolicies } from "../../adapters/payer/readPolicies.ts"
import * as Records from "../../adapters/payer/records.ts"
import { sites } from "../../core/coverage/site.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { blocksOf } from "../architecture/documents.ts"
import { folder } from "../kit/cmsFixtures.ts"
import { id } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const path = "docs/payer-policies.md"
const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")
const examples = blocksOf({ path, text }).filter(({ language }) => language === "json")

describe("docs/payer-policies.md", () => {
  it.live("shows records that are imported as they stand, one a line", () =>
    Effect.gen(function* () {
      const lines = examples.map((block) => JSON.stringify(JSON.parse(block.text)))
      expect(lines.map((line) => JSON.parse(line).record)).toEqual(["source", "payer", "policy"])
      const file = join(yield* folder, "example.ndjson")
      yield* Effect.promise(() => writeFile(file, lines.join("\n")))
      const source = yield* readPolicies(file)
      const report = yield* importPolicies(source, () => Effect.void)
      expect(report).toMatchObject({ policies: 1, versions: 1, changes: 1, unchanged: false })
      const [version] = (yield* Library).policies.get(id("NSH-DP-210")) ?? []
      expect(version).toMatchObject({
        codeGroups: [
          { kind: "dx_covered", scope: ["J0585"], role: "primary" },
          { kind: "procedure", disposition: "requires_pa" }
        ],
        criteria: [
          { requiresManualReview: false, logicAst: { op: "all" } },
          { requiresManualReview: true, logicAst: null }
        ],
        priorAuth: [{ ruleId: "NSH-PA-210", sites: ["office", "outpatient_hospital"] }]
      })
    }).pipe(Effect.provide(Layer.fresh(memoryLibrary)))
  )

  it("names every member of every record, every site and every operator", () => {
    const records = [
      Records.SourceRecord,
      Records.PayerRecord,
      Records.PolicyRecord,
      Records.VersionRecord,
      Records.GroupRecord,
      Records.RuleRecord
    ]
    const members = records.flatMap((record) => Object.keys(record.fields))
    const operators = [
      "all",
      "any",
      "not",
      "cmp",
      "has_code",
      "age",
      "sex",
      "site",
      "modifier",
      "specialty",
      "within"
    ]
    expect(members.length).toBeGreaterThan(40)
    const names = [...members, ...sites, ...operators]
    expect(names.filter((name) => !new RegExp(`["\`]${name}["\`]`).test(text))).toEqual([])
  })
})
