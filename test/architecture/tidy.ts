import { basename } from "node:path/posix"
import { isNode, lineAt, nameOf, placesOf, rootOf } from "./Source.ts"
import type { Finding, Place, Source, Violation } from "./Source.ts"
import { longFunctions } from "./functions.ts"
import { longLines } from "./lines.ts"
import { textViolations } from "./text.ts"
import { bareParticiple, retiredWord } from "./words.ts"

/** The bounds of house style; a file or function at its bound wants to be two. */
export const bounds = {
  fileLinesMax: 300,
  /** `as` where inference cannot follow, in one file of core, adapters or apps; `as const` is free. */
  assertionsPerFileMax: 6
} as const

/**
 * The places where a heterogeneous table meets a generic API: they may say `any` and assert freely
 * (docs/architecture.md).
 */
export const looseFiles: ReadonlySet<string> = new Set([
  "adapters/http/routes.ts",
  "adapters/http/openapi.ts"
])

/** Every breach of house style that a machine can see in a source file. */
export const tidyViolations = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> =>
  sources.flatMap((source) => {
    const places = placesOf(source)
    const found = rules
      .filter((rule) => rule.watches(source.path))
      .flatMap((rule) =>
        rule.find(source, places).map(({ offset, says }) => ({
          path: source.path,
          line: lineAt(source.text, offset),
          rule: rule.name,
          says
        }))
      )
    return [...found, ...textViolations([source])]
  })

interface Rule {
  readonly name: string
  readonly watches: (path: string) => boolean
  readonly find: (source: Source, places: ReadonlyArray<Place>) => ReadonlyArray<Finding>
}

const everywhere = (): boolean => true
const inCore = (path: string): boolean => path.startsWith("core/")
const inTests = (path: string): boolean => path.startsWith("test/")
const inProduct = (path: string): boolean => !inTests(path) && !looseFiles.has(path)

const each = (
  places: ReadonlyArray<Place>,
  says: (place: Place) => string | undefined
): ReadonlyArray<Finding> =>
  places.flatMap((place) => {
    const sentence = says(place)
    return sentence === undefined ? [] : [{ offset: place.node.start, says: sentence }]
  })

const rules: ReadonlyArray<Rule> = [
  {
    name: "a file has at most 300 lines",
    watches: everywhere,
    find: ({ text }) => {
      const lines = text.trimEnd().split("\n").length
      return lines > bounds.fileLinesMax ? [{ offset: text.length, says: `it has ${lines} lines` }] : []
    }
  },
  {
    name: "a function has at most 40 lines",
    watches: everywhere,
    find: longFunctions
  },
  {
    name: "a line has at most 110 characters",
    watches: everywhere,
    find: longLines
  },
  {
    name: "core reaches for no clock, chance, console or process",
    watches: inCore,
    find: (_, places) =>
      each(places, (place) => {
        const name = ambientName(place)
        return name === undefined ? undefined : `core may not use ${name}; take it as an argument or a port`
      })
  },
  {
    name: "core neither throws, tries nor awaits",
    watches: inCore,
    find: (_, places) =>
      each(places, ({ node }) =>
        ["ThrowStatement", "TryStatement", "AwaitExpression"].includes(node.type) || node["async"] === true
          ? `core may not use ${node.type}; a refusal is a value and a broken store a typed error`
          : undefined
      )
  },
  {
    name: "tests are neither alone nor left out",
    watches: inTests,
    find: (_, places) =>
      each(places, ({ node }) => {
        const property = node.type === "MemberExpression" ? nameOf(node["property"]) : ""
        return ["only", "skip", "todo"].includes(property) && testRoots.has(rootOf(node))
          ? `a test may not be marked .${property}`
          : undefined
      })
  },
  {
    name: "a file follows its main export",
    watches: everywhere,
    find: ({ path }, places) => {
      const says = misnamed(basename(path), places)
      return says === undefined ? [] : [{ offset: 0, says }]
    }
  },
  {
    name: "names come from the domain",
    watches: everywhere,
    find: ({ path }, places) => [
      ...(vagueName.test(basename(path).split(".")[0] ?? "")
        ? [{ offset: 0, says: `${path} says nothing` }]
        : []),
      ...each(places, (place) => {
        const name = declaredName(place)
        return vagueName.test(name) ? `${name} says nothing of the domain` : undefined
      })
    ]
  },
  {
    name: "names are words that a stranger would search for",
    watches: (path) => path !== "test/architecture/words.ts",
    find: (_, places) =>
      each(places, (place) => {
        const name = declaredName(place)
        const exported = place.above.some((node) => node.type === "ExportNamedDeclaration")
        return (
          retiredWord(name || memberName(place)) ??
          (exported && isTopLevel(place) ? bareParticiple(name) : undefined)
        )
      })
  },
  {
    name: "nothing is any",
    watches: (path) => !looseFiles.has(path),
    find: (_, places) =>
      each(places, ({ node }) => (node.type === "TSAnyKeyword" ? "say what it is" : undefined))
  },
  {
    name: "type assertions are rare",
    watches: inProduct,
    find: (_, places) => {
      const found = places.filter(isAssertion)
      const extra = found[bounds.assertionsPerFileMax]
      return extra === undefined
        ? []
        : [{ offset: extra.node.start, says: `it asserts ${found.length} types` }]
    }
  },
  {
    name: "there is no default export",
    watches: (path) => !path.endsWith(".config.ts"),
    find: (_, places) =>
      each(places, ({ node }) =>
        node.type === "ExportDefaultDeclaration" ? "give the export its name" : undefined
      )
  }
]

