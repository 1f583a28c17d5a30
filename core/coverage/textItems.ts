/**
 * Returns the items of a text, in order: a paragraph, or a list together with the line that introduces it.
 * Every item is a verbatim run of lines. A list means nothing without its introduction.
 */
export const textItems = (text: string): ReadonlyArray<string> => {
  const items: Array<string> = []
  let previous: string | undefined
  for (const line of text.split("\n")) {
    if (previous !== undefined && continuesList(line, previous)) items.push(`${items.pop() ?? ""}\n${line}`)
    else items.push(line)
    previous = line
  }
  return items
}

/** Whether the line belongs to the list that the line before it introduces or is part of. */
export const continuesList = (line: string, previous: string): boolean =>
  listLine.test(line) && (introduction.test(previous) || listLine.test(previous))

/** `- `, `1.`, `(a)`, `iv)`; a capital letter with a period begins a section of an NCD instead. */
const listLine = /^(?:[-•·▪] |\(?(?:[a-z]|\d{1,2}|[ivx]{1,4})[.)] |\([A-Z]\) )/

const introduction = /(?::|\b(?:following|of these|below))\W*$/i
