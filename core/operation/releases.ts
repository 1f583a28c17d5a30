import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { codeSystems } from "../coverage/Code.ts"
import { dispositions } from "../coverage/Policy.ts"
import { parseReleaseId } from "../release/ReleaseId.ts"
import type { ReleaseId } from "../release/ReleaseId.ts"
import { standIns } from "./Operation.ts"
import type { Operation } from "./Operation.ts"
import { codeText, pageFields, text } from "./field.ts"

/** One decision of a certified release, `derived_decision_v1` (contract §2). */
export const ReleaseDecisionView = Schema.Struct({
  /** `dec_` and the record's hash. */
  decision_id: Schema.String,
  /** Over the canonical JSON of the other members (docs/releases.md). */
  record_sha256: Schema.String,
  policy_id: Schema.String,
  policy_version: Schema.Int,
  policy_fingerprint_sha256: Schema.String,
  source_document_sha256: Schema.String,
  payer_code: Schema.String,
  line_of_business: Schema.String,
  code_system: Schema.Literals(codeSystems),
  code: Schema.String,
  disposition: Schema.Literals(dispositions),
  /** 0001-01-01 where the document names no first day. */
  effective_date: Schema.String,
  retire_date: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ReleaseDecision" })

/** What is no release id is a release that is not available like any other, so no text of it is refused. */
const releaseId = Schema.String.pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String) as unknown as Schema.Codec<ReleaseId | null, ReleaseId | null>,
    SchemaTransformation.transform({
      decode: (text: string): ReleaseId | null => parseReleaseId(text) ?? null,
      encode: (id: ReleaseId | null): string => id ?? ""
    })
  )
)

export const releaseRows = {
  listReleaseDecisions: {
    method: "GET",
    path: "/releases/{release_id}/decisions",
    summary: "List the decisions of a certified release",
    requirement: "certified",
    feature: null,
    credits: 1,
    params: Schema.Struct({ release_id: releaseId }),
    query: Schema.Struct({
      ...pageFields,
      code: codeText,
      code_system: Schema.optionalKey(Schema.Literals(codeSystems)),
      payer_code: Schema.optionalKey(text({ min: 1, max: 100 }, "code")),
      format: Schema.optionalKey(Schema.String)
    }),
    example: { path: `/releases/${standIns.release}/decisions?code=E0650` },
    success: Schema.Array(ReleaseDecisionView),
    refusals: { RESOURCE_RELEASE_NOT_AVAILABLE: { path: "/releases/rel_1/decisions?code=E0650" } },
    paged: true,
    etag: true,
    jsonOnly: true
  }
} as const satisfies Record<string, Operation>
