/** A JSON Schema as OpenAPI 3.1 holds it, under the names that this folder uses. */
export { jsonSchemaOf as shapeOf } from "../../../core/operation/jsonSchema.ts"
export type { JsonSchema as Shape } from "../../../core/operation/jsonSchema.ts"
