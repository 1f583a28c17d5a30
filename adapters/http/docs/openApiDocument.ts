import { openApi } from "../openapi.ts"
import type { SandboxAnswers } from "../openapi/examples.ts"
import answers from "../openapi/sandboxAnswers.json" with { type: "json" }
import type { Content } from "./Content.ts"
import { plainText } from "./Content.ts"

/** /openapi.json. */
export const openApiDocument = (baseUrl: string): Content =>
  plainText(JSON.stringify(openApi(baseUrl, answers as SandboxAnswers)), "application/json; charset=utf-8")
