/**
 * Returns a text of at most `max` characters as it is. Of a longer one it returns the beginning, cut after a
 * whole word where there is one, with an ellipsis.
 */
export const shortenText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  const word = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"))
  return `${(word > 0 ? cut.slice(0, word) : cut).replace(ending, "")}…`
}

/** What no cut text ends with: blanks, punctuation, and the first half of a character of two units. */
const ending = /[\s,;:.\uD800-\uDBFF]+$/
