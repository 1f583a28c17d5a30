/** What a file of the plain YAML that compose.yaml keeps to holds: mappings, lists of scalars, scalars. */
export type Yaml = string | ReadonlyArray<string> | { readonly [name: string]: Yaml }

interface Line {
  readonly indent: number
  readonly text: string
}

/**
 * Reads that plain part of YAML, and throws at a line outside of it: a test that reads less than is written
 * would hold the file to nothing.
 */
export const readYaml = (text: string): Yaml =>
  block(
    text
      .split("\n")
      .filter((line) => !/^\s*(#|$)/.test(line))
      .map((line) => ({ indent: line.search(/\S/), text: line.trim() }))
  )

const block = (lines: ReadonlyArray<Line>): Yaml => {
  const [first] = lines
  if (first === undefined) return ""
  if (first.text.startsWith("- ")) return lines.map((line) => scalar(itemOf(line, first.indent)))
  const mapping: Record<string, Yaml> = {}
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? first
    const [, name = "", value = ""] = /^([\w.-]+):(?: (.+))?$/.exec(line.text) ?? unknown(line)
    if (line.indent !== first.indent) unknown(line)
    const after = lines.findIndex(({ indent }, other) => other > at && indent <= first.indent)
    const end = after === -1 ? lines.length : after
    mapping[name] = value === "" ? block(lines.slice(at + 1, end)) : flow(value)
    at = value === "" ? end : at + 1
  }
  return mapping
}

const itemOf = (line: Line, indent: number): string =>
  line.indent === indent && line.text.startsWith("- ") ? line.text.slice(2) : unknown(line)

const flow = (value: string): Yaml => (value.startsWith("[") ? JSON.parse(value) : scalar(value))
const scalar = (value: string): string =>
  value.startsWith('"')
    ? JSON.parse(value)
    : /^[{|>&*!']|: | #/.test(value)
      ? unknown({ text: value })
      : value

const unknown = ({ text }: Pick<Line, "text">): never => {
  throw new Error(`not plain enough to be read here: ${text}`)
}
