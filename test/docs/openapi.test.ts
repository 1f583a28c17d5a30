import { Ajv2020 } from "ajv/dist/2020.js"
import { Validator } from "@seriousme/openapi-schema-validator"
import { describe, expect, it } from "vitest"
import { openApi } from "../../adapters/http/openapi.ts"
import { errorSchemaName } from "../../adapters/http/openapi/componentNames.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { packNames, packs } from "../../core/organization/pack.ts"
import { eventNames } from "../../core/webhook/event.ts"

const baseUrl = "https://api.coverage.example"
const document = openApi(baseUrl, kept as SandboxAnswers)

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

/** A node by its names. */
const at = (node: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>((inner, name) => (isNode(inner) ? inner[name] : undefined), node)

/** A schema of the document as a validator of its own: what it refers to is found in the document. */
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: "doc", ...document })
const faultsOf = (pointer: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
  const steps = pointer.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
  const validate = ajv.compile({ $ref: `doc#/${steps.join("/")}` })
  return validate(value)
    ? []
    : (validate.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`)
}

const pathOf = (id: (typeof operationIds)[number]) => {
  const { method, path } = operationRow(id)
  return ["paths", path, method.toLowerCase()] as const
}
const json = ["content", "application/json"] as const

describe("openapi.json", () => {
  it("is OpenAPI 3.1 by a validator that is not ours", async () => {
    const validator = new Validator()
    const { errors, valid } = await validator.validate(structuredClone(document) as Record<string, unknown>)
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, "3.1"])
    const { paths: _, ...without } = structuredClone(document) as Record<string, unknown>
    expect((await new Validator().validate({ ...without, info: {} })).valid).toBe(false)
  })

  it("holds only JSON Schemas of 2020-12", () => {
    const schemas: Array<unknown> = []
    const walk = (node: unknown): void => {
      if (!isNode(node)) return
      for (const [name, inner] of Object.entries(node)) {
        if (name === "schema") schemas.push(inner)
        else if (name !== "example" && name !== "examples") walk(inner)
      }
    }
    walk(document)
    expect(schemas.length).toBeGreaterThan(100)
    expect(schemas.filter((schema) => ajv.validateSchema(schema as Node) !== true)).toEqual([])
  })

  it.each(operationIds)("shows what the sandbox answers to %s, which is as its schema says", (id) => {
    const content = [...pathOf(id), "responses", "200", ...json]
    const example = at(document, ...content, "example")
    expect(at(example, "success")).toBe(true)
    expect(faultsOf([...content, "schema"], example)).toEqual([])
    expect(faultsOf([...content, "schema"], { ...(example as Node), data: 7 })).not.toEqual([])
    const body = [...pathOf(id), "requestBody", ...json]
    const sent = at(document, ...body, "example")
    if (sent !== undefined) expect(faultsOf([...body, "schema"], sent)).toEqual([])
  })

  it.each(errorCodes)("shows %s as it is answered, wherever it may be refused with", (code) => {
    const example = at(document, "components", "examples", code, "value")
    expect(faultsOf(["components", "schemas", errorSchemaName(code)], example)).toEqual([])
    expect(at(example, "error", "docUrl")).toMatch(/^https:\/\/api\.coverage\.example\/docs\/errors#/)
    const sayers = operationIds.filter((id) => refusalsOf(operationRow(id)).includes(code))
    for (const id of sayers) {
      const status = String(errorRow(code).status)
      const response = at(document, ...pathOf(id), "responses", status)
      const reference = at(response, "$ref")
      const answer = typeof reference === "string" ? at(document, ...reference.split("/").slice(1)) : response
      expect(at(answer, ...json, "examples", code)).toEqual({
        $ref: `#/components/examples/${code}`
      })
    }
  })

  it("says which packs an operation needs, by the table of packs", () => {
    for (const id of operationIds) {
      const { feature } = operationRow(id)
      const needed = feature === null ? undefined : packNames.filter((name) => packs[name][feature])
      expect(at(document, ...pathOf(id), "x-pack")).toEqual(needed)
    }
  })

  it.each(eventNames)("§6 describes %s with its headers and a body as it is delivered", (name) => {
    const event = ["webhooks", name, "post"]
    const parameters = at(document, ...event, "parameters") as ReadonlyArray<Node>
    expect(parameters.map((one) => [one["in"], one["name"]])).toEqual(
      ["webhook-id", "webhook-timestamp", "webhook-signature"].map((header) => ["header", header])
    )
    const body = [...event, "requestBody", ...json]
    const example = at(document, ...body, "example")
    expect(at(example, "type")).toBe(name)
    expect(faultsOf([...body, "schema"], example)).toEqual([])
    expect(faultsOf([...body, "schema"], { ...(example as Node), data: {} })).not.toEqual([])
  })
})
