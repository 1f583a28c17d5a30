import * as Schema from "effect/Schema"
import type { Operation } from "./Operation.ts"
import { codeParams } from "./field.ts"

/** GET /payers (contract §2). */
export const PayerView = Schema.Struct({
  code: Schema.String,
  name: Schema.String,
  type: Schema.String,
  lines_of_business: Schema.Array(Schema.String)
}).annotate({ identifier: "Payer" })

export type PayerView = typeof PayerView.Type

export const payerRows = {
  listPayers: {
    method: "GET",
    path: "/payers",
    summary: "List payers",
    requirement: "read",
    feature: null,
    credits: 1,
    example: { path: "/payers" },
    success: Schema.Array(PayerView),
    refusals: {},
    coverage: true
  },
  getPayer: {
    method: "GET",
    path: "/payers/{code}",
    summary: "Get a payer",
    requirement: "read",
    feature: null,
    credits: 1,
    params: codeParams,
    example: { path: "/payers/medicare" },
    success: PayerView,
    refusals: { RESOURCE_PAYER_NOT_FOUND: { path: "/payers/nobody" } },
    coverage: true
  }
} as const satisfies Record<string, Operation>
