/** The kinds of code that a request may send (coverage-domain §2.1, rule 1). */
export type CodeKind = "procedure" | "diagnosis" | "modifier"

/** A field of a request that takes codes. Messages name the other fields to correct the caller. */
export interface CodeField {
  readonly kind: CodeKind
  /** `each`: a list of codes; `one`: a single code. */
  readonly takes: "each" | "one"
  /** Whether a diagnosis may be a category with its codes, written as its three characters and `.*`. */
  readonly categories?: true
  /** The fields of the same request for codes of each kind; absent if it has none. */
  readonly procedures?: string
  readonly diagnoses?: string
  readonly modifiers?: string
}

/**
 * The characters of each kind of code, without anchors. Procedure codes are CPT (categories I, II and III,
 * PLA and MAAA) or HCPCS level II, including the dental D codes. HCPCS uses no I, no O and no W to Z.
 */
export const codeSources: Readonly<Record<CodeKind, string>> = {
  procedure: "(?:[0-9]{4}[0-9AFMTU]|[A-HJ-NP-V][0-9]{4})",
  diagnosis: "(?:[A-Z][0-9][0-9AB](?:\\.?[0-9A-NP-Z]{1,4})?)",
  modifier: "(?:[0-9A-Z]{2})"
}

/** The shapes of codes after `foldCode`. */
export const codeShapes = {
  procedure: new RegExp(`^${codeSources.procedure}$`),
  diagnosis: new RegExp(`^${codeSources.diagnosis}$`),
  modifier: new RegExp(`^${codeSources.modifier}$`),
  /** The first three characters of an ICD-10-CM code. */
  category: /^[A-Z][0-9][0-9AB]$/,
  cpt: /^[0-9]{4}[0-9AFMTU]$/,
  hcpcs: /^[A-HJ-NP-V][0-9]{4}$/
} as const

/**
 * Folds the writings of one code: removes blanks around it and invisible characters anywhere, replaces
 * full-width and other compatibility characters, and converts to upper case. Digits and letters of other
 * scripts remain, so that they match no shape.
 */
export const foldCode = (text: string): string =>
  (isPlain.test(text) ? text : text.replace(invisible, "").normalize("NFKC"))
    .trim()
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** Printable ASCII needs no folding but that of its case. */
const isPlain = /^[ -~]*$/
const invisible = /\p{Default_Ignorable_Code_Point}/gu
