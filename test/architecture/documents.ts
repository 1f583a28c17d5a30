import { spawnSync } from "node:child_process"
import { posix } from "node:path"
import { placesOf } from "./Source.ts"
import type { Source, Violation } from "./Source.ts"

/** A fenced block of a document, with the line its first line stands on. */
export interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
}

/**
 * Every block that its language's own parser refuses, and every link inside the project that leads nowhere.
 * `exists` says whether a path from the root is there.
 */
export const documentViolations = (
  sources: ReadonlyArray<Source>,
  exists: (path: string) => boolean
): ReadonlyArray<Violation> =>
  sources.flatMap((source) => [...blockFaults(source), ...linkFaults(source, exists)])

/** The values, not the types, that the ts blocks of a document import from a module. */
export const namesOf = (source: Source, module: string): ReadonlyArray<string> =>
  blocksOf(source)
    .filter(({ language }) => language === "ts")
    .flatMap(({ text }) => [...text.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)])
    .filter(([, , from]) => from === module)
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim().split(" as ")[0] ?? "")
    .filter((name) => name !== "" && !name.startsWith("type "))

const blockFaults = (source: Source): ReadonlyArray<Violation> =>
  blocksOf(source).flatMap((block) => {
    const fault = parsers[block.language]?.(block.text)
    return fault === undefined
      ? []
      : [{ path: source.path, line: block.line, rule: `${block.language} blocks parse`, says: fault }]
  })

/** Every fenced block, also those inside a list. */
export const blocksOf = ({ text }: Source): ReadonlyArray<Block> =>
  [...text.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```\s*$/gm)].map((match) => ({
    language: match[2] ?? "",
    text: match[3] ?? "",
    line: text.slice(0, match.index).split("\n").length + 1
  }))

/** What is wrong with a block, by its language; a language without a parser is prose. */
const parsers: Readonly<Record<string, (text: string) => string | undefined>> = {
  ts: (text) => faultOf(() => placesOf({ path: "block.ts", text })),
  json: (text) => faultOf(() => JSON.parse(text)),
  sh: (text) => {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" })
    return status === 0 ? undefined : stderr.trim()
  }
}

const faultOf = (parse: () => unknown): string | undefined => {
  try {
    parse()
    return undefined
  } catch (fault) {
    return String(fault).split("\n")[0]
  }
}

const linkFaults = ({ path, text }: Source, exists: (path: string) => boolean): ReadonlyArray<Violation> =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const link = match[1] ?? ""
    if (/^(\w+:|#|\/)/.test(link)) return []
    const target = posix.join(posix.dirname(path), decodeURIComponent(link.split("#")[0] ?? ""))
    const line = text.slice(0, text.indexOf(match[0])).split("\n").length
    return exists(target) ? [] : [{ path, line, rule: "links lead somewhere", says: `${link} leads nowhere` }]
  })

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "")
