import * as DateTime from "effect/DateTime"
import type { NoticeValues } from "./Notice.ts"

/** A value longer than this is cut: it is a name or an address that somebody wrote. */
export const valueCharactersMax = 160

/** A sentence of a row with its values in their places. */
export const fillTemplate = (sentence: string, values: NoticeValues): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "").trim()

/**
 * Somebody's own words as part of a line: without what would break the line, hide or turn the rest of it.
 */
export const oneLine = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim()
  return plain.length > valueCharactersMax ? `${plain.slice(0, valueCharactersMax - 1)}…` : plain
}

/** 1234567 as 1,234,567. */
export const withThousands = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

/** An instant to the minute, as emails and pages name it. */
export const minute = (ms: number): string =>
  `${DateTime.formatIso(DateTime.makeUnsafe(ms)).slice(0, 16).replace("T", " ")} UTC`
