import * as SchemaParser from "effect/SchemaParser"
import type * as Schema from "effect/Schema"
import { expect } from "vitest"
import { catalogue } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { ErrorBody } from "./harness.ts"

export interface SentCall {
  readonly body?: unknown
  readonly key?: string
}

/** An answer whose body was read. */
export interface CallAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly data: never; readonly meta: Readonly<Record<string, unknown>> } & ErrorBody
}

export type Row = Readonly<Record<string, unknown>>

/** Calls of a customer that has webhooks, by the address of its surface. */
export const webhookClient = (base: () => string, key: () => string) => {
  const call = async (method: string, path: string, sent: SentCall = {}): Promise<CallAnswer> => {
    const headers: Record<string, string> = { authorization: `Bearer ${key()}` }
    if (sent.body !== undefined) headers["content-type"] = "application/json"
    if (sent.key !== undefined) headers["x-idempotency-key"] = sent.key
    const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }
    const response = await fetch(base() + path, { method, headers, ...body })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as CallAnswer["body"]
    }
  }
  /** The data of a success, which must be of the declared shape to the last member. */
  const data = async (id: OperationId, path: string, sent: SentCall = {}): Promise<Row> => {
    const row = catalogue[id]
    const told = await call(row.method, path, sent)
    expect([id, told.status, told.body]).toMatchObject([id, 200, { success: true }])
    const schema = row.success as unknown as Schema.ConstraintDecoder<Row>
    return SchemaParser.decodeUnknownSync(schema, { onExcessProperty: "error" })(told.body.data)
  }
  return {
    call,
    data,
    code: async (method: string, path: string, sent: SentCall = {}): Promise<string> => {
      const { status, body } = await call(method, path, sent)
      return status === 200 ? "200" : body.error.code
    },
    /** A fresh endpoint at this host; its events are all. */
    endpoint: (host = "ok.example.com") =>
      data("createWebhook", "/webhooks", { body: { url: `https://${host}/in`, events: ["*"] } })
  }
}
