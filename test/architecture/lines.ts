import type { Finding, Place, Source, SyntaxNode } from "./Source.ts"

/** Characters in a line; the formatter keeps code to it. */
export const lineLengthMax = 110

/**
 * Where the text of a literal crosses the bound, since no formatter can break a statement of SQL or a test's
 * title.
 */
export const textLengthMax = 120

/** Every line that is too long. */
export const longLines = ({ text }: Source, places: ReadonlyArray<Place>): ReadonlyArray<Finding> => {
  const literals = places.map(({ node }) => node).filter(isText)
  const crossing = (offset: number): boolean =>
    literals.some((node) => node.start <= offset && offset < node.end)
  return linesOf(text).flatMap(({ start, length }) => {
    const lengthMax = crossing(start + lineLengthMax) ? textLengthMax : lineLengthMax
    return length > lengthMax ? [{ offset: start, says: `this line has ${length} characters` }] : []
  })
}

const isText = (node: SyntaxNode): boolean => node.type === "TemplateLiteral" || node.type === "Literal"

const linesOf = (text: string): ReadonlyArray<{ readonly start: number; readonly length: number }> =>
  [...text.matchAll(/^.*$/gm)].map((match) => ({ start: match.index, length: match[0].length }))
