import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { foldState } from "../../core/coverage/place.ts"
import { readingOn } from "../../core/coverage/reading.ts"
import { contentsAt, newestOf } from "../kit/cmsFixtures.ts"

/** A part of CMS's own downloads beside the project; without it these tests say that they saw nothing. */
const real = (path: string): string => join(import.meta.dirname, "../../../shared/data", path)
const isThere = existsSync(real("mcd"))
const today = "2026-03-12" as IsoDate

describe.skipIf(!isThere)("CMS's own tables of March 2026 (skipped: ../shared/data is not here)", () => {
  const contents = contentsAt(real("mcd"))

  it.live("become 255 national and 715 local policies, by what the source holds of each", () =>
    Effect.gen(function* () {
      const read = yield* contents
      expect(read.snapshot.sourceAsOf).toBe(today)
      const shapes = [...newestOf(read).values()].map((one) => `${one.policy.policyType} ${one.sourceShape}`)
      expect(
        Object.fromEntries(
          [...Map.groupBy(shapes, (shape) => shape)].map(([shape, all]) => [shape, all.length])
        )
      ).toEqual({
        "NCD criteria_backed": 253,
        "NCD metadata_only": 2,
        "LCD metadata_only": 663,
        "LCD code_list_only": 52
      })
      expect(read.gaps[0]).toMatch(/^LCDs without a row of lcd.csv .*: 715\.$/)
    })
  )

  it.live("say that 28 national determinations are retired, 220.6 among them, whatever their dates say", () =>
    Effect.gen(function* () {
      const all = [...newestOf(yield* contents).values()].map((document) => ({ ...document, version: 1 }))
      const standing = (date: IsoDate) =>
        all
          .filter((one) => one.national)
          .filter((one) => readingOn([one], date)?.status === "retired")
          .map((one) => one.policy.policyId as string)
      expect(standing(today).length).toBe(28)
      expect(standing(today)).toEqual(
        expect.arrayContaining(["NCD 220.6", "NCD 30.4", "NCD 230.11", "NCD 220.6.20"])
      )
      expect(standing("2020-06-01" as IsoDate)).toEqual(standing(today))
    })
  )

  it.live("have 18 laboratory determinations, all of them of section 190 of the manual", () =>
    Effect.gen(function* () {
      const all = [...newestOf(yield* contents).values()].filter((one) => one.policy.policyType === "NCD")
      expect(all.filter((one) => one.laboratory === undefined)).toEqual([])
      const laboratory = all.filter((one) => one.laboratory).map((one) => one.policy.policyId)
      expect(laboratory).toHaveLength(18)
      expect(laboratory.filter((id) => !id.startsWith("NCD 190."))).toEqual([])
    })
  )

  it.live("put an LCD into Texas only through a contractor that serves Texas, never through 05901", () =>
    Effect.gen(function* () {
      const lcds = [...newestOf(yield* contents).values()].filter((one) => !one.national)
      const national = lcds.filter((one) =>
        one.contractors.some((contractor) => contractor.contractorNumber === "05901")
      )
      expect(national.length).toBe(87)
      const texas = lcds.filter((one) => one.states.includes("TX"))
      const letters = new Set(
        texas.flatMap((one) => one.contractors.map((contractor) => contractor.jurisdictionCode))
      )
      expect(texas.length).toBeGreaterThan(50)
      for (const one of texas) {
        expect(
          one.contractors.some(({ jurisdictionCode }) =>
            ["JH", "DME JC", "JM"].includes(jurisdictionCode ?? "")
          )
        ).toBe(true)
      }
      expect(letters.has("JH")).toBe(true)
      expect(national.filter((one) => one.states.includes("TX")).length).toBe(0)
    })
  )

  it.live("give each jurisdiction the letter, the contractor and the states that CMS gives it", () =>
    Effect.gen(function* () {
      const expected: ReadonlyArray<{
        jurisdiction_code: string
        mac_name: string
        states: ReadonlyArray<string>
      }> = JSON.parse(readFileSync(real("derived/jurisdictions.json"), "utf8"))
      const folded = (states: ReadonlyArray<string>) => [...new Set(states.map(foldState))].toSorted()
      expect(
        (yield* contents).jurisdictions.map((one) => [one.jurisdictionCode, one.macName, one.states])
      ).toEqual(expected.map((one) => [one.jurisdiction_code, one.mac_name, folded(one.states)]))
    })
  )

  it.live("hold no character that was decoded wrongly", () =>
    Effect.gen(function* () {
      const text = JSON.stringify([...newestOf(yield* contents).values()])
      expect([text.includes("\ufffd"), /[\u0080-\u009f]/.test(text), text.includes("&nbsp;")]).toEqual([
        false,
        false,
        false
      ])
    })
  )

  it.live("count as the domain notes count them: HCPCS of 2016 by coverage code", () =>
    Effect.gen(function* () {
      const { codes } = yield* Effect.flatMap(
        readHcpcs(real("hcpcs/HCPC2016_CONTR_ANWEB.txt")),
        (source) => source.read
      )
      const counts = [...Map.groupBy(codes, (code) => code.coverageCode)].map(([letter, all]) => [
        letter,
        all.length
      ])
      expect(Object.fromEntries(counts)).toEqual({ D: 1806, I: 810, C: 3122, S: 115, M: 103 })
      expect(codes.filter((code) => code.terminationDate !== null).length).toBe(449)
    })
  )

  it.live("count 72,621 billable codes and 22,737 headers in ICD-10-CM of January 2021", () =>
    Effect.gen(function* () {
      const path = real("icd10cm/icd10cm-order-Jan-2021.txt.gz")
      const { codes, snapshot } = yield* Effect.flatMap(readIcd10cm(path), (source) => source.read)
      expect(snapshot.sourceAsOf).toBe("2021-01-01")
      expect([
        codes.filter((code) => code.billable).length,
        codes.filter((code) => !code.billable).length
      ]).toEqual([72_621, 22_737])
    })
  )
})
