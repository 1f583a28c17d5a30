import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readCode } from "../../core/coverage/codeInput.ts"
import { codeShapes, foldCode } from "../../core/coverage/codeShape.ts"
import type { CodeField, CodeKind } from "../../core/coverage/codeShape.ts"
import { canonicalCode, codeSystemsLike, procedureSystem } from "../../core/coverage/codeText.ts"

const names = { procedures: "procedure_codes", diagnoses: "diagnosis_codes", modifiers: "modifiers" }
const fieldOf = (kind: CodeKind): CodeField => ({ ...names, kind, takes: "each" })

const read = (text: string, field: CodeField): string =>
  Result.match(readCode(text, field), { onFailure: ({ message }) => message, onSuccess: (code) => code })

describe("coverage-domain §2.1 rule 1: writings of a code", () => {
  it.each<[CodeKind, string, string]>([
    ["procedure", "E0601 ", "E0601"],
    ["procedure", "\t64635\n", "64635"],
    ["procedure", "0627t", "0627T"],
    ["procedure", "0001F", "0001F"],
    ["procedure", "0001m", "0001M"],
    ["procedure", "0001u", "0001U"],
    ["procedure", "0001A", "0001A"],
    ["procedure", "d0120", "D0120"],
    ["procedure", "\u200bE06\u200d01\ufeff", "E0601"],
    ["procedure", "Ｅ０６０１", "E0601"],
    ["procedure", "\u00a064635\u3000", "64635"],
    ["diagnosis", "e11.65", "E11.65"],
    ["diagnosis", "M1A.0110", "M1A.0110"],
    ["diagnosis", "Ｅ１１．９", "E11.9"],
    ["diagnosis", "z3a.20x", "Z3A.20X"],
    ["modifier", " rt ", "RT"],
    ["modifier", "５９", "59"]
  ])("%s %j is read as %s", (kind, text, code) => expect(read(text, fieldOf(kind))).toBe(code))

  it("refuses letters that HCPCS does not use, and suffixes that CPT does not use", () => {
    for (const letter of "IOWXYZ") expect(codeShapes.procedure.test(`${letter}0601`)).toBe(false)
    for (const letter of "BCDEGHIJKLNOPQRSVWXYZ")
      expect(codeShapes.procedure.test(`0601${letter}`)).toBe(false)
  })

  it("agrees with the systems that a shape suggests and with the stored form", () => {
    const texts = fc.oneof(
      fc.stringMatching(/^[0-9A-Z]{2,7}$/),
      fc.stringMatching(/^[A-Z][0-9][0-9AB]\.?[0-9A-Z]{0,4}$/),
      fc.stringMatching(/^[0-9A-Z][0-9]{3}[0-9A-Z]$/)
    )
    fc.assert(
      fc.property(texts, (text) => {
        const [procedure, diagnosis] = [codeShapes.procedure.test(text), codeShapes.diagnosis.test(text)]
        expect(procedureSystem(text) !== undefined).toBe(procedure)
        expect(codeSystemsLike(text).includes("ICD10CM")).toBe(diagnosis)
        expect(codeShapes.diagnosis.test(canonicalCode(text))).toBe(diagnosis)
      })
    )
  })

  it("folds a text once: folding again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(foldCode(foldCode(text))).toBe(foldCode(text))
      })
    )
  })
})

const modifierFix = "holds a code with its modifier; send the code alone and its modifier in `modifiers`"

describe("coverage-domain §2.1 rule 1: texts that are not codes, and what to send instead", () => {
  it.each<[CodeKind, string, string]>([
    ["procedure", "K0823NU", modifierFix],
    ["procedure", "64635-50", modifierFix],
    ["procedure", "99213-25-59", modifierFix],
    ["procedure", "64635 RT", modifierFix],
    ["procedure", "K0813-K0816", "holds a range of codes; send each code of the range as its own element"],
    ["procedure", "64635 to 64636", "holds a range of codes; send each code of the range as its own element"],
    ["procedure", "64635;64636", "holds several codes; send one code per element"],
    ["procedure", "CPT 64635", "has other text before the code; send the code alone"],
    ["procedure", "64635 (facet)", "has other text beside the code; send the code alone"],
    ["procedure", "64635.", "has other characters at its ends; send the code alone"],
    ["procedure", "E 0601", "has blanks or punctuation inside it; send it without them"],
    ["procedure", "E06O1", "has the letter O as character 4, where the code has the digit 0; send the digit"],
    ["procedure", "6463l", "has the letter L as character 5, where the code has the digit 1; send the digit"],
    ["procedure", "٦٤٦٣٥", "has digits of another script; send the digits 0 to 9"],
    ["procedure", "Е0601", "has letters of another alphabet; send the letters A to Z"],
    ["procedure", "M54.16", "has the shape of a diagnosis code; send it in `diagnosis_codes`"],
    ["procedure", "S72001A", "has the shape of a diagnosis code; send it in `diagnosis_codes`"],
    ["procedure", "0SG00A0", "has the shape of an ICD-10-PCS code; send a CPT or HCPCS code"],
    ["procedure", "0002-7597-01", "has the shape of an NDC; send a CPT or HCPCS code"],
    ["diagnosis", "I10,E11.9", "holds several codes; send one code per element"],
    ["diagnosis", "I10.", "has other characters at its ends; send the code alone"],
    ["diagnosis", "I1O", "has the letter O as character 3, where the code has the digit 0; send the digit"],
    ["diagnosis", "E11.-", "holds a placeholder for the last characters of the code; send the whole code"],
    ["diagnosis", "99213", "has the shape of a procedure code; send it in `procedure_codes`"],
    ["diagnosis", "250.00", "has the shape of an ICD-9-CM code; send the ICD-10-CM code"],
    ["diagnosis", "E116.5", "has blanks or punctuation inside it; send it without them"],
    ["modifier", "5", "is not a modifier; send two letters or digits, such as 59 or RT"],
    ["modifier", "LT,RT", "holds several codes; send one code per element"],
    ["modifier", "64635-50", "holds a procedure code; send the modifier alone"],
    ["modifier", "-59", "has other characters at its ends; send the modifier alone"]
  ])("%s %j %s", (kind, text, message) => expect(read(text, fieldOf(kind))).toBe(message))

  it("names the field of the same request for the other part, or none", () => {
    const one = { kind: "procedure", takes: "one" } as const
    expect(read("64635-50", { ...one, modifiers: "modifier" })).toMatch(/its modifier in `modifier`$/)
    expect(read("64635-50", one)).toMatch(/send the code without its modifier$/)
    expect(read("64635,64636", one)).toMatch(/send one code$/)
    expect(read("K0813-K0816", one)).toMatch(/send one code of the range$/)
    expect(read("I10", one)).toMatch(/send a procedure code$/)
  })

  it("reads text of any length without repeating it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<CodeKind>("procedure", "diagnosis", "modifier"),
        fc.oneof(fc.string({ minLength: 30, unit: "binary" }), fc.constant("E0601,".repeat(50_000))),
        (kind, text) => {
          const found = readCode(text, fieldOf(kind))
          if (Result.isFailure(found)) expect(found.failure.message).not.toContain(text)
        }
      )
    )
  })
})
