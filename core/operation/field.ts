import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { codeNouns, readCode } from "../coverage/codeInput.ts"
import { foldCode } from "../coverage/codeShape.ts"
import type { CodeField, CodeKind } from "../coverage/codeShape.ts"
import { isIsoDate } from "../coverage/date.ts"
import type { IsoDate } from "../coverage/date.ts"

/**
 * The kinds of input field. A check that measures length or size refuses with `out_of_range`; every other
 * check is one of form and refuses with `invalid_format` (contract §1, Validation); validate.ts tells them by
 * the check's id.
 */

/**
 * What a text holds where bare digits are at home and are no identifier (phi.md); numbers say so themselves.
 */
export type Holds = "code" | "id" | "date" | "cursor" | "url"

/** Text of any length. Lengths of text count code points (contract §1). */
export const anyText = (holds?: Holds) =>
  holds === undefined ? Schema.String : Schema.String.annotate({ holds })

export const text = (range: { readonly min: number; readonly max: number }, holds?: Holds) =>
  anyText(holds).check(Schema.isBetweenCodePoints(range.min, range.max))

/** Text of 1..20 characters after trimming: a medical code of any system in any usual writing. */
export const codeText = anyText("code").check(
  Schema.isBetweenCodePoints(1, 20),
  Schema.makeFilter((value: string) => foldCode(value).length > 0, { expected: "a code" })
)

/**
 * A code of one kind in any writing that `foldCode` folds (coverage-domain §2.1, rule 1). A text that is not
 * a code is refused with its correction; an empty or a long text that no correction fits is out of range.
 */
export const codeOf = (field: CodeField) => {
  const [min, max] = codeLengths[field.kind]
  return anyText("code").check(
    Schema.makeFilter(
      (value: string) => {
        const fault = Result.getFailure(readCode(value, field))
        if (Option.isNone(fault)) return true
        const length = [...value].length
        return (length < min || length > max) && !fault.value.isRecognized ? true : fault.value.message
      },
      { expected: codeNouns[field.kind] }
    ),
    Schema.isBetweenCodePoints(min, max)
  )
}

/** The characters that a code may have, with blanks around it. */
const codeLengths: Readonly<Record<CodeKind, readonly [min: number, max: number]>> = {
  procedure: [1, 20],
  diagnosis: [1, 20],
  modifier: [1, 5]
}

export const pattern = (expression: RegExp, expected: string, holds?: Holds) =>
  anyText(holds).check(Schema.isPattern(expression, { expected }))

/** What a date is called in messages. */
export const dateWords = "a date, YYYY-MM-DD"

export const isoDate = Schema.String.check(Schema.makeFilter(isIsoDate, { expected: dateWords })).pipe(
  Schema.decodeTo(anyText("date") as unknown as Schema.Codec<IsoDate, string>)
)

const isoTimePattern =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

const isIsoTime = (value: string): boolean => isoTimePattern.test(value) && isIsoDate(value.slice(0, 10))

/** A date-time with its offset, RFC 3339. */
export const isoTime = anyText("date").check(
  Schema.makeFilter(isIsoTime, { expected: "a date-time such as 2026-01-31T12:00:00Z" })
)

/** The same, or a day, which stands for its first moment in UTC. */
export const isoTimeOrDate = anyText("date").check(
  Schema.makeFilter((value: string) => isIsoTime(value) || isIsoDate(value), {
    expected: "a date-time such as 2026-01-31T12:00:00Z, or a date, YYYY-MM-DD"
  })
)

/** An integer written in digits, as queries and paths carry it. */
export const integerText = (range: { readonly min: number; readonly max: number }) =>
  Schema.String.check(Schema.isPattern(/^-?[0-9]+$/, { expected: "an integer" })).pipe(
    Schema.decodeTo(
      Schema.Number.check(Schema.isBetween({ minimum: range.min, maximum: range.max })),
      SchemaTransformation.transform({ decode: (value: string) => Number(value), encode: String })
    )
  )

export const integer = (range: { readonly min: number; readonly max: number }) =>
  Schema.Number.check(Schema.isInt(), Schema.isBetween({ minimum: range.min, maximum: range.max }))

/** Ids of webhooks, deliveries and changes. */
export const idText = integerText({ min: 0, max: Number.MAX_SAFE_INTEGER })

export const id = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

export const booleanText = Schema.Literals(["true", "false"])

export const list = <Item extends Schema.Top>(
  item: Item,
  range: { readonly min: number; readonly max: number }
) => Schema.Array(item).check(Schema.isBetweenLength(range.min, range.max))

export const pageLimit = { standard: 50, max: 100 } as const

/** The query fields of every list (contract §1, Lists). */
export const pageFields = {
  cursor: Schema.optionalKey(anyText("cursor")),
  limit: Schema.optionalKey(integerText({ min: 1, max: pageLimit.max }))
}

/** A text of an answer that may be unknown. */
export const maybeText = Schema.NullOr(Schema.String)

export const texts = Schema.Array(Schema.String)

export const placeText = text({ min: 1, max: 50 })

export const policyId = text({ min: 1, max: 100 }, "id")

export const codeParams = Schema.Struct({ code: text({ min: 1, max: 100 }) })
