import { lineAt, rootOf } from "./Source.ts"
import type { Finding, Place, Source, SyntaxNode } from "./Source.ts"

/** Lines of a function's own; what it names within itself has lines of its own. */
export const functionLinesMax = 40

/**
 * Every function that is too long. A constant or member within a function that holds a function itself is a
 * piece: its lines count for the piece and not for the function around it. So a layer may have many verbs,
 * and a handler many named steps, as long as each is short.
 */
export const longFunctions = ({ text }: Source, places: ReadonlyArray<Place>): ReadonlyArray<Finding> => {
  const functions = places.filter(isFunction).map(({ node }) => node)
  const pieces = places.filter((place) => isPiece(place, functions)).map(({ node }) => node)
  const lines = (node: SyntaxNode): number => lineAt(text, node.end) - lineAt(text, node.start) + 1
  const ownLines = (node: SyntaxNode): number => {
    const inner = pieces.filter((piece) => within(piece, node))
    const outermost = inner.filter((piece) => !inner.some((other) => within(piece, other)))
    return outermost.reduce((left, piece) => left - lines(piece) + 1, lines(node))
  }
  const chapters = new Set(places.filter(isChapter).map(({ node }) => node))
  return [...functions, ...pieces]
    .filter((node) => !chapters.has(node) && ownLines(node) > functionLinesMax)
    .map((node) => ({ offset: node.start, says: `this function has ${ownLines(node)} lines` }))
}

const within = (inner: SyntaxNode, outer: SyntaxNode): boolean =>
  inner !== outer && inner.start >= outer.start && inner.end <= outer.end

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])
const isFunction = ({ node }: Place): boolean => functionTypes.has(node.type)

const isPiece = ({ node, above }: Place, functions: ReadonlyArray<SyntaxNode>): boolean =>
  (node.type === "VariableDeclarator" || node.type === "Property") &&
  above.some((outer) => functionTypes.has(outer.type)) &&
  functions.some((inner) => within(inner, node))

/**
 * A chapter of tests, `describe(…, () => {…})` or `layer(…)(…, (it) => {…})`, is a list of tests and no
 * function.
 */
const isChapter = ({ field, above }: Place): boolean => {
  const call = above[0]
  return field === "arguments" && call?.type === "CallExpression" && chapterRoots.has(rootOf(call))
}

const chapterRoots = new Set(["describe", "layer"])
