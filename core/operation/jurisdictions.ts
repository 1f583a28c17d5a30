import * as Schema from "effect/Schema"
import type { Operation } from "./Operation.ts"
import { codeParams } from "./field.ts"

/** GET /jurisdictions (contract §2). */
export const JurisdictionView = Schema.Struct({
  mac_name: Schema.String,
  mac_code: Schema.String,
  jurisdiction_code: Schema.String,
  jurisdiction_name: Schema.String,
  states: Schema.Array(Schema.String),
  mac_type: Schema.String,
  website_url: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Jurisdiction" })

export type JurisdictionView = typeof JurisdictionView.Type

export const jurisdictionRows = {
  listJurisdictions: {
    method: "GET",
    path: "/jurisdictions",
    summary: "List Medicare jurisdictions and their contractors",
    requirement: "read",
    feature: null,
    credits: 1,
    example: { path: "/jurisdictions" },
    success: Schema.Array(JurisdictionView),
    refusals: {},
    etag: true,
    coverage: true
  },
  getJurisdiction: {
    method: "GET",
    path: "/jurisdictions/{code}",
    summary: "Get a Medicare jurisdiction",
    requirement: "read",
    feature: null,
    credits: 1,
    params: codeParams,
    example: { path: "/jurisdictions/JH" },
    success: JurisdictionView,
    refusals: { RESOURCE_JURISDICTION_NOT_FOUND: { path: "/jurisdictions/JZ" } },
    etag: true,
    coverage: true
  }
} as const satisfies Record<string, Operation>
