import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { examples } from "../../core/sandbox/examples.ts"

/** The documented example of an operation as the client's flat input. */
export const exampleInput = (id: OperationId): Readonly<Record<string, unknown>> => {
  const example = examples[id]
  const url = new URL(example.path, "https://api.coverage.example")
  const steps = url.pathname.slice(surfacePrefix.sandbox.length).split("/")
  const params = operationRow(id)
    .path.split("/")
    .flatMap((part, index) =>
      part.startsWith("{") ? [[part.slice(1, -1), decodeURIComponent(steps[index] ?? "")]] : []
    )
  return {
    ...Object.fromEntries(params),
    ...Object.fromEntries(url.searchParams),
    ...(example.body === undefined ? {} : (JSON.parse(example.body) as object))
  }
}
