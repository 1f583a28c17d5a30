import * as Effect from "effect/Effect"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import type { ReservedRequest } from "../../core/sandbox/reservedInputs.ts"
import type { CallRequest } from "../../core/call/Call.ts"

/** A request of the documentation as the one path of every call takes it; `known` fills in its stand-ins. */
export const callRequest = (
  operation: OperationId,
  { authorization, body = "", headers = {}, path }: ReservedRequest,
  known: Readonly<Record<string, string>>
): CallRequest => {
  const [steps = "", query = ""] = filled(path, known).split("?")
  return {
    fault: undefined,
    params: paramsOf(operation, steps),
    query: Object.fromEntries(new URLSearchParams(query)),
    authorization: authorization === "none" ? undefined : (known[authorization] ?? authorization),
    origin: undefined,
    accept: undefined,
    contentType: headers["content-type"],
    contentEncoding: undefined,
    ifNoneMatch: undefined,
    idempotencyKey: undefined,
    idempotencyAlias: undefined,
    address: "192.0.2.1",
    readBody: Effect.succeed({ _tag: "Text", text: body })
  }
}

const filled = (path: string, known: Readonly<Record<string, string>>): string =>
  Object.entries(known)
    .filter(([name]) => name.startsWith("$"))
    .reduce((text, [name, value]) => text.replaceAll(name, value), path)

const paramsOf = (operation: OperationId, path: string): Readonly<Record<string, string>> => {
  const template = `${surfacePrefix.sandbox}${operationRow(operation).path}`.split("/")
  const steps = path.split("/")
  return Object.fromEntries(
    template.flatMap((step, index) =>
      step.startsWith("{") ? [[step.slice(1, -1), decodeURIComponent(steps[index] ?? "")]] : []
    )
  )
}
