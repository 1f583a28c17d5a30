import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { codeSystems } from "../../coverage/Code.ts"
import { codeText, pageFields, text } from "../field.ts"
import type { Operation } from "../Operation.ts"
import { ReleaseDecisionView } from "../wire/Release.ts"
import { parseReleaseId } from "../../release/ReleaseId.ts"
import type { ReleaseId } from "../../release/ReleaseId.ts"

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
    summary: "Read the decisions of a certified release",
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
    success: Schema.Array(ReleaseDecisionView),
    refusals: ["RESOURCE_RELEASE_NOT_AVAILABLE"],
    paged: true,
    etag: true,
    jsonOnly: true
  }
} as const satisfies Record<string, Operation>
