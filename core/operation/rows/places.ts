import * as Schema from "effect/Schema"
import { text } from "../field.ts"
import type { Operation } from "../Operation.ts"
import { JurisdictionView } from "../wire/Jurisdiction.ts"
import { PayerView } from "../wire/Payer.ts"

const code = Schema.Struct({ code: text({ min: 1, max: 100 }) })

export const placeRows = {
  listJurisdictions: {
    method: "GET",
    path: "/jurisdictions",
    summary: "List the Medicare jurisdictions and their contractors",
    requirement: "read",
    feature: null,
    credits: 1,
    success: Schema.Array(JurisdictionView),
    refusals: [],
    etag: true,
    coverage: true
  },
  getJurisdiction: {
    method: "GET",
    path: "/jurisdictions/{code}",
    summary: "Read one Medicare jurisdiction",
    requirement: "read",
    feature: null,
    credits: 1,
    params: code,
    success: JurisdictionView,
    refusals: ["RESOURCE_JURISDICTION_NOT_FOUND"],
    etag: true,
    coverage: true
  },
  listPayers: {
    method: "GET",
    path: "/payers",
    summary: "List the payers",
    requirement: "read",
    feature: null,
    credits: 1,
    success: Schema.Array(PayerView),
    refusals: [],
    coverage: true
  },
  getPayer: {
    method: "GET",
    path: "/payers/{code}",
    summary: "Read one payer",
    requirement: "read",
    feature: null,
    credits: 1,
    params: code,
    success: PayerView,
    refusals: ["RESOURCE_PAYER_NOT_FOUND"],
    coverage: true
  }
} as const satisfies Record<string, Operation>
