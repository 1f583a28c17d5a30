import * as Result from "effect/Result"
import { codeMistake } from "./codeMistake.ts"
import { codeShapes, foldCode } from "./codeShape.ts"
import type { CodeField, CodeKind } from "./codeShape.ts"

/** Why a text is not a code, as a predicate that also states what to send instead. */
export interface NotACode {
  readonly message: string
  /** Whether a row of the table of mistakes recognizes the text. */
  readonly isRecognized: boolean
}

/**
 * Reads one code of a request (coverage-domain §2.1, rule 1). Returns the folded text if it has the shape of
 * the field's kind. A failure never repeats the text.
 */
export const readCode = (text: string, field: CodeField): Result.Result<string, NotACode> => {
  const folded = text.length > charactersMax ? undefined : foldCode(text)
  if (folded !== undefined && hasShape(folded, field)) return Result.succeed(folded)
  const mistake = folded === undefined ? undefined : codeMistake(folded, field)
  return Result.fail({
    message: mistake ?? `is not ${codeNouns[field.kind]}; send ${formats[field.kind]}`,
    isRecognized: mistake !== undefined
  })
}

const hasShape = (folded: string, { categories, kind }: CodeField): boolean =>
  codeShapes[kind].test(folded) ||
  (categories === true && folded.endsWith(".*") && codeShapes.category.test(folded.slice(0, -2)))

/** A longer text is no code, and is not searched for mistakes. */
const charactersMax = 200

/** What a field of each kind takes, as messages and the published schema name it. */
export const codeNouns: Readonly<Record<CodeKind, string>> = {
  procedure: "a CPT or HCPCS procedure code",
  diagnosis: "an ICD-10-CM code",
  modifier: "a modifier"
}

const formats: Readonly<Record<CodeKind, string>> = {
  procedure: "four digits and a digit or A, F, M, T or U, or a letter and four digits",
  diagnosis: "a letter, a digit, a digit or A or B, and up to four more characters, such as E11.65",
  modifier: "two letters or digits, such as 59 or RT"
}
