import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseAst } from "vitest/node"

/**
 * A file as the checkers see it: they are pure functions over these, so that a planted file is checked the
 * same.
 */
export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** What a checker found; `rule` is the name its planted violation is listed under. */
export interface Violation {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly says: string
}

/** A violation before it is placed in its file. */
export interface Finding {
  readonly offset: number
  readonly says: string
}

/** Violations as a reader of a failed test wants them: one line each, that an editor can jump to. */
export const formatViolations = (violations: ReadonlyArray<Violation>): ReadonlyArray<string> =>
  violations.map(({ path, line, rule, says }) => `${path}:${line} ${rule}: ${says}`)

/** A node of the ESTree that the parser gives, seen only through its type and its fields. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/**
 * A node and where it hangs: the nodes above it, nearest first, and the field of its parent that holds it.
 */
export interface Place {
  readonly node: SyntaxNode
  readonly field: string
  readonly above: ReadonlyArray<SyntaxNode>
}

/** The folder that holds package.json. */
export const projectRoot = fileURLToPath(new URL("../../", import.meta.url))

/** Folders of sources; everything else at the root is configuration or prose. */
export const sourceFolders = ["core", "adapters", "apps", "test"] as const

/** Every file below the folders whose name ends so, in the order of their paths. */
export const readSources = (folders: ReadonlyArray<string>, ending = ".ts"): ReadonlyArray<Source> =>
  folders
    .flatMap((folder) => filesBelow(folder, ending))
    .sort()
    .map((path) => ({
      path,
      text: readFileSync(projectRoot + path, "utf8")
    }))

const filesBelow = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(projectRoot + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => `${entry.parentPath.slice(projectRoot.length)}/${entry.name}`)
    .filter((path) => !path.includes("node_modules/"))

/** Every node of the file, parents before children. */
export const placesOf = (source: Source): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  const visit = (node: SyntaxNode, field: string, above: ReadonlyArray<SyntaxNode>): void => {
    places.push({ node, field, above })
    for (const [name, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) visit(child, name, [node, ...above])
      }
    }
  }
  visit(programOf(source), "", [])
  return places
}

/** The line a character stands on, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** The name an identifier node carries; empty for any other node. */
export const nameOf = (node: unknown): string =>
  isNode(node) && node.type === "Identifier" && typeof node["name"] === "string" ? node["name"] : ""

/** The identifier that a chain of calls and members begins with: `it` in `it.effect.each(…)(…)`. */
export const rootOf = (node: unknown): string => {
  if (!isNode(node)) return ""
  if (node.type === "CallExpression") return rootOf(node["callee"])
  return node.type === "MemberExpression" ? rootOf(node["object"]) : nameOf(node)
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const programOf = (source: Source): SyntaxNode => {
  const program: unknown = parseAst(source.text, { lang: "ts" }, source.path)
  if (!isNode(program)) throw new Error(`${source.path} did not parse to a program`)
  return program
}
