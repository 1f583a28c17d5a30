import { posix } from "node:path"
import { imports } from "./imports.ts"
import type { Import } from "./imports.ts"
import type { Source, Violation } from "./Source.ts"
import { plainModules, technologies } from "./technologies.ts"

/** The modules of Effect that hold data and pure functions: all that a kernel room may open. */
export const dataModules: ReadonlySet<string> = new Set([
  "Array",
  "BigDecimal",
  "BigInt",
  "Boolean",
  "Brand",
  "Chunk",
  "Combiner",
  "Data",
  "DateTime",
  "Duration",
  "Equal",
  "Equivalence",
  "Filter",
  "Function",
  "Hash",
  "HashMap",
  "HashSet",
  "Iterable",
  "JsonPointer",
  "JsonSchema",
  "Match",
  "Newtype",
  "Number",
  "Option",
  "Order",
  "Ordering",
  "Pipeable",
  "Predicate",
  "Record",
  "Redacted",
  "Reducer",
  "RegExp",
  "Result",
  "Schema",
  "SchemaAST",
  "SchemaGetter",
  "SchemaIssue",
  "SchemaParser",
  "SchemaRepresentation",
  "SchemaTransformation",
  "StandardSchema",
  "String",
  "Struct",
  "Symbol",
  "Tuple",
  "Types",
  "UndefinedOr"
])

/** The rooms of core where effects are described; every other room is kernel and decides only. */
export const effectRooms: ReadonlySet<string> = new Set(["port", "call", "handler", "job", "import", "admin"])

/** Every breach of the walls between kernel, ports, adapters and apps (docs/architecture.md). */
export const boundaryViolations = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> => {
  const opened = sources.flatMap(imports)
  return [
    ...opened.flatMap((one) => rules.flatMap((rule) => judge(rule, one))),
    ...cycles(opened),
    ...folderCycles(opened)
  ]
}

interface Rule {
  readonly name: string
  /** What is wrong with the import, or undefined. */
  readonly breach: (one: Import) => string | undefined
}

const judge = (rule: Rule, one: Import): ReadonlyArray<Violation> => {
  const says = rule.breach(one)
  return says === undefined ? [] : [{ path: one.from, line: one.line, rule: rule.name, says }]
}

const roomOf = (path: string): string => path.split("/")[1] ?? ""
const isCore = (path: string): boolean => path.startsWith("core/")
const isAdapter = (path: string): boolean => path.startsWith("adapters/")

/** The inner ring never opens the outer one, and nothing that runs opens the tests. */
const ringOf = (path: string): number =>
  ["core", "adapters", "apps", "test"].indexOf(path.split("/")[0] ?? "")

