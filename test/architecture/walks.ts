import { readFileSync } from "node:fs"
import { projectRoot } from "./Source.ts"

/** A file that a call passes, with functions of it in their order. */
export interface WalkedFile {
  readonly path: string
  readonly functions: ReadonlyArray<string>
  /** How often the call crosses between core and an adapter there. */
  readonly crossings: number
}

/** What docs/architecture.md says that calls pass. */
export const readWalks = () => walksIn(readFileSync(`${projectRoot}docs/architecture.md`, "utf8"))

/** The files under each heading that begins with "A call: ", in the order of their tables' rows. */
export const walksIn = (text: string): ReadonlyMap<string, ReadonlyArray<WalkedFile>> =>
  new Map(
    text
      .split(/^### A call: /m)
      .slice(1)
      .map((section) => {
        const [title = "", ...rows] = (section.split(/^#/m)[0] ?? "").split("\n")
        return [title, rows.flatMap(passedIn)] as const
      })
  )

const passedIn = (row: string): ReadonlyArray<WalkedFile> => {
  const [, path, names = "", what = ""] = /^\| `([^`]+\.ts)` \| ([^|]+) \| ?([^|]*) ?\|/.exec(row) ?? []
  if (path === undefined) return []
  const functions = Array.from(names.matchAll(/`([^`]+)`/g), ([, name = ""]) => name)
  return [{ path, functions, crossings: what.match(/\*\*\d\*\*/g)?.length ?? 0 }]
}

/** What of a walk is not in the tree: a file, or a function that its file does not define. */
export const notInTree = (
  walk: ReadonlyArray<WalkedFile>,
  textOf: (path: string) => string | undefined
): ReadonlyArray<string> =>
  walk.flatMap(({ functions, path }) => {
    const text = textOf(path)
    return text === undefined
      ? [path]
      : functions.filter((name) => !defines(text, name)).map((name) => `${path}: ${name}`)
  })

/** A constant or function of that name, or a member of what another one returns. */
const defines = (text: string, name: string): boolean =>
  new RegExp(`(const|function) ${name}\\b|^ +${name}(: |,$|\\()`, "m").test(text)
