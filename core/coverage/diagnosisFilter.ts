import { codeShapes } from "./codeShape.ts"
import { canonicalCode } from "./codeText.ts"

/** The diagnoses that a filter of policies admits: one code, or every code of a category. */
export type DiagnosisFilter =
  | { readonly _tag: "Code"; readonly code: string }
  | { readonly _tag: "Category"; readonly category: string }

/**
 * Reads a filter that `readCode` accepted. Three characters are a category, with or without `.*`
 * (coverage-domain §2.1, rule 1): `E11` and `E11.*` mean E11 and every code that begins with it.
 */
export const diagnosisFilter = (text: string): DiagnosisFilter => {
  const code = canonicalCode(text).replace(/\.\*$/, "")
  return codeShapes.category.test(code) ? { _tag: "Category", category: code } : { _tag: "Code", code }
}

/** Whether the filter admits an ICD-10-CM code in its stored form. */
export const admitsDiagnosis = (filter: DiagnosisFilter, code: string): boolean => {
  switch (filter._tag) {
    case "Code":
      return code === filter.code
    case "Category":
      return code.startsWith(filter.category)
  }
}
