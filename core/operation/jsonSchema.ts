import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** A JSON Schema (2020-12, which OpenAPI 3.1 uses), or a part of one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/**
 * The extension keyword for what a text must be, as a noun phrase ("a date, YYYY-MM-DD"). Validation messages
 * and the reference use it; `description` is free for what the field means.
 */
export const expectedKeyword = "x-expected"

/** The extension keyword for the `identifier` of a schema: the name of its component in OpenAPI. */
export const nameKeyword = "x-name"

/**
 * What a schema takes or gives on the wire, as JSON Schema. Effect's own conversion shows a number in a
 * query as text, keeps no pattern without the `u` flag and lets NaN into plain numbers, so it is not used.
 * `closedAt` is the JSON pointer of the one object that refuses unknown members. `named` adds the name of
 * each object that has one.
 */
export const jsonSchemaOf = (
  schema: { readonly ast: SchemaAST.AST },
  { closedAt, named = false }: { readonly closedAt?: string | undefined; readonly named?: boolean } = {}
): JsonSchema => shape(schema.ast, { closedAt, named, at: "/body" })

/** Where in the body a shape lies, and which object of it is closed. */
interface Place {
  readonly closedAt: string | undefined
  readonly named: boolean
  readonly at: string
}

/** A number written as text, as queries and paths carry it, is shown as the integer that it means. */
const shape = (ast: SchemaAST.AST, place: Place): JsonSchema => {
  const sent = sentAs(ast)
  if (ast._tag === "Number" && sent._tag === "String") return checked(ast, { type: "integer" })
  return checked(sent, bare(sent, place))
}

/** The wire's side of a schema; its members are looked at one by one. */
const sentAs = (ast: SchemaAST.AST): SchemaAST.AST => {
  const last = ast.encoding?.at(-1)
  return last === undefined ? ast : sentAs(last.to)
}

const bare = (ast: SchemaAST.AST, place: Place): JsonSchema => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return { type: "string" }
    case "Number":
      return { type: "number" }
    case "Boolean":
      return { type: "boolean" }
    case "Null":
      return { type: "null" }
    case "Literal":
      return { const: ast.literal }
    case "Union":
      return alternatives(ast.types.map((type) => shape(type, place)))
    case "Arrays":
      return {
        type: "array",
        items: alternatives([...ast.elements, ...ast.rest].map((item) => shape(item, place)))
      }
    case "Objects":
      return members(ast, place)
    case "Suspend":
    case "Declaration":
    case "Undefined":
    case "Void":
    case "Never":
    case "Unknown":
    case "Any":
    case "BigInt":
    case "Symbol":
    case "UniqueSymbol":
    case "ObjectKeyword":
    case "Enum":
      return {}
  }
}

const members = (ast: SchemaAST.Objects, place: Place): JsonSchema => {
  const { at, closedAt } = place
  const named = ast.propertySignatures.map((member) => ({ name: String(member.name), type: member.type }))
  const required = named.filter(({ type }) => !SchemaAST.isOptional(type)).map(({ name }) => name)
  const [rest] = ast.indexSignatures
  const identifier = ast.annotations?.["identifier"]
  return {
    ...(place.named && typeof identifier === "string" ? { [nameKeyword]: identifier } : {}),
    type: "object",
    ...(named.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            named.map(({ name, type }) => [name, shape(type, { ...place, at: `${at}/${name}` })])
          )
        }),
    ...(required.length === 0 ? {} : { required }),
    ...(rest === undefined ? {} : { additionalProperties: shape(rest.type, { ...place, at: `${at}/*` }) }),
    ...(closedAt === at ? { additionalProperties: false } : {})
  }
}

/** Several words are an enum and several plain types a list of types; anything else says `anyOf`. */
const alternatives = (shapes: ReadonlyArray<JsonSchema>): JsonSchema => {
  const [only] = shapes
  if (shapes.length === 1 && only !== undefined) return "const" in only ? words(shapes) : only
  if (shapes.every((one) => "const" in one)) return words(shapes)
  return shapes.every(isPlainType) ? { type: shapes.map((one) => one["type"]) } : { anyOf: shapes }
}

const words = (shapes: ReadonlyArray<JsonSchema>): JsonSchema => {
  const values = shapes.map((one) => one["const"])
  return values.every((value) => typeof value === "string")
    ? { type: "string", enum: values }
    : { enum: values }
}

const isPlainType = (one: JsonSchema): boolean =>
  typeof one["type"] === "string" && Object.keys(one).length === 1

const checked = (ast: SchemaAST.AST, plain: JsonSchema): JsonSchema =>
  Object.assign({}, plain, ...(ast.checks ?? []).flatMap(filtersOf).map(keywordsOf))

const filtersOf = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersOf)

/** A check without a JSON Schema keyword is published as the noun phrase that it expects. */
const keywordsOf = ({ annotations }: SchemaAST.Filter<unknown>): JsonSchema => {
  const { id, payload } = readCheck(annotations)
  switch (id) {
    case "effect/schema/isInt":
      return { type: "integer" }
    case "effect/schema/isBetween":
      return { minimum: payload["minimum"], maximum: payload["maximum"] }
    case "effect/schema/isBetweenLength":
      return { minItems: payload["minimum"], maxItems: payload["maximum"] }
    case "effect/schema/isBetweenCodePoints":
      return { minLength: payload["minimum"], maxLength: payload["maximum"] }
    case "effect/schema/isPattern":
      return { pattern: payload["source"], ...inWords(annotations) }
    default:
      return inWords(annotations)
  }
}

const readCheck = (annotations: Schema.Annotations.Filter | undefined) => {
  const representation = annotations?.representation
  const payload = representation?.payload
  const known = typeof payload === "object" && payload !== null && !Array.isArray(payload)
  return { id: representation?.id, payload: known ? (payload as JsonSchema) : {} }
}

const inWords = (annotations: Schema.Annotations.Filter | undefined): JsonSchema => {
  const { allowed, expected, format } = annotations ?? {}
  return {
    ...(allowed === undefined ? {} : { "x-allowed": allowed }),
    ...(typeof expected === "string" ? { [expectedKeyword]: expected } : {}),
    ...(typeof format === "string" ? { format } : {})
  }
}