const rules: ReadonlyArray<Rule> = [
  {
    name: "relative imports end in .ts",
    breach: ({ specifier, relative }) =>
      relative && !/\.(ts|json)$/.test(specifier) ? `${specifier} has no .ts ending` : undefined
  },
  {
    name: "Effect is imported module by module",
    breach: ({ specifier }) =>
      /^(effect|@effect\/(platform-node|sql-pg))$/.test(specifier)
        ? `${specifier} is a barrel; import its module, as in effect/Schema`
        : undefined
  },
  {
    name: "core opens only Effect and itself",
    breach: ({ from, specifier, relative, target }) =>
      isCore(from) && !(relative ? isCore(target) : specifier.startsWith("effect/"))
        ? `core may not open ${specifier}`
        : undefined
  },
  {
    name: "kernel rooms open Effect's data modules only",
    breach: ({ from, specifier }) =>
      isCore(from) && !effectRooms.has(roomOf(from)) && isEffect(specifier) && !isData(specifier)
        ? `${specifier} is no data module; it belongs in core/port, core/handler or their like`
        : undefined
  },
  {
    name: "rooms of effects open no technology of Effect",
    breach: ({ from, specifier }) =>
      isCore(from) &&
      effectRooms.has(roomOf(from)) &&
      isEffect(specifier) &&
      !/^([A-Z]\w+|encoding\/\w+)$/.test(moduleOf(specifier))
        ? `${specifier} is a technology; it belongs in an adapter`
        : undefined
  },
  {
    name: "kernel rooms open no room of effects",
    breach: ({ from, target }) =>
      isCore(from) && !effectRooms.has(roomOf(from)) && isOuterRoom(target)
        ? `a kernel room may not open ${target}`
        : undefined
  },
  {
    name: "core has no barrels",
    breach: ({ from, kind, specifier }) =>
      isCore(from) && kind === "reexport"
        ? `it re-exports ${specifier}; import it where it is declared`
        : undefined
  },
  {
    name: "an adapter opens no other adapter",
    breach: ({ from, target }) =>
      isAdapter(from) &&
      isAdapter(target) &&
      roomOf(from) !== roomOf(target) &&
      !sharedRooms.has(roomOf(target))
        ? `adapters/${roomOf(from)} may not open ${target}; an app composes them`
        : undefined
  },
  {
    name: "an adapter opens one technology",
    breach: ({ from, specifier, relative }) =>
      isAdapter(from) && !relative && !mayOpen(roomOf(from), specifier)
        ? `adapters/${roomOf(from)} may not open ${specifier}; see its row in technologies.ts`
        : undefined
  },
  {
    name: "imports point inwards",
    breach: ({ from, target, relative }) =>
      relative && ringOf(target) > ringOf(from) ? `${target} lies further out` : undefined
  }
]

/** What adapters share, and what reaches nothing: the escaping template of pages, and the batcher. */
const sharedRooms: ReadonlySet<string> = new Set(["html", "fast"])

const isOuterRoom = (path: string): boolean => isCore(path) && effectRooms.has(roomOf(path))

/** Effect's codecs of text are pure too. */
const isData = (specifier: string): boolean =>
  dataModules.has(moduleOf(specifier)) || specifier.startsWith("effect/encoding/")

const isEffect = (specifier: string): boolean => specifier.startsWith("effect/")
const moduleOf = (specifier: string): string => specifier.slice("effect/".length)

/** Plain modules of Effect are open to every adapter; the rest is the technology its row names. */
const mayOpen = (adapter: string, specifier: string): boolean =>
  plainModules.has(specifier) ||
  /^effect\/([A-Z]\w+|encoding\/\w+)$/.test(specifier) ||
  (technologies[adapter] ?? []).some((name) => specifier === name || specifier.startsWith(`${name}/`))

interface Edge {
  readonly from: string
  readonly to: string
  readonly at: Import
}

/** One violation for each file that can reach itself, named at the import that starts the way back. */
const cycles = (opened: ReadonlyArray<Import>): ReadonlyArray<Violation> =>
  waysBack(
    opened
      .filter((one) => one.relative)
      .map((one) => ({ from: one.from, to: posix.normalize(one.target), at: one })),
    "imports make no cycle"
  )

/** The same of the folders of core: a stranger can read them in one order, each after what it opens. */
const folderCycles = (opened: ReadonlyArray<Import>): ReadonlyArray<Violation> =>
  waysBack(
    opened
      .filter(({ from, target }) => isCore(from) && isCore(target) && roomOf(from) !== roomOf(target))
      .map((one) => ({ from: `core/${roomOf(one.from)}`, to: `core/${roomOf(one.target)}`, at: one })),
    "the folders of core make no cycle"
  )

const waysBack = (edges: ReadonlyArray<Edge>, rule: string): ReadonlyArray<Violation> => {
  const targets = new Map<string, Array<string>>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  return edges
    .filter(({ from, to }) => reaches(targets, to, from))
    .map(({ at, from, to }) => ({ path: at.from, line: at.line, rule, says: `${to} leads back to ${from}` }))
}

const reaches = (edges: ReadonlyMap<string, ReadonlyArray<string>>, start: string, goal: string): boolean => {
  const seen = new Set<string>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path === goal) return true
    if (seen.has(path)) continue
    seen.add(path)
    waiting.push(...(edges.get(path) ?? []))
  }
  return false
}
