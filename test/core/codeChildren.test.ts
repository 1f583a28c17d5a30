import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { childrenOf, childrenMax, isHeader, possibleChildren } from "../../core/coverage/codeChildren.ts"
import { day, recordOf } from "../kit/library.ts"

const icd = (code: string, given: Partial<CodeRecord> = {}) =>
  recordOf({ code, codeSystem: "ICD10CM", ...given })
const asOf = day("2026-03-01")
const codes = (header: string, records: ReadonlyArray<CodeRecord>) =>
  childrenOf(header, records, asOf).map((one) => one.code)

describe("contract §2 the children of an ICD-10-CM header", () => {
  it("are the codes directly below it, past placeholders", () => {
    const records = ["M54", "M541", "M540", "M5410", "E0837X1", "E0837X2"].map((code) => icd(code))
    expect(codes("M54", records)).toEqual(["M540", "M541"])
    expect(codes("M541", records)).toEqual(["M5410"])
    expect(codes("E0837", records)).toEqual(["E0837X1", "E0837X2"])
    expect(codes("M5410", records)).toEqual([])
  })

  it("are in force on the day, and replace those that ended", () => {
    const records = [
      icd("M545", { terminationDate: day("2021-09-30") }),
      icd("M5450", { effectiveDate: day("2021-10-01") }),
      icd("M546", { effectiveDate: day("2026-10-01") }),
      icd("M547", { terminationDate: asOf }),
      icd("M548", { effectiveDate: asOf })
    ]
    expect(codes("M54", records)).toEqual(["M5450", "M547", "M548"])
  })

  it("are at most 50, and of ICD-10-CM headers only", () => {
    const many = Array.from({ length: 60 }, (_, index) => icd(`T36${String(index).padStart(2, "0")}`))
    expect(codes("T36", many)).toHaveLength(childrenMax)
    expect(isHeader(icd("M54", { billable: false }))).toBe(true)
    expect(isHeader(icd("M5410"))).toBe(false)
    expect(isHeader(recordOf({ code: "E0601", billable: false }))).toBe(false)
  })

  it("are found by key: at most 154 codes of at most seven characters", () => {
    expect(possibleChildren("M54")).toHaveLength(154)
    expect(possibleChildren("E0837")).toHaveLength(82)
    expect(possibleChildren("E0837")).toContain("E0837X1")
    expect(possibleChildren("S72001A")).toEqual([])
  })
})

const order = join(import.meta.dirname, "../../../shared/data/icd10cm/icd10cm-order-Jan-2021.txt.gz")

describe.skipIf(!existsSync(order))("CMS's own headers (skipped: ../shared/data is not here)", () => {
  it("have children, and every code below a category has one parent", { timeout: 60_000 }, async () => {
    const source = await Effect.runPromise(readIcd10cm(order))
    const { codes: records } = await Effect.runPromise(source.read)
    const byCode = new Map(records.map((record) => [record.code, record]))
    const children = records.filter(isHeader).map(({ code }) =>
      childrenOf(
        code,
        possibleChildren(code).flatMap((one) => byCode.get(one) ?? []),
        asOf
      )
    )
    expect(children.filter((all) => all.length === 0)).toEqual([])
    const below = children.flat().map((one) => one.code)
    expect(new Set(below).size).toBe(below.length)
    expect(below.length).toBe(records.filter(({ code }) => code.length > 3).length)
  })
})
