import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { openApi } from "../openapi.ts"

/** /openapi.json, written once at the start. */
export const openApiDocument = (baseUrl: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(openApi(baseUrl)), {
    contentType: "application/json; charset=utf-8",
    headers: { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" }
  })
