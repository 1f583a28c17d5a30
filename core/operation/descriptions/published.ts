import type { ErrorCode } from "../../error/table.ts"
import type { EventType } from "../../webhook/event.ts"
import { operationIds, operationRow } from "../catalogue.ts"
import type { OperationId } from "../catalogue.ts"
import { jsonSchemaOf } from "../jsonSchema.ts"
import type { JsonSchema } from "../jsonSchema.ts"
import { groupOf } from "../Operation.ts"
import { eventData } from "../webhooks.ts"
import { describe } from "./describe.ts"
import type { FieldPath } from "./describe.ts"

/** Returns the place of a field of an operation for the table of descriptions. */
export const fieldOf = (id: OperationId, ...names: ReadonlyArray<string>): FieldPath => ({
  owners: [id, groupOf(operationRow(originalOf(id)).path)],
  names
})

/** Returns the operation that an alias repeats: the first with the same response. */
const originalOf = (id: OperationId): OperationId =>
  operationIds.find((other) => operationRow(other).success === operationRow(id).success) ?? id

/** Returns the described members of an operation's path and query, one schema each. */
export const describedInputs = (id: OperationId, part: "path" | "query"): JsonSchema => {
  const { params, query } = operationRow(id)
  const schema = part === "path" ? params : query
  return schema === undefined ? {} : describe(jsonSchemaOf(schema), fieldOf(id, part))
}

/** Returns the described request body of an operation; undefined if it has none. */
export const describedBody = (id: OperationId): JsonSchema | undefined => {
  const { body, closed } = operationRow(id)
  return body === undefined
    ? undefined
    : describe(jsonSchemaOf(body, { closedAt: closed?.at, named: true }), fieldOf(id, "body"))
}

/** Returns the described response of an operation: the envelope of §2.1 with this `meta`. */
export const describedResponse = (id: OperationId, meta: JsonSchema): JsonSchema => {
  const properties = {
    success: { const: true },
    data: jsonSchemaOf(operationRow(id).success, { named: true }),
    meta
  }
  return describe({ type: "object", required: Object.keys(properties), properties }, fieldOf(id))
}

/** Returns the described `data` of an operation's response. */
export const dataOf = (id: OperationId): JsonSchema =>
  describe(jsonSchemaOf(operationRow(id).success), fieldOf(id, "data"))

/** Returns a described part of the response to an error. */
export const describedError = (code: ErrorCode, schema: JsonSchema): JsonSchema =>
  describe(schema, { owners: [code, "errors"], names: [] })

/** Returns the described body of an event that the service sends. */
export const describedEvent = (type: EventType): JsonSchema => {
  const properties = {
    id: { type: "string" },
    type: { const: type },
    timestamp: { type: "string", format: "date-time" },
    api_version: { const: "v1" },
    data: jsonSchemaOf(eventData[type])
  }
  const body = { type: "object", required: Object.keys(properties), properties }
  return describe(body, { owners: [type], names: ["events"] })
}
