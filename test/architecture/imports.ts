import { posix } from "node:path"
import { isNode, lineAt, placesOf } from "./Source.ts"
import type { Source, SyntaxNode } from "./Source.ts"

/** One import of a file, type-only ones included: a type is a dependency too. */
export interface Import {
  readonly from: string
  readonly specifier: string
  readonly kind: "import" | "reexport" | "dynamic"
  readonly relative: boolean
  /** The path that a relative specifier names; empty for a package. */
  readonly target: string
  readonly line: number
}

/** Every import, re-export and dynamic import whose specifier is a literal. */
export const imports = (source: Source): ReadonlyArray<Import> =>
  placesOf(source).flatMap(({ node }) => {
    const kind = kinds[node.type]
    const specifier = specifierOf(node)
    if (kind === undefined || specifier === undefined) return []
    const relative = specifier.startsWith(".")
    return [
      {
        from: source.path,
        specifier,
        kind,
        relative,
        target: relative ? posix.join(posix.dirname(source.path), specifier) : "",
        line: lineAt(source.text, node.start)
      }
    ]
  })

const kinds: Readonly<Record<string, Import["kind"]>> = {
  ImportDeclaration: "import",
  ExportAllDeclaration: "reexport",
  ExportNamedDeclaration: "reexport",
  ImportExpression: "dynamic",
  TSImportType: "import"
}

const specifierOf = (node: SyntaxNode): string | undefined => {
  const literal = node["source"]
  return isNode(literal) && typeof literal["value"] === "string" ? literal["value"] : undefined
}
