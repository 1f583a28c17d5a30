import type { ErrorCode } from "../../../core/error/table.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import type { EventType } from "../../../core/webhook/event.ts"

/**
 * Names of components and of webhook operations. They become names of types and functions in generated
 * clients, so they are short and made of letters and digits.
 */

/** Returns the component of an error response: `RateLimitExceededError`. */
export const errorSchemaName = (code: ErrorCode): string => {
  const name = pascalCase(code.toLowerCase())
  return name.endsWith("Error") ? name : `${name}Error`
}

/** Returns the component of a request body whose schema has no name: `CreateWebhookRequest`. */
export const requestSchemaName = (id: OperationId): string => `${pascalCase(id)}Request`

/** Returns the component of an event's body: `TestPingEvent`. */
export const eventSchemaName = (type: EventType): string => `${pascalCase(type)}Event`

/** Returns the operation id of an event: `onTestPing`. */
export const eventOperationId = (type: EventType): string => `on${pascalCase(type)}`

const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
