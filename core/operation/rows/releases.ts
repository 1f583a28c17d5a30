import * as Schema from "effect/Schema"
import { codeSystems } from "../../coverage/Code.ts"
import { codeText, paging, text } from "../field.ts"
import type { Operation } from "../Operation.ts"

export const releaseRows = {
  listReleaseDecisions: {
    method: "GET",
    path: "/releases/{release_id}/decisions",
    summary: "Read the decisions of a certified release",
    requirement: "certified",
    feature: null,
    credits: 1,
    params: Schema.Struct({ release_id: text({ min: 1, max: 200 }) }),
    query: Schema.Struct({
      ...paging,
      code: codeText,
      code_system: Schema.optionalKey(Schema.Literals(codeSystems)),
      payer_code: Schema.optionalKey(text({ min: 1, max: 100 }, "code")),
      format: Schema.optionalKey(Schema.String)
    }),
    refusals: ["RESOURCE_RELEASE_NOT_AVAILABLE"],
    paged: true,
    jsonOnly: true
  }
} as const satisfies Record<string, Operation>
