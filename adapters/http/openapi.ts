import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { groupOf, surfacePrefix } from "../../core/operation/Operation.ts"
import type { Operation, Surface } from "../../core/operation/Operation.ts"
import { requirements } from "../../core/operation/scope.ts"
import { packNames, packs } from "../../core/organization/pack.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { answersOf, errorAnswers } from "./openapi/answers.ts"
import { components } from "./openapi/components.ts"
import { answersAt, bodyExample, errorExamples, parameterExample } from "./openapi/examples.ts"
import type { SandboxAnswers } from "./openapi/examples.ts"
import { bodyOf, parametersOf } from "./openapi/inputs.ts"
import { idempotencyKey, introduction, needsOf, tags } from "./openapi/words.ts"
import { nameKeyword } from "../../core/operation/jsonSchema.ts"
import type { JsonSchema } from "../../core/operation/jsonSchema.ts"
import { requestSchemaName } from "./openapi/componentNames.ts"
import { shareSchemas } from "./openapi/shareSchemas.ts"
import { webhooks } from "./openapi/webhooks.ts"

/**
 * The OpenAPI 3.1 description of the service, from the catalogue and what the sandbox answers.
 * `x-credit-cost` is what a call spends and uses of the limit (§8.1.2); of `x-required-scopes` a key needs
 * one; where there is an `x-pack` the organization needs one of those packs. `baseUrl` without a slash at its
 * end; empty gives addresses relative to wherever the document is served.
 */
export const openApi = (baseUrl: string, kept: SandboxAnswers): JsonSchema => {
  const answers = answersAt(baseUrl, kept)
  return shareSchemas({
    ...standing(baseUrl),
    paths: paths(baseUrl, answers),
    webhooks: webhooks(),
    components: {
      ...components(baseUrl),
      responses: errorAnswers(),
      examples: errorExamples(answers)
    }
  })
}

const standing = (baseUrl: string): JsonSchema => ({
  openapi: "3.1.0",
  info: {
    title: "Coverage-Policy API",
    version: "v1",
    description: introduction,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" }
  },
  servers: [server(baseUrl, "live"), server(baseUrl, "sandbox")],
  security: [{ key: [] }],
  tags
})

const descriptions: Readonly<Record<Surface, string>> = {
  live: "Live data, with a live key.",
  sandbox: "Synthetic fixtures, with a test key."
}

const server = (baseUrl: string, surface: Surface): JsonSchema => ({
  url: baseUrl + surfacePrefix[surface],
  description: descriptions[surface]
})

const paths = (baseUrl: string, answers: SandboxAnswers): JsonSchema => {
  const byPath = Map.groupBy(operationIds, (id) => operationRow(id).path)
  return Object.fromEntries(
    [...byPath].map(([path, ids]) => [
      path,
      Object.fromEntries(
        ids.map((id) => [
          operationRow(id).method.toLowerCase(),
          described(id, baseUrl, answers.operations[id])
        ])
      )
    ])
  )
}

const described = (id: OperationId, baseUrl: string, example: unknown): JsonSchema => {
  const row = operationRow(id)
  const parameters = [
    ...parametersOf(id).map((one) => ({ ...one, ...parameterExample(id, row.path, one) })),
    ...idempotencyKey(id)
  ]
  const body = bodyOf(id)
  return {
    operationId: id,
    tags: [groupOf(row.path)],
    summary: row.summary,
    ...(row.onlyOn === undefined ? {} : { servers: [server(baseUrl, row.onlyOn)] }),
    description: needsOf(row),
    ...(row.deprecated === undefined ? {} : { deprecated: true, "x-sunset": row.deprecated.sunset }),
    ...(row.requirement === null ? { security: [] } : { "x-required-scopes": requirements[row.requirement] }),
    ...(row.feature === null ? {} : { "x-pack": packsWith(row.feature) }),
    "x-credit-cost": row.credits,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: row.bodyOptional !== true,
            content: { "application/json": { schema: named(id, body), ...bodyExample(id) } }
          }
        }),
    responses: answersOf(id, example)
  }
}

/** Names a body after its operation unless its schema has a name of its own. */
const named = (id: OperationId, body: JsonSchema): JsonSchema => ({
  [nameKeyword]: requestSchemaName(id),
  ...body
})

const packsWith = (feature: NonNullable<Operation["feature"]>): ReadonlyArray<PackName> =>
  packNames.filter((name) => packs[name][feature])
