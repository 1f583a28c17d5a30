import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import { bestAlike } from "../../core/coverage/suggest.ts"
import { recordOf } from "../kit/library.ts"

const codes: ReadonlyArray<CodeRecord> = [
  recordOf({ code: "E0601", description: "Continuous airway pressure (CPAP) device" }),
  recordOf({ code: "E0610", description: "Pacemaker monitor, for E0601 users" }),
  recordOf({ code: "E0691" }),
  recordOf({ code: "A4604", description: "Tubing for use with positive airway pressure device" }),
  recordOf({ code: "99213", codeSystem: "CPT" }),
  recordOf({ code: "E060", codeSystem: "ICD10CM", description: "Acute thyroiditis" }),
  recordOf({ code: "E11", codeSystem: "ICD10CM" }),
  recordOf({ code: "E1165", codeSystem: "ICD10CM", description: "Type 2 diabetes with hyperglycemia" }),
  recordOf({ code: "E11651", codeSystem: "ICD10CM" })
]
const alike = (text: string, candidates = codes) =>
  bestAlike({ text, candidates, limit: 5 }).map((one) => one.code)

describe("contract §2 suggestions for a code that was not found", () => {
  it.each([
    ["E0611", ["E0610", "E0601", "E0691"], "one character changed, the last before an earlier one"],
    ["E6001", ["E0601"], "two neighbors exchanged"],
    ["EO601", ["E0601"], "a letter that looks like a digit"],
    ["E06011", ["E0601"], "one too many"],
    ["E061", ["E060", "E0610", "E0601", "E0691"], "one too few"],
    ["9921", ["99213"], "one too few"],
    ["e11.6", ["E1165", "E11"], "dotted, in any case"],
    ["E11.", ["E11"], "a dot too many"]
  ])("%s: %j, %s", (text, expected) => {
    expect(alike(text)).toEqual(expected)
  })

  it("codes of the same shape come first, and a dot speaks for ICD-10", () => {
    const records = [
      recordOf({ code: "M5450", codeSystem: "HCPCS" }),
      recordOf({ code: "M545", codeSystem: "ICD10CM" })
    ]
    expect(alike("M5452", records)).toEqual(["M5450", "M545"])
    expect(alike("M54.52", records)[0]).toBe("M545")
  })

  it("§2.1 rule 1 never suggests a code of another section or chapter", () => {
    const records = [
      recordOf({ code: "C099", codeSystem: "ICD10CM", description: "Malignant neoplasm of tonsil" }),
      recordOf({ code: "0U99", codeSystem: "ICD10PCS" }),
      recordOf({ code: "E0601" }),
      recordOf({ code: "99213", codeSystem: "CPT" })
    ]
    for (const text of ["U09.9", "u099", "F0601", "0601", "0E601", "AE0601", "O9213", "9213", "19213"])
      expect(alike(text, records), text).toEqual(text === "9213" ? ["99213"] : [])
  })

  it("a beginning, two slips, a letter for any digit or another code's description suggest nothing", () => {
    const far = ["E", "E0", "E06", "E0733", "A0611", "E116512345", "9921A", "G9213", "E06", "XXXXX"]
    const records = codes.filter(({ code }) => !["E060", "E11"].includes(code))
    for (const text of far) expect(alike(text, records), text).toEqual([])
    expect(alike("E0602", codes.slice(1, 2))).toEqual([])
  })

  it("words find descriptions, and only where the text is no code", () => {
    expect(alike("airway pressure")).toEqual(["E0601", "A4604"])
    expect(alike("CPAP")).toEqual(["E0601"])
    expect(alike("type 2 diabetes")).toEqual(["E1165"])
    expect(alike("of")).toEqual([])
    expect(bestAlike({ text: "cpap", candidates: codes, limit: 1 })[0]).toMatchObject({
      matchType: "description",
      score: 0.12
    })
  })
})

const real = (path: string): string => join(import.meta.dirname, "../../../shared/data", path)

describe.skipIf(!existsSync(real("hcpcs")))("CMS's own codes (skipped: ../shared/data is not here)", () => {
  const read = async () => {
    const hcpcs = readHcpcs(real("hcpcs/HCPC2016_CONTR_ANWEB.txt"))
    const icd = readIcd10cm(real("icd10cm/icd10cm-order-Jan-2021.txt.gz"))
    const contents = await Effect.runPromise(
      Effect.forEach([hcpcs, icd], (opened) => Effect.flatMap(opened, (source) => source.read))
    )
    return contents.flatMap((one) => one.codes)
  }

  it("suggest what a person would, or nothing", { timeout: 60_000 }, async () => {
    const candidates = await read()
    const found = (text: string) => alike(text, candidates)
    expect(found("M54.50").slice(0, 2)).toEqual(["M545", "M5405"])
    expect(found("E0734")).toEqual(["E0730", "E0731", "E0744", "E0764", "E0784"])
    expect(found("U09.9").filter((code) => !code.startsWith("U"))).toEqual([])
    expect(["99213", "XXXXX", "A0", "12345"].flatMap(found)).toEqual([])
  })
})
