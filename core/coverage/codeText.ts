import type { CodeDescription, CodeRecord, CodeSystem } from "./Code.ts"
import { codeShapes, foldCode } from "./codeShape.ts"

/**
 * The stored form of a code: folded, and an ICD-10-CM code without its dot (contract §2, GET /codes/lookup
 * accepts both). Other dots remain: they belong to no code system, and removing them could turn one code into
 * another.
 */
export const canonicalCode = (text: string): string => {
  const folded = foldCode(text)
  return codeShapes.diagnosis.test(folded) ? folded.replace(".", "") : folded
}

/** A code as it is written for people: ICD-10-CM with a dot after its third character. */
export const displayCode = (code: { readonly codeSystem: string; readonly code: string }): string =>
  code.codeSystem === "ICD10CM" && code.code.length > 3
    ? `${code.code.slice(0, 3)}.${code.code.slice(3)}`
    : code.code

/**
 * The code systems whose shape the text has, most likely first. Shape alone cannot tell all apart: `A0100` is
 * both an ambulance code of HCPCS and typhoid fever.
 */
export const codeSystemsLike = (text: string): ReadonlyArray<CodeSystem> => {
  const folded = foldCode(text)
  return shapes.filter((shape) => shape.pattern.test(folded)).map((shape) => shape.codeSystem)
}

/** The system of a code of a procedure list; undefined where it has the shape of neither. */
export const procedureSystem = (code: string): "CPT" | "HCPCS" | undefined =>
  cpt.test(code) ? "CPT" : hcpcs.test(code) ? "HCPCS" : undefined

/** The AMA owns the words of CPT and the ADA those of CDT (the D codes): neither is ever kept or shown. */
export const isDescriptorLicensed = (code: string): boolean => cpt.test(code) || /^D\d{4}$/.test(code)

/**
 * What each code is called, under `system code`: by the documents, else by the table's record. The owners of
 * CPT and CDT license their words, so that those codes have none.
 */
export const descriptionsFrom = (input: {
  readonly documents: ReadonlyArray<CodeDescription>
  readonly records: ReadonlyArray<CodeRecord>
}): ReadonlyMap<string, string> =>
  new Map(
    [...input.records, ...input.documents].flatMap(({ code, codeSystem, description }) =>
      description === null || isLicensed({ code, codeSystem })
        ? []
        : [[`${codeSystem} ${code}`, description] as const]
    )
  )

const isLicensed = ({ code, codeSystem }: Pick<CodeDescription, "code" | "codeSystem">): boolean =>
  codeSystem === "CPT" || (codeSystem === "HCPCS" && isDescriptorLicensed(code))

/** The section of HCPCS level II that a code belongs to, by its letter; null for any other code. */
export const hcpcsCategory = (code: string): string | null =>
  hcpcs.test(code) ? (hcpcsSections[code.charAt(0)] ?? null) : null

const { cpt, diagnosis, hcpcs } = codeShapes

const shapes: ReadonlyArray<{ readonly codeSystem: CodeSystem; readonly pattern: RegExp }> = [
  { codeSystem: "CPT", pattern: cpt },
  { codeSystem: "HCPCS", pattern: hcpcs },
  { codeSystem: "ICD10CM", pattern: diagnosis },
  { codeSystem: "ICD10PCS", pattern: /^[0-9A-HJ-NP-Z]{7}$/ },
  { codeSystem: "NDC", pattern: /^(\d{10,11}|\d{4,5}-\d{3,4}-\d{1,2})$/ }
]

const hcpcsSections: Readonly<Record<string, string>> = {
  A: "Transportation, medical and surgical supplies, administrative and investigational",
  B: "Enteral and parenteral therapy",
  C: "Outpatient prospective payment system (temporary)",
  D: "Dental procedures",
  E: "Durable medical equipment",
  G: "Procedures and professional services (temporary)",
  H: "Alcohol and drug abuse treatment",
  J: "Drugs administered other than by oral method",
  K: "Durable medical equipment (temporary)",
  L: "Orthotic and prosthetic procedures",
  M: "Medical and quality services",
  P: "Pathology and laboratory services",
  Q: "Temporary codes",
  R: "Diagnostic radiology services",
  S: "Temporary national codes (not Medicare)",
  T: "National codes for state Medicaid agencies",
  U: "Laboratory tests (temporary)",
  V: "Vision, hearing and speech-language pathology services"
}
