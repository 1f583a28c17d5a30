import * as Result from "effect/Result"
import { parseEmail, parseName } from "../../core/person/form.ts"
import { passwordFault, passwordSays } from "../../core/person/password.ts"
import type { Form } from "./form.ts"

/** What is wrong with one field, in a sentence that stands beside it and in the summary above the form. */
export interface Fault {
  readonly field: string
  readonly says: string
}

/** How one field's text is read; a failure is the sentence that says what to write instead. */
export type Field<Value> = (form: Form, name: string) => Result.Result<Value, string>

/** A form's fields by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>
export type ValuesOf<Given extends Fields> = {
  readonly [Name in keyof Given]: Given[Name] extends Field<infer Value> ? Value : never
}

export type FormResult<Values> =
  | { readonly _tag: "Read"; readonly values: Values }
  | { readonly _tag: "Faulty"; readonly faults: ReadonlyArray<Fault> }

/** All fields typed, or every fault among them at once. */
export const readFields = <Given extends Fields>(fields: Given, form: Form): FormResult<ValuesOf<Given>> => {
  const faults: Array<Fault> = []
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const read = field(form, name)
    if (Result.isSuccess(read)) values[name] = read.success
    else faults.push({ field: name, says: read.failure })
  }
  return faults.length > 0 ? { _tag: "Faulty", faults } : { _tag: "Read", values: values as ValuesOf<Given> }
}

/** Text on one line that must be there; signs that turn the direction of the text around are left out. */
export const requiredText =
  (rule: { readonly missing: string; readonly charactersMax: number }): Field<string> =>
  (form, name) => {
    const read = parseName(form.text(name).replaceAll(turning, ""), rule.charactersMax)
    if (Result.isSuccess(read)) return Result.succeed(read.success)
    return Result.fail(
      read.failure === "required"
        ? rule.missing
        : `Use at most ${rule.charactersMax.toLocaleString("en")} characters.`
    )
  }

/** Text on one line; "" where nothing was written. */
export const optionalText =
  (rule: { readonly charactersMax: number }): Field<string> =>
  (form, name) =>
    form.text(name) === "" ? Result.succeed("") : requiredText({ missing: "", ...rule })(form, name)

/** An e-mail address that a letter can be sent to. */
export const emailText: Field<string> = (form, name) => {
  const email = parseEmail(form.text(name))
  return email === undefined
    ? Result.fail("Write an e-mail address, such as name@example.com.")
    : Result.succeed(email)
}

/** A password as it was typed, to be compared. */
export const passwordText: Field<string> = (form, name) =>
  form.raw(name) === "" ? Result.fail("Write your password.") : Result.succeed(form.raw(name))

/** A password as it was typed, to be kept; one that is the address of the same form is not taken. */
export const newPassword: Field<string> = (form, name) => {
  const password = form.raw(name)
  const fault = passwordFault(password, parseEmail(form.text("email")))
  return fault === undefined ? Result.succeed(password) : Result.fail(passwordSays[fault])
}

/** One of a table's values. */
export const oneOf =
  <Value extends string>(values: ReadonlyArray<Value>, missing: string): Field<Value> =>
  (form, name) => {
    const chosen = values.find((value) => value === form.text(name))
    return chosen === undefined ? Result.fail(missing) : Result.succeed(chosen)
  }

/** Digits within bounds. */
export const wholeNumber =
  (rule: { readonly min: number; readonly max: number }): Field<number> =>
  (form, name) => {
    const text = form.text(name)
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= rule.min && value <= rule.max
      ? Result.succeed(value)
      : Result.fail(`Write a whole number from ${rule.min} to ${rule.max.toLocaleString("en")}.`)
  }

/** Whether a box was ticked. */
export const checkbox: Field<boolean> = (form, name) => Result.succeed(form.text(name) !== "")

const turning = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
