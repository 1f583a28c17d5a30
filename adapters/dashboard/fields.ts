import * as Result from "effect/Result"
import { parseEmail, parseName } from "../../core/person/form.ts"
import { passwordCharacters, passwordFault, passwordSays } from "../../core/person/password.ts"
import type { Field, Option } from "./form.ts"

/** Required text on one line, without the characters that reverse its direction. */
export const textField = (parts: {
  readonly label: string
  readonly missing: string
  readonly charactersMax: number
  readonly autocomplete: string
  readonly hint?: string
}): Field<string> => {
  const { charactersMax, missing } = parts
  return {
    ...parts,
    control: { type: "text", ...parts },
    parse: (sent, name) =>
      Result.mapError(parseName(sent.text(name).replaceAll(directionMarks, ""), charactersMax), (code) =>
        code === "required" ? missing : `Use at most ${charactersMax.toLocaleString("en")} characters.`
      )
  }
}

/** Text that core/admin parses. */
export const rawField = (
  parts: Pick<Field<string>, "label" | "hint"> & { readonly control?: Field<string>["control"] }
): Field<string> => ({
  control: { type: "text" },
  ...parts,
  parse: (sent, name) => Result.succeed(sent.text(name))
})

export const emailField = (
  more: { readonly autocomplete?: string; readonly hint?: string } = {}
): Field<string> => ({
  label: "Email",
  ...more,
  control: { type: "email", ...more },
  parse: (sent, name) =>
    Result.fromNullishOr(
      parseEmail(sent.text(name)),
      () => "Enter an email address, such as name@example.com."
    )
})

/** A password as it was typed, to compare. */
export const passwordField = (): Field<string> => ({
  label: "Password",
  control: { type: "password", autocomplete: "current-password" },
  parse: (sent, name) =>
    sent.raw(name) === "" ? Result.fail("Enter your password.") : Result.succeed(sent.raw(name))
})

/** A password as it was typed, to keep. core/admin also compares it with the account's email. */
export const newPasswordField = (label: string): Field<string> => ({
  label,
  hint: `At least ${passwordCharacters.min} characters. A few words work well.`,
  control: { type: "password", autocomplete: "new-password" },
  parse: (sent, name) => {
    const fault = passwordFault(sent.raw(name))
    return fault === undefined ? Result.succeed(sent.raw(name)) : Result.fail(passwordSays[fault])
  }
})

/** One of several values; `accepted` may hold more than the options shown. */
export const choiceField = <Value extends string>(parts: {
  readonly label: string
  readonly options: ReadonlyArray<Option & { readonly value: Value }>
  readonly missing: string
  readonly accepted?: ReadonlyArray<Value>
}): Field<Value> => {
  const accepted = parts.accepted ?? parts.options.map(({ value }) => value)
  return {
    label: parts.label,
    control: { type: "select", options: parts.options },
    parse: (sent, name) =>
      Result.fromNullishOr(
        accepted.find((value) => value === sent.text(name)),
        () => parts.missing
      )
  }
}

const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
