import { foldCode } from "../../core/coverage/codeShape.ts"
import { canonicalCode, codeSystemsLike, procedureSystem } from "../../core/coverage/codeText.ts"
import type { CodeGroupKind, CodeSystemOfPolicy } from "../../core/coverage/Policy.ts"

/** The system of a code in a group of that kind; undefined: the group may not hold it. */
export const systemIn = (kind: CodeGroupKind, code: string): CodeSystemOfPolicy | undefined => {
  const canonical = canonicalCode(code)
  switch (kind) {
    case "procedure":
      return procedureIn(code)
    case "dx_covered":
    case "dx_noncovered":
      return codeSystemsLike(canonical).includes("ICD10CM") ? "ICD10CM" : undefined
    case "pcs":
      return codeSystemsLike(canonical).includes("ICD10PCS") ? "ICD10PCS" : undefined
    case "modifier":
      return /^[A-Z0-9]{2}$/.test(canonical) ? "MODIFIER" : undefined
    case "bill_type":
      return /^\d{3,4}[A-Z]?$/.test(canonical) ? "BILL_TYPE" : undefined
    case "revenue":
      return /^\d{3,4}X?$/.test(canonical) ? "REVENUE" : undefined
  }
}

/** The system of a procedure code. A dot makes it none: without its dot `M54.16` would look like HCPCS. */
export const procedureIn = (code: string): "CPT" | "HCPCS" | undefined => procedureSystem(foldCode(code))

/** Codes as they are kept: canonical, each once, sorted. */
export const canonicalCodes = (codes: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(codes.map(canonicalCode))].toSorted()
