import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readNcdCodes } from "../../adapters/cms/readNcdCodes.ts"
import { listsFolder } from "../../apps/lists/shippedLists.ts"
import { contentsAt, newestOf } from "../kit/cmsFixtures.ts"

const rows = Effect.map(readNcdCodes(`${listsFolder}/ncd-codes.csv`), (list) => list.rows)
const lines = readFileSync(`${listsFolder}/ncd-codes.csv`, "utf8").trimEnd().split("\n").slice(1)
const readme = readFileSync(join(`${listsFolder}/ncd-codes.csv`, "../README.md"), "utf8")

/** Determinations of the list that CMS's part of the table does not hold, as the README names them. */
const absent = new Set(
  (/does not hold:\n\n([\s\S]*?)\n\n/.exec(readme)?.[1] ?? "").match(/[\d.]*\d/g)?.map((one) => `NCD ${one}`)
)

describe("the list of NCD codes that the service ships (coverage-domain §2.1, rule 4)", () => {
  it.live("is a list, without a row that stands twice, in the order of its determinations", () =>
    Effect.gen(function* () {
      const read = yield* rows
      expect(read.length).toBe(lines.length)
      const order = (id: string) =>
        id
          .slice(4)
          .split(".")
          .map((part) => part.padStart(4, "0"))
          .join(".")
      const keys = read.map((row) => `${order(row.policyId)} ${row.code}`)
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
    })
  )

  it.live("leads from at least 90 determinations, PET and the most asked ones among them", () =>
    Effect.gen(function* () {
      const ids = new Set<string>((yield* rows).map((row) => row.policyId))
      expect(ids.size).toBeGreaterThanOrEqual(90)
      for (const one of ["20.32", "100.1", "50.3", "210.3", "190.11", "220.4", "190.12", "30.3.3"])
        expect(ids).toContain(`NCD ${one}`)
      const pet = Array.from({ length: 20 }, (_, index) => `NCD 220.6.${index + 1}`)
      expect(pet.filter((one) => !ids.has(one))).toEqual(["NCD 220.6.18"])
      expect(ids).toContain("NCD 220.6")
    })
  )

  it.live("says of every row where it comes from: a manual, an instruction, a contractor, CMS's files", () =>
    Effect.gen(function* () {
      const known = new RegExp(
        [
          String.raw`Pub\. 100-0[34], |CR \d{4,5}|Coverage Issues Manual reference|Coding Policy Manual|^LCD L\d{5} `,
          String.raw`article A\d{5}|recovery audit topic \d{4}|^CGS Medicare|^Noridian Medicare`
        ].join("|")
      )
      for (const row of yield* rows) {
        expect(row.source).toMatch(known)
        if (row.sourceUrl !== null) {
          expect(row.sourceUrl).toMatch(
            /^https:\/\/([a-z]+\.)*(cms\.gov|hhs\.gov|cgsmedicare\.com|noridianmedicare\.com)\//
          )
        }
      }
    })
  )

  it.live("holds no words of a code's descriptor: all that a row says is its source", () =>
    Effect.gen(function* () {
      const sources = new Set((yield* rows).map((row) => row.source))
      expect(sources.size).toBeLessThan(lines.length / 2)
      for (const source of sources) expect(source).not.toMatch(descriptorWords)
    })
  )
})

const descriptorWords =
  /\b(each|unilateral|bilateral|percutaneous|injection|transcatheter|surgical|insertion|per unit|mg|ml)\b/i

const real = join(import.meta.dirname, "../../../shared/data/mcd")

describe.skipIf(!existsSync(real))(
  "the shipped list beside CMS's own table of March 2026 (skipped: ../shared/data is not here)",
  () => {
    const known = Effect.map(contentsAt(real), newestOf)

    it.live("names only determinations of the table, or those that its README names as absent", () =>
      Effect.gen(function* () {
        const documents = yield* known
        const missing = new Set<string>(
          (yield* rows).map((row) => row.policyId).filter((id) => !documents.has(id))
        )
        expect([...missing].toSorted()).toEqual([...absent].toSorted())
      })
    )

    it.live("denies only by determinations of level 3", () =>
      Effect.gen(function* () {
        const documents = yield* known
        const denying = (yield* rows).filter((row) => row.role === "denies")
        expect(denying.length).toBeGreaterThan(0)
        for (const row of denying) {
          const level = documents.get(row.policyId)?.coverageLevel
          expect([row.policyId, level]).toEqual([row.policyId, 3])
        }
      })
    )
  }
)
