import { operationIds, operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import { standIns, surfacePrefix } from "../operation/Operation.ts"
import type { ExampleRequest } from "../operation/Operation.ts"
import type { ReservedRequest } from "./reservedInputs.ts"
import { fixtureReleaseId } from "./testKey.ts"

const authorizationOf = (id: OperationId): ReservedRequest["authorization"] => {
  const { requirement } = operationRow(id)
  return requirement === null ? "none" : requirement === "certified" ? "certified" : "own"
}

/** A request of a row, such as its example, as it is sent to the sandbox. */
export const sandboxRequest = (id: OperationId, example: ExampleRequest): ReservedRequest => {
  const { method } = operationRow(id)
  return {
    method,
    path: surfacePrefix.sandbox + example.path.replace(standIns.release, fixtureReleaseId),
    authorization: authorizationOf(id),
    ...(example.body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(example.body) })
  }
}

/** First what makes a row of the reader's own, last what needs one. */
const rankOf = (id: OperationId): number => {
  const { gives, path } = operationRow(id).example
  if (path.includes(standIns.webhook)) return 2
  return gives === undefined ? 1 : 0
}

/** The example of each operation as a request to the sandbox, in an order in which all are answered. */
export const examples = Object.fromEntries(
  operationIds
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((id) => [id, sandboxRequest(id, operationRow(id).example)])
) as Readonly<Record<OperationId, ReservedRequest>>
