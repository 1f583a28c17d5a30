import { plainText } from "./plainText.ts"

/**
 * A text as `websearch_to_tsquery` can be given it: a dash counts where a word follows it at once (`x-ray`,
 * `-ray` to leave out). PostgreSQL takes every other one for a negation of what comes next, and refuses the
 * whole text at 32 in a row.
 */
export const searchWords = (text: string): string =>
  plainText(text).replaceAll(/-+/g, (run: string, at: number, whole: string) =>
    run.length === 1 && /[\p{L}\p{N}"]/u.test(whole.charAt(at + 1)) ? run : " "
  )
