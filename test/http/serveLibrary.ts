import * as Layer from "effect/Layer"
import * as SchemaParser from "effect/SchemaParser"
import type * as Schema from "effect/Schema"
import { expect } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { seedDecisions } from "./decisions.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ErrorBody } from "./harness.ts"
import { inMemory, inPostgres } from "./stores.ts"

/** Both compositions of the stores that answer decisions. */
export const stores = [
  ["memory", () => Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)],
  ["PostgreSQL", () => Layer.mergeAll(inPostgres, MemoryLimits.layer, healthy)]
] as const

type Ports = ReturnType<(typeof stores)[number][1]>

/** A served library of decisions, and a way to put questions to one of its operations. */
export const serveLibrary = async (ports: Ports) => {
  const serving = await serve(ports)
  await serving.run(seedDecisions)
  const { key } = await serving.run(customer({ pack: "scale" }))
  const send = (path: string, body: unknown) =>
    fetch(`${serving.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  return {
    close: serving.close,
    send,
    /** The data of a success, which must be of the declared shape to the last member. */
    data: async <Data>(path: string, body: unknown, shape: Schema.ConstraintDecoder<Data>): Promise<Data> => {
      const response = await send(path, body)
      const answer = (await response.json()) as { readonly data: unknown }
      expect([response.status, answer]).toMatchObject([200, { success: true }])
      return SchemaParser.decodeUnknownSync(shape, { onExcessProperty: "error" })(answer.data)
    },
    refusal: async (path: string, body: unknown): Promise<string> =>
      ((await (await send(path, body)).json()) as ErrorBody).error.code
  }
}
