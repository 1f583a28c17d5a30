import { describe, expect, it } from "vitest"
import { openApi } from "../../adapters/http/openapi.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import { listTools } from "../../core/mcp/listing.ts"
import { descriptions } from "../../core/operation/descriptions/describe.ts"

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

/** A property or a parameter of a document, with its description. */
interface Described {
  readonly at: string
  readonly name: string
  readonly description: unknown
}

/** Returns every property and parameter of a document, at every depth. Examples are values and no fields. */
const describedIn = (node: unknown, at: string): ReadonlyArray<Described> => {
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([keyword, inner]) => {
    const here = `${at}/${keyword}`
    if (keyword === "example" || keyword === "examples" || !isNode(inner)) return []
    if (keyword === "properties") return propertiesIn(inner, here)
    if (keyword === "parameters" && Array.isArray(inner))
      return inner.flatMap((one) => parameterIn(one, here))
    return describedIn(inner, here)
  })
}

const propertiesIn = (properties: Node, at: string): ReadonlyArray<Described> =>
  Object.entries(properties).flatMap(([name, property]) => {
    const here = `${at}/${name}`
    const description = isNode(property) ? property["description"] : undefined
    return [{ at: here, name, description }, ...describedIn(property, here)]
  })

const parameterIn = (parameter: unknown, at: string): ReadonlyArray<Described> => {
  if (!isNode(parameter)) return []
  const name = String(parameter["name"])
  const here = `${at}/${name}`
  return [{ at: here, name, description: parameter["description"] }, ...describedIn(parameter, here)]
}

/** Returns a document with each reference replaced by what it names, as a reader of one operation sees it. */
const inlined = (node: unknown, root: Node, within: ReadonlyArray<string> = []): unknown => {
  if (Array.isArray(node)) return node.map((one) => inlined(one, root, within))
  if (!isNode(node)) return node
  const { $ref: reference, ...own } = node
  if (typeof reference !== "string")
    return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, inlined(one, root, within)]))
  if (within.includes(reference)) return own
  const target = reference
    .split("/")
    .slice(1)
    .reduce<unknown>((found, step) => (isNode(found) ? found[step] : undefined), root)
  return { ...Object(inlined(target, root, [...within, reference])), ...own }
}

const written = openApi("", kept as SandboxAnswers)
const document = inlined(written, written)
const tools = Object.fromEntries(listTools().map((tool) => [tool.name, tool]))
const published = [...describedIn(document, ""), ...describedIn(tools, "")]

/** Returns where a document has a field without a description. */
const undescribed = (fields: ReadonlyArray<Described>): ReadonlyArray<string> =>
  fields
    .filter(({ description }) => typeof description !== "string" || description === "")
    .map(({ at }) => at)

/** Returns the keys of a table whose text describes no field of that name. */
const unused = (table: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const used = new Set(published.map(({ description, name }) => `${name}: ${String(description)}`))
  return Object.entries(table).flatMap(([key, text]) =>
    used.has(`${key.split(".").at(-1)}: ${text}`) ? [] : [key]
  )
}

describe("descriptions of fields", () => {
  it("describes every property and parameter of openapi.json and of the MCP tools", () => {
    expect(published.length).toBeGreaterThan(10_000)
    expect(undescribed(published)).toEqual([])
  })

  it("finds a property and a parameter without a description", () => {
    const schema = {
      properties: { known: { description: "Known." }, bare: { items: { properties: { deep: {} } } } }
    }
    const planted = {
      parameters: [{ name: "q", schema: {} }],
      content: { schema },
      example: { properties: { x: 1 } }
    }
    expect(undescribed(describedIn(planted, ""))).toEqual([
      "/parameters/q",
      "/content/schema/properties/bare",
      "/content/schema/properties/bare/items/properties/deep"
    ])
  })

  it("has no entry that describes nothing", () => {
    expect(unused(descriptions)).toEqual([])
    expect(unused({ ...descriptions, "lookupCode.query.colour": "The color." })).toEqual([
      "lookupCode.query.colour"
    ])
  })

  it("writes each description as one to three plain sentences", () => {
    const faulty = Object.entries(descriptions).filter(
      ([, text]) => !/^[A-Z`0-9].*\.$/.test(text) || text.length > 250 || text.includes("  ")
    )
    expect(faulty).toEqual([])
  })
})
