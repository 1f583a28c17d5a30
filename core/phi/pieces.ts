/**
 * The pieces that patterns are written in. They read normalised text without regard to case. Every repetition
 * is bounded and no two neighbours can take the same character, so nothing is tried twice.
 */

export const words = (...alternatives: ReadonlyArray<string>): string => `(?:${alternatives.join("|")})`

/**
 * Words in any writing, inside a pattern that tells capitals from small letters. Not by `(?i:…)`: once a
 * process has compiled a megabyte of patterns, V8 compiles further ones without optimization, and then
 * `(?i:blvd|boul)` does not find "Blvd" (V8 13.6; `--no-regexp-optimization` shows it at once).
 */
export const anyCase = (pattern: string): string =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** Numbers of a group each, with the same kind of thing between them. */
export const joinGroups = (groups: ReadonlyArray<string>, between: string): string => groups.join(between)

/** What may stand between the groups of a number whose cue or field is known. */
export const joint = "[-./ ]{0,3}"

/** After a cue: punctuation, and the small words that lead to a value ("SSN number is: …"). */
export const afterCue = (cue: string): string =>
  `(?<![a-z0-9])${cue}${punctuation}(?:${leading}(?![a-z])${punctuation}){0,3}`

const leading = words("is", "was", "are", "number", "no", "num", "id", "on", "at", "of")
const punctuation = "[^a-z0-9]{0,8}"

/**
 * A number or code that somebody was given: three characters or more, a digit among them. Right behind its
 * cue it is digits only, since chance may spell a cue in a key of ours.
 */
export const token = words("(?<![a-z0-9])(?=[a-z-]{0,12}\\d)[a-z0-9][a-z0-9-]{2,30}", "\\d{3,12}(?![a-z0-9])")

export const numberWord = words(
  "numbers?",
  "no(?![a-z])\\.?",
  "num(?![a-z])\\.?",
  "ids?(?![a-z])",
  "identifier",
  "identification",
  "#"
)

/** Those whom coverage is about. */
export const person = words(
  "patient",
  "member",
  "beneficiary",
  "subscriber",
  "insured",
  "enrollee",
  "guarantor"
)

const beneficiaryCode = "(?:[abdefhjkmtw][0-9a-z]?|c[0-9a-z])"
/** The code at the end of a HICN; set off by a blank it might be a word, unless nothing follows it. */
export const hicnTail = `(?:-?${beneficiaryCode}(?![a-z0-9])| ${beneficiaryCode}(?= ?$|[.,;)]))`

const month = words("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
const ordinal = "\\d{1,2}(?:st|nd|rd|th)?"

/** A day in any usual writing; a year alone names nobody's birth. */
export const dateText = words(
  "\\d{4}[-/. ]{1,2}\\d{1,2}[-/. ]{1,2}\\d{1,2}(?!\\d)",
  "\\d{1,2}[-/. ]{1,2}\\d{1,2}[-/. ]{1,2}(?:\\d{4}|\\d{2})(?!\\d)",
  "\\d{1,2}[-/]\\d{4}(?!\\d)",
  "\\d{8}(?!\\d)",
  `${month}[a-z]{0,6}[-. ]{0,2}${ordinal}[-,. ]{1,2}\\d{2,4}(?!\\d)`,
  `${ordinal}[- ]?(?:of )?${month}[a-z]{0,6}[-,. ]{0,2}\\d{2,4}(?!\\d)`
)

const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)"
const hex = "[0-9a-f]{1,4}"
/** An address of either version of the Internet Protocol. */
export const ipAddress = words(
  `${octet}(?:\\.${octet}){3}(?![\\d.]\\d|\\d)`,
  `(?:${hex}:){7}${hex}`,
  `(?:${hex}:){1,7}:(?:${hex}(?::${hex}){0,6})?`,
  `::${hex}(?::${hex}){0,6}`
)
