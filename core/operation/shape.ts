import type * as SchemaAST from "effect/SchemaAST"
import type { Holds } from "./field.ts"

/**
 * What the catalogue says that a field holds, for those who look at input before its schema does: its
 * members, its items, and whether bare digits are at home in it.
 */
export interface Shape {
  readonly holds: Holds | "number" | undefined
  readonly members: ReadonlyMap<string, Shape>
  readonly items: Shape | undefined
  /** Of an object whose names are data themselves: what the names hold, and what stands under them. */
  readonly names: Shape | undefined
  readonly rest: Shape | undefined
}

/** The shape of what a schema decodes. */
export const shapeOf = (schema: { readonly ast: SchemaAST.AST }): Shape => shapeOfAst(schema.ast)

const shapeOfAst = (ast: SchemaAST.AST): Shape => {
  const holds = heldBy(ast)
  switch (ast._tag) {
    case "Objects": {
      const [index] = ast.indexSignatures
      return {
        ...nothing,
        holds,
        members: new Map(ast.propertySignatures.map(({ name, type }) => [String(name), shapeOfAst(type)])),
        names: index && shapeOfAst(index.parameter),
        rest: index && shapeOfAst(index.type)
      }
    }
    case "Arrays": {
      const [item] = [...ast.elements, ...ast.rest]
      return { ...nothing, holds, items: item && shapeOfAst(item) }
    }
    case "Union":
      return ast.types.map(shapeOfAst).reduce(either, { ...nothing, holds })
    default:
      return { ...nothing, holds }
  }
}

const nothing: Shape = {
  holds: undefined,
  members: new Map(),
  items: undefined,
  names: undefined,
  rest: undefined
}

/** A field of one shape or another. */
const either = (one: Shape, other: Shape): Shape => ({
  holds: one.holds ?? other.holds,
  members: new Map([...one.members, ...other.members]),
  items: one.items ?? other.items,
  names: one.names ?? other.names,
  rest: one.rest ?? other.rest
})

const heldBy = (ast: SchemaAST.AST): Shape["holds"] => {
  if (ast._tag === "Number") return "number"
  const told = ast.annotations?.["holds"] ?? ast.checks?.at(-1)?.annotations?.["holds"]
  return holdings.find((kind) => kind === told)
}

const holdings: ReadonlyArray<Holds> = ["code", "id", "date", "cursor", "url"]