const testRoots = new Set(["it", "test", "describe"])

const ambient = new Set([
  "Date",
  "console",
  "process",
  "globalThis",
  "performance",
  "setTimeout",
  "setInterval"
])

/** The global that an identifier stands for; property names and keys stand for nothing. */
const ambientName = ({ node, field, above }: Place): string | undefined => {
  if (
    node.type === "MemberExpression" &&
    nameOf(node["object"]) === "Math" &&
    nameOf(node["property"]) === "random"
  ) {
    return "Math.random"
  }
  const parent = above[0]
  const isLabel =
    (field === "property" || field === "key") && parent !== undefined && parent["computed"] !== true
  return !isLabel && ambient.has(nameOf(node)) ? nameOf(node) : undefined
}

const isAssertion = ({ node }: Place): boolean => {
  const annotation = node["typeAnnotation"]
  return node.type === "TSAsExpression" && isNode(annotation) && nameOf(annotation["typeName"]) !== "const"
}

const vagueName = /(Service|Manager|Helper|Util|Impl|Dto|DTO)s?$/

const declarations = new Set([
  "VariableDeclarator",
  "FunctionDeclaration",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration"
])
/** Declared by the export itself, not inside its value. */
const isTopLevel = ({ above }: Place): boolean =>
  above.findIndex((node) => node.type === "ExportNamedDeclaration") <= 1

/** The name of a member of an interface, such as a verb of a port. */
const memberName = ({ node }: Place): string =>
  node.type === "TSPropertySignature" || node.type === "TSMethodSignature" ? nameOf(node["key"]) : ""

const declaredName = ({ node }: Place): string => (declarations.has(node.type) ? nameOf(node["id"]) : "")

/**
 * `Keys.ts` exports Keys, `Code.ts` CodeRecord and its like; tables and functions live in camelCase;
 * migrations, tests and scripts in Lua have
 * suffixes.
 */
const misnamed = (name: string, places: ReadonlyArray<Place>): string | undefined => {
  if (/^\d{4}-[a-z0-9-]+\.ts$/.test(name)) return undefined
  const stem = name.replace(/(\.test|\.lua|\.config|\.d)?\.ts$/, "")
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(stem)) return `${name} is neither PascalCase nor camelCase`
  if (!/^[A-Z]/.test(stem)) return undefined
  const exported = places.some(
    (place) =>
      declaredName(place).startsWith(stem) &&
      place.above.some((node) => node.type === "ExportNamedDeclaration")
  )
  return exported || places.some(exportsLayer)
    ? undefined
    : `${name} exports nothing that begins with ${stem}`
}

/** An adapter's file is named for its port and exports the port's `layer`. */
const exportsLayer = (place: Place): boolean =>
  /[lL]ayer/.test(declaredName(place)) && place.above.some((node) => node.type === "ExportNamedDeclaration")
