import * as Schema from "effect/Schema"
import { codeSystems } from "../../coverage/Code.ts"
import { codeText, isoDate, list, booleanText, text } from "../field.ts"
import { includeList, includeWords } from "../includes.ts"
import type { Operation } from "../Operation.ts"
import { CodeBatchView, CodeView } from "../wire/Code.ts"

const includes = ["rvu", "policies"] as const

export const codeRows = {
  lookupCode: {
    method: "GET",
    path: "/codes/lookup",
    summary: "Look up one medical code",
    requirement: "read",
    feature: null,
    credits: 1,
    query: Schema.Struct({
      code: codeText,
      code_system: Schema.optionalKey(Schema.Literals(codeSystems)),
      jurisdiction: Schema.optionalKey(text({ min: 1, max: 50 })),
      include: Schema.optionalKey(includeList(includes)),
      fuzzy: Schema.optionalKey(booleanText),
      as_of: Schema.optionalKey(isoDate)
    }),
    success: CodeView,
    refusals: ["RESOURCE_CODE_NOT_FOUND", "RESOURCE_JURISDICTION_NOT_FOUND"],
    etag: true,
    coverage: true
  },
  batchCodes: {
    method: "POST",
    path: "/codes/batch",
    summary: "Look up many medical codes at once",
    requirement: "read",
    feature: null,
    credits: 4,
    body: Schema.Struct({
      codes: list(codeText, { min: 1, max: 50 }),
      code_system: Schema.optionalKey(Schema.Literals(codeSystems)),
      include: Schema.optionalKey(includeWords(includes))
    }),
    success: CodeBatchView,
    refusals: [],
    coverage: true
  }
} as const satisfies Record<string, Operation>
