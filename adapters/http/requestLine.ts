import { urlLengthMax } from "../../core/admission/body.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { fieldFault, refusedFields } from "../../core/operation/validate.ts"

/** What the router lets through: an over-long URL, `;` taken for `?`, a path whose last step is empty. */
export const urlRefusal = (
  url: string,
  params: Readonly<Record<string, string | undefined>>
): Refusal | undefined => {
  if (url.length > urlLengthMax) return tooLong
  const semicolon = url.indexOf(";")
  const question = url.indexOf("?")
  if (semicolon !== -1 && (question === -1 || semicolon < question)) return refused("RESOURCE_NOT_FOUND")
  for (const name in params) if (params[name] === "") return refused("RESOURCE_NOT_FOUND")
  return undefined
}

export const malformed = refusedFields([fieldFault("/", "invalid", "The request is not valid HTTP/1.1.")])

export const tooLong = refusedFields([
  fieldFault("/url", "out_of_range", `The URL is longer than ${urlLengthMax} characters.`)
])
