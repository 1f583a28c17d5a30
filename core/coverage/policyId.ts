import type { PolicyId } from "./Policy.ts"

/** Longer texts name no policy. */
export const policyIdCharactersMax = 100

/**
 * The canonical id of any usual writing (contract §2, GET /policies/{id}): `l33831` and `LCD L33831` are
 * `L33831`, `ncd220.6`, `NCD 220.6` and a bare `220.6` are `NCD 220.6`. Whatever is none of Medicare's is a
 * payer's own id and kept as it is but for the space around it. Sections are text: `220.60` is not `220.6`.
 * Undefined: no id at all.
 */
export const parsePolicyId = (text: string): PolicyId | undefined => {
  const trimmed = text.trim()
  if (trimmed === "" || trimmed.length > policyIdCharactersMax || /\p{Cc}/u.test(trimmed)) return undefined
  for (const writing of writings) {
    const match = writing.pattern.exec(trimmed)
    if (match !== null) return writing.id(match[1] ?? "")
  }
  return trimmed as PolicyId
}

/** Whether the text is one of Medicare's ids and nothing else; a payer's own may be any text. */
export const isMedicareId = (text: string): boolean =>
  writings.some(({ pattern }) => pattern.test(text.trim()))

/** The id of a local coverage determination; a proposed one carries a `D` before its letter. */
export const lcdId = (lcd: { readonly number: string; readonly proposed: boolean }): PolicyId =>
  `${lcd.proposed ? "DL" : "L"}${lcd.number}` as PolicyId

/** The id of an article; a proposed one carries a `D` before its letter. */
export const articleId = (article: { readonly number: string; readonly proposed: boolean }): PolicyId =>
  `${article.proposed ? "DA" : "A"}${article.number}` as PolicyId

/** The id of a national coverage determination, by its section of the manual: `220.6`, `20.8.1.1`. */
export const ncdId = (section: string): PolicyId => `NCD ${section}` as PolicyId

interface IdSpelling {
  readonly pattern: RegExp
  readonly id: (kept: string) => PolicyId
}

const upper = (kept: string): PolicyId => kept.toUpperCase() as PolicyId

/** One row per way of writing; the first that matches decides. */
const writings: ReadonlyArray<IdSpelling> = [
  { pattern: /^(?:LCD[\s:#_§-]*)?(D?L\d{4,6})$/i, id: upper },
  { pattern: /^(?:Article[\s:#_§-]*)?(D?A\d{4,6})$/i, id: upper },
  { pattern: /^LCD[\s:#_§-]*(\d{4,6})$/i, id: (number) => lcdId({ number, proposed: false }) },
  { pattern: /^Article[\s:#_§-]*(\d{4,6})$/i, id: (number) => articleId({ number, proposed: false }) },
  { pattern: /^NCD[\s:#_§-]*(\d{1,3}(?:\.\d{1,3}){1,5})$/i, id: ncdId },
  { pattern: /^(\d{1,3}(?:\.\d{1,3}){1,5})$/, id: ncdId }
]
