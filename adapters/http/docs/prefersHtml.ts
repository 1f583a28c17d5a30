import { qualities } from "../../../core/admission/decode.ts"

const types = { html: "text/html", json: "application/json" } as const

/**
 * Whether an Accept header (RFC 9110 §12.5.1) wants HTML more than JSON, as a browser's does that follows a
 * link. Who takes both alike, or says nothing, is a program.
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  const weights = qualities(accept ?? "")
  const weight = (type: string): number =>
    weights.get(type) ?? weights.get(`${type.split("/")[0]}/*`) ?? weights.get("*/*") ?? 0
  return weight(types.html) > weight(types.json)
}
