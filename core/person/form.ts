import * as Result from "effect/Result"

export const personNameMax = 100
/** As the command line's `org create` takes it. */
export const organizationNameMax = 200
/** The longest address that mail servers carry (RFC 5321 §4.5.3.1.3, without its brackets). */
export const emailMax = 254

/**
 * An address as everything here compares it: trimmed and in lower case. Undefined: no address that a letter
 * can be sent to. Nothing but letters, digits and the few signs that common addresses have passes, so that no
 * address carries a second recipient or a header into a letter.
 */
export const parseEmail = (text: string): string | undefined => {
  const email = text.trim().toLowerCase()
  return email.length <= emailMax && emailShape.test(email) ? email : undefined
}

/** A name of one line, trimmed, in which there is something to read and nothing to follow. */
export const parseName = (text: string, max: number): Result.Result<string, "required" | "too_long"> => {
  const name = text.replaceAll(lineBreaking, " ").trim()
  if (!readable.test(name.replaceAll(invisible, "")) || addressLike.test(name)) return Result.fail("required")
  return name.length > max ? Result.fail("too_long") : Result.succeed(name)
}

/**
 * The path of ours that somebody shall go on to. Undefined: anything that a browser could take for another
 * host, for it came in by a link and goes out in a letter.
 */
export const parseNext = (text: string): string | undefined =>
  text.length <= nextMax && nextShape.test(text) ? text : undefined

const nextMax = 500
// One slash and then no second one, nor a backslash, which browsers read as a slash.
const nextShape = /^\/(?![/\\])[A-Za-z0-9_~.!$&'()*+,;=:@%/?-]*$/
// The same addresses that the library of people takes, which checks them again.
const emailShape = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/
// Marks without a letter or digit show as nothing, or as next to nothing.
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const readable = /[\p{L}\p{N}]/u
// A name stands in letters that we send: it must not lead anywhere.
const addressLike = /:\/\/|\bwww\./i
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a name of one line may not hold.
const lineBreaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
