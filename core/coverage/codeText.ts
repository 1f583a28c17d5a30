import type { CodeDescription, CodeRecord, CodeSystem } from "./Code.ts"

/**
 * A code as it is kept: trimmed, upper case, an ICD-10 code without its dot (contract §2, GET /codes/lookup
 * accepts both). Other dots stay: they belong to no code system and must not make one code look like another.
 */
export const canonicalCode = (text: string): string => {
  const upper = text.trim().toUpperCase()
  return dottedIcd10.test(upper) ? upper.replace(".", "") : upper
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
  const upper = text.trim().toUpperCase()
  return shapes.filter((shape) => shape.pattern.test(upper)).map((shape) => shape.codeSystem)
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

const dottedIcd10 = /^[A-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}$/
const cpt = /^\d{4}[0-9A-Z]$/
const hcpcs = /^[A-Z]\d{4}$/

const shapes: ReadonlyArray<{ readonly codeSystem: CodeSystem; readonly pattern: RegExp }> = [
  { codeSystem: "CPT", pattern: cpt },
  { codeSystem: "HCPCS", pattern: hcpcs },
  { codeSystem: "ICD10CM", pattern: /^[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?$/ },
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
