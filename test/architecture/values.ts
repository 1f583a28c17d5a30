import type { Source, Violation } from "./Source.ts"

/** A constant that the page names, with the value of its row; undefined: it is named as shown elsewhere. */
export interface NamedValue {
  readonly path: string
  readonly name: string
  readonly value: string | undefined
  readonly line: number
}

/** What the page names, in the order of its lines: rows of its tables, and the list of what is shown. */
export const namedIn = ({ text }: Source): ReadonlyArray<NamedValue> =>
  text.split("\n").flatMap((row, index) => {
    const line = index + 1
    const [, value, path, name] = /^\| `([^`]+)` \| `([^`]+\.ts):(\w+)` \|/.exec(row) ?? []
    if (path !== undefined && name !== undefined) return [{ path, name, value, line }]
    return [...row.matchAll(/`([^`]+\.ts):(\w+)`/g)].map((match) => ({
      path: match[1] ?? "",
      name: match[2] ?? "",
      value: undefined,
      line
    }))
  })

/** Every row that its file contradicts, and every number or time of the kernel that the page leaves out. */
export const valueViolations = (page: Source, sources: ReadonlyArray<Source>): ReadonlyArray<Violation> => {
  const named = namedIn(page)
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const contradicted = named.flatMap(({ line, name, path, value }): ReadonlyArray<Violation> => {
    const found = valueOf(texts.get(path) ?? "", name)
    if (found !== undefined && (value === undefined || value === found)) return []
    const says = found === undefined ? `${path} has no ${name}` : `${path}:${name} is ${found}, not ${value}`
    return [{ path: page.path, line, rule: "values are as the page says", says }]
  })
  return [...contradicted, ...unnamed(named, sources)]
}

/** The first constant or member of that name, on one line, as it is written. */
const valueOf = (text: string, name: string): string | undefined => {
  const constant = new RegExp(`^(?:export )?const ${name}(?:: [^=\\n]+)? = (.+)$`, "m").exec(text)
  const member = new RegExp(`^ +${name}: (.+?),?$`, "m").exec(text)
  return (constant ?? member)?.[1]?.replace(/ (as const|satisfies).*$/, "")
}

const unnamed = (
  named: ReadonlyArray<NamedValue>,
  sources: ReadonlyArray<Source>
): ReadonlyArray<Violation> => {
  const known = new Set(named.map(({ name, path }) => `${path}:${name}`))
  return sources
    .filter(({ path }) => path.startsWith("core/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(quantity)].flatMap((match): ReadonlyArray<Violation> => {
        const name = match[1] ?? ""
        if (known.has(`${path}:${name}`)) return []
        const line = text.slice(0, match.index).split("\n").length
        return [{ path, line, rule: "values are recorded", says: `${name} is in no decision record` }]
      })
    )
}

/** A constant of a file that is a number, a product, or a time in words. */
const quantity =
  /^(?:export )?const (\w+)(?:: [^=\n]+)? = (?:-?\d.*|[a-z]\w* \* .*|"\d+ (?:milli|second|minute|hour|day)\w*")$/gm
