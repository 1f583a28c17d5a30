import { nameKeyword } from "../../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../../core/operation/jsonSchema.ts"

/**
 * Moves every named schema of a document to `components.schemas` and refers to it. A schema whose name
 * belongs to a different schema stays in place with its name keyword, which a test rejects.
 */
export const shareSchemas = (document: JsonSchema): JsonSchema => {
  const shared = new Map<string, JsonSchema>()
  const moved = refer(document, shared) as Document
  const { components } = moved
  return {
    ...moved,
    components: { ...components, schemas: { ...components.schemas, ...Object.fromEntries(shared) } }
  }
}

interface Document extends JsonSchema {
  readonly components: { readonly schemas: JsonSchema }
}

const refer = (node: unknown, shared: Map<string, JsonSchema>): unknown => {
  if (Array.isArray(node)) return node.map((item: unknown) => refer(item, shared))
  if (typeof node !== "object" || node === null) return node
  const entries = Object.entries(node).map(([key, inner]): [string, unknown] => [
    key,
    verbatim.has(key) ? inner : refer(inner, shared)
  ])
  const { [nameKeyword]: name, description, ...schema } = Object.fromEntries(entries)
  if (typeof name !== "string") return Object.fromEntries(entries)
  const known = shared.get(name)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    return Object.fromEntries(entries)
  shared.set(name, schema)
  return { ...(description === undefined ? {} : { description }), $ref: `#/components/schemas/${name}` }
}

/** Keywords whose values are data and not schemas. */
const verbatim: ReadonlySet<string> = new Set(["example", "examples"])
