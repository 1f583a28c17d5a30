import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import { isPending } from "../../core/operation/pending.ts"
import { requirements } from "../../core/operation/scope.ts"
import { answersOf, errorAnswers } from "./openapi/answers.ts"
import { components } from "./openapi/components.ts"
import { bodyOf, parametersOf } from "./openapi/inputs.ts"
import type { Shape } from "./openapi/shape.ts"

/**
 * The OpenAPI 3.1 description of the service, from the catalogue alone. `x-credit-cost` is what a call
 * spends and uses of the limit (§8.1.2); of `x-required-scopes` a key needs one. `baseUrl` without a slash
 * at its end; empty gives addresses relative to wherever the document is served.
 */
export const openApi = (baseUrl: string): Shape => ({
  openapi: "3.1.0",
  info: {
    title: "Coverage-Policy API",
    version: "v1",
    description:
      "What Medicare and payer policies say. Branch on `error.code`; retry only when `error.retryable` is true.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" }
  },
  servers: [server(baseUrl, "live"), server(baseUrl, "sandbox")],
  security: [{ key: [] }],
  paths: paths(baseUrl),
  components: { ...components(baseUrl), responses: errorAnswers() }
})

const descriptions: Readonly<Record<Surface, string>> = {
  live: "Live data, with a live key.",
  sandbox: "Synthetic fixtures, with a test key."
}

const server = (baseUrl: string, surface: Surface): Shape => ({
  url: baseUrl + surfacePrefix[surface],
  description: descriptions[surface]
})

const paths = (baseUrl: string): Shape => {
  const byPath = Map.groupBy(operationIds, (id) => operationRow(id).path)
  return Object.fromEntries(
    [...byPath].map(([path, ids]) => [
      path,
      Object.fromEntries(ids.map((id) => [operationRow(id).method.toLowerCase(), described(id, baseUrl)]))
    ])
  )
}

const described = (id: OperationId, baseUrl: string): Shape => {
  const row = operationRow(id)
  const parameters = parametersOf(row)
  const body = bodyOf(row)
  return {
    operationId: id,
    tags: [row.path.split("/")[1]],
    summary: row.summary,
    ...(row.onlyOn === undefined ? {} : { servers: [server(baseUrl, row.onlyOn)] }),
    ...(isPending(id)
      ? { description: "Not built yet: answers SERVER_UNAVAILABLE and spends nothing.", "x-pending": true }
      : {}),
    ...(row.requirement === null ? { security: [] } : { "x-required-scopes": requirements[row.requirement] }),
    ...(row.feature === null ? {} : { "x-pack-feature": row.feature }),
    "x-credit-cost": row.credits,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: row.bodyOptional !== true,
            content: { "application/json": { schema: body } }
          }
        }),
    responses: answersOf(row)
  }
}
