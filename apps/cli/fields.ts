import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Edition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import { parseNetwork } from "../../core/network/address.ts"
import { parseOrigin, parseScopes } from "../../core/key/NewKey.ts"
import type { Scope } from "../../core/operation/scope.ts"
import { scopes } from "../../core/operation/scope.ts"
import { packs } from "../../core/organization/pack.ts"
import type { CommandRefused } from "./CommandRefused.ts"
import { refuse } from "./CommandRefused.ts"

/** Characters of a name or a reason. */
const textLengthMax = 200
/** Characters of an address that mail can reach (RFC 5321). */
const emailLengthMax = 254
/** One grant: far more than anybody buys at once, far less than a sum could lose digits by. */
const grantMax = 1_000_000_000

type Field<A> = Effect.Effect<A, CommandRefused>

/** Text of 1 to 200 characters once the spaces around it are gone; `what` names the flag. */
export const textField = (what: string, text: string): Field<string> => {
  const trimmed = text.trim()
  const isFitting = trimmed !== "" && [...trimmed].length <= textLengthMax
  return isFitting
    ? Effect.succeed(trimmed)
    : refuse("VALIDATION_OUT_OF_RANGE", `${what} needs 1 to ${textLengthMax} characters.`)
}

/** A flag that may be left out. */
export const optionalField = <A>(
  text: Option.Option<string>,
  read: (text: string) => Field<A>
): Field<A | null> => Option.match(text, { onNone: () => Effect.succeed(null), onSome: read })

export const emailField = (text: string): Field<string> =>
  /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= emailLengthMax
    ? Effect.succeed(text)
    : refuse("VALIDATION_INVALID_FORMAT", "--owner must be an email address.")

export const scopesField = (text: string): Field<ReadonlyArray<Scope>> => {
  const read = parseScopes(partsOf(text))
  return read === undefined
    ? refuse(
        "VALIDATION_INVALID_FORMAT",
        `--scopes must be some of ${scopes.join(", ")}, separated by commas.`
      )
    : Effect.succeed(read)
}

const timeShape =
  /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d))?$/

/** An ISO 8601 time with its zone, or a day, which begins at 00:00 UTC. */
export const expiryField = (text: string): Field<IsoTime> => {
  const day = timeShape.exec(text)?.[1]
  const time = day !== undefined && isIsoDate(day) ? Option.getOrUndefined(DateTime.make(text)) : undefined
  return time === undefined
    ? refuse("VALIDATION_INVALID_FORMAT", "--expires must be an ISO 8601 time such as 2030-01-31T12:00:00Z.")
    : Effect.succeed(DateTime.formatIso(time) as IsoTime)
}

/** A day of the calendar; `what` names the flag. */
export const dayField = (what: string, text: string): Field<IsoDate> =>
  isIsoDate(text)
    ? Effect.succeed(text)
    : refuse("VALIDATION_INVALID_FORMAT", `${what} must be a day such as 2026-01-31.`)

/** The days of an edition, both included: `2026-01-01..2026-12-31`. */
export const editionField = (text: string): Field<Edition> => {
  const [from = "", until = "", ...others] = text.split("..")
  return isIsoDate(from) && isIsoDate(until) && from <= until && others.length === 0
    ? Effect.succeed({ name: text, from, until })
    : refuse("VALIDATION_INVALID_FORMAT", "--edition must be two days such as 2026-01-01..2026-12-31.")
}

export const cidrsField = (text: string): Field<ReadonlyArray<string>> => {
  const parts = partsOf(text)
  return parts.length > 0 && parts.every((part) => parseNetwork(part) !== undefined)
    ? Effect.succeed([...new Set(parts)])
    : refuse(
        "VALIDATION_INVALID_FORMAT",
        "--cidrs must be networks such as 203.0.113.0/24, separated by commas."
      )
}

export const originsField = (text: string): Field<ReadonlyArray<string>> => {
  const parts = partsOf(text)
  const origins = parts.flatMap((part) => parseOrigin(part) ?? [])
  return parts.length > 0 && origins.length === parts.length
    ? Effect.succeed([...new Set(origins)])
    : refuse(
        "VALIDATION_INVALID_FORMAT",
        "--origins must be origins such as https://app.example.com, without a path, separated by commas."
      )
}

export const amountField = (text: string): Field<number> =>
  wholeField(text, { what: "The amount", max: grantMax })

export const portField = (text: string): Field<number> => wholeField(text, { what: "--port", max: 65_535 })

/** A bound on calls in flight; above the largest pack's it would bound nothing. `none` lifts it. */
export const concurrentField = (text: string): Field<number | null> =>
  text === "none"
    ? Effect.succeed(null)
    : wholeField(text, { what: "The bound (or none)", max: packs.scale.concurrentCalls })

/** A whole number from 1 to `max`, written in digits alone. */
const wholeField = (
  text: string,
  { max, what }: { readonly what: string; readonly max: number }
): Field<number> => {
  const says = `${what} must be a whole number from 1 to ${max}.`
  if (!/^-?\d+$/.test(text)) return refuse("VALIDATION_INVALID_FORMAT", says)
  const count = Number(text)
  return count >= 1 && count <= max ? Effect.succeed(count) : refuse("VALIDATION_OUT_OF_RANGE", says)
}

const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
