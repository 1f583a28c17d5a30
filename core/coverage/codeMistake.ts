import { codeShapes, codeSources } from "./codeShape.ts"
import type { CodeField, CodeKind } from "./codeShape.ts"

/**
 * Recognizes the mistake in a text that is not a code (coverage-domain §2.1, rule 1). `text` is folded and
 * does not have the shape of the field's kind. Returns the mistake and its correction as a predicate, such as
 * `holds a range of codes; send each code of the range as its own element`, or undefined if no row recognizes
 * the text.
 */
export const codeMistake = (text: string, field: CodeField): string | undefined => {
  for (const { find, fix, kind } of mistakes) {
    if (kind !== undefined && kind !== field.kind) continue
    const found = find(text, field.kind)
    if (found !== undefined) return `${found}; ${fix(field)}`
  }
  return undefined
}

interface Mistake {
  /** The kind of field that the row is about; absent for every kind. */
  readonly kind?: CodeKind
  /** What is wrong with the text; undefined if the row does not recognize it. */
  readonly find: (text: string, kind: CodeKind) => string | undefined
  readonly fix: (field: CodeField) => string
}

/** A row that recognizes a text by a pattern. */
const row = (pattern: RegExp, problem: string, fix: Mistake["fix"]): Mistake => ({
  find: (text) => (pattern.test(text) ? problem : undefined),
  fix
})

/** The same for the fields of one kind. */
const rowOf = (kind: CodeKind, ...said: Parameters<typeof row>): Mistake => ({ kind, ...row(...said) })

const { diagnosis, modifier, procedure } = codeSources
const code = `(?:${procedure}|${diagnosis})`
const dash = "(?:[-~\\u2010-\\u2015\\u2212]+|\\.{2,}|THRU|THROUGH|TO)"
const mark = "[^0-9A-Z]"
const withModifiers = new RegExp(`^${procedure}${mark}*${modifier}(?:${mark}+${modifier})*${mark}*$`)
/** The letters at the end of a diagnosis, such as S7200XA, begin with X or a digit. */
const withLetters = /^[A-HJ-NP-V][0-9]{4}(?!X)[A-Z]{2}$/
const systemName = "(?:CPT|HCPCS|HCPC|CODE|DX|ICD(?:[- ]?10)?(?:[- ]?CM)?)"

const alone = ({ kind }: CodeField): string =>
  kind === "modifier" ? "send the modifier alone" : "send the code alone"

const oneEach = ({ takes }: CodeField): string =>
  takes === "each" ? "send one code per element" : "send one code"

const rangeFix = ({ takes }: CodeField): string =>
  takes === "each" ? "send each code of the range as its own element" : "send one code of the range"

const modifierFix = ({ modifiers }: CodeField): string =>
  modifiers === undefined
    ? "send the code without its modifier"
    : `send the code alone and its modifier in \`${modifiers}\``

const sendIn = (name: string | undefined, otherwise: string): string =>
  name === undefined ? otherwise : `send it in \`${name}\``

const listParts = (text: string): ReadonlyArray<string> =>
  text.split(/(?:[\s,;/|&+]|\bAND\b|\bOR\b)+/).filter((part) => part !== "")

const isList = (text: string, kind: CodeKind): boolean => {
  const parts = listParts(text)
  const pattern = kind === "modifier" ? codeShapes.modifier : anyCode
  return parts.length > 1 && parts.every((part) => pattern.test(part))
}
const anyCode = new RegExp(`^${code}$`)

/** A row that recognizes a text which has the right shape once some characters are taken out. */
const without = (characters: RegExp, problem: string, fix: Mistake["fix"]): Mistake => ({
  find: (text, kind) => (codeShapes[kind].test(text.replace(characters, "")) ? problem : undefined),
  fix
})

const digits: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" }

/** Letters that are taken for digits, from the character `start` on. */
const letterForDigit = (kind: CodeKind, start: 0 | 1): Mistake => ({
  kind,
  find: (text) => {
    // The last characters of a diagnosis may be letters, except O.
    const isDigit = (index: number, character: string): boolean =>
      index >= start && (kind === "procedure" || index < 3 || character === "O")
    const repaired = [...text].map((one, index) => (isDigit(index, one) ? (digits[one] ?? one) : one))
    if (!codeShapes[kind].test(repaired.join(""))) return undefined
    const index = repaired.findIndex((character, at) => character !== text[at])
    const letter = text[index] ?? ""
    return `has the letter ${letter} as character ${index + 1}, where the code has the digit ${digits[letter]}`
  },
  fix: () => "send the digit"
})

/** The first row that recognizes a text decides: special rows precede general ones. */
const mistakes: ReadonlyArray<Mistake> = [
  row(/(?![0-9])\p{Nd}/u, "has digits of another script", () => "send the digits 0 to 9"),
  row(/(?![A-Z])\p{L}/u, "has letters of another alphabet", () => "send the letters A to Z"),
  letterForDigit("procedure", 1),
  rowOf("procedure", withLetters, "holds a code with its modifier", modifierFix),
  rowOf("procedure", new RegExp(`^${diagnosis}$`), "has the shape of a diagnosis code", ({ diagnoses }) =>
    sendIn(diagnoses, "send a procedure code")
  ),
  letterForDigit("procedure", 0),
  rowOf("diagnosis", new RegExp(`^${procedure}$`), "has the shape of a procedure code", ({ procedures }) =>
    sendIn(procedures, "send an ICD-10-CM code")
  ),
  letterForDigit("diagnosis", 1),
  rowOf("diagnosis", /^[0-9]{3}(\.[0-9]{1,2})?$/, "has the shape of an ICD-9-CM code", () => {
    return "send the ICD-10-CM code"
  }),
  row(new RegExp(`${code} *${dash} *${code}`), "holds a range of codes", rangeFix),
  { find: (text, kind) => (isList(text, kind) ? "holds several codes" : undefined), fix: oneEach },
  rowOf("procedure", withModifiers, "holds a code with its modifier", modifierFix),
  rowOf("modifier", new RegExp(`^${procedure}`), "holds a procedure code", () => "send the modifier alone"),
  rowOf(
    "diagnosis",
    /^[A-Z][0-9][0-9AB](?:\.?[0-9A-Z]{0,3})?\.?[-*?%]+$/,
    "holds a placeholder for the last characters of the code",
    ({ categories }) =>
      categories === true ? "send the whole code, or a category such as E11.*" : "send the whole code"
  ),
  rowOf("modifier", /^MOD(IFIER)?[^0-9A-Z]*[0-9A-Z]{2}$/, "has other text before it", alone),
  row(new RegExp(`^${systemName}${mark}*${code}$`), "has other text before the code", alone),
  without(/^[^0-9A-Z]+|[^0-9A-Z]+$/g, "has other characters at its ends", alone),
  without(/[^0-9A-Z]+/g, "has blanks or punctuation inside it", () => "send it without them"),
  row(new RegExp(`(?:^|[^0-9A-Z.])${code}(?!\\.?[0-9A-Z])`), "has other text beside the code", alone),
  rowOf("procedure", /^[0-9A-HJ-NP-Z]{7}$/, "has the shape of an ICD-10-PCS code", () => {
    return "send a CPT or HCPCS code"
  }),
  rowOf("procedure", /^[0-9]{4,5}-[0-9]{3,4}-[0-9]{1,2}$|^[0-9]{10,11}$/, "has the shape of an NDC", () => {
    return "send a CPT or HCPCS code"
  })
]
