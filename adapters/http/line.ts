import { urlLengthMax } from "../../core/admission/body.ts"
import type { CallRequest } from "../../core/call/Call.ts"
import { refused } from "../../core/error/Refusal.ts"
import type { Refusal } from "../../core/error/Refusal.ts"
import { fieldFault, refusedFields } from "../../core/error/fieldFaults.ts"

/** What a request's line says of a call. */
export type Line = Pick<CallRequest, "fault" | "params" | "query"> & { readonly queryIsText: boolean }

/** Reads a URL whose open steps the router found. */
export const readLine = (url: string, params: Line["params"]): Line => ({
  fault: urlRefusal(url, params),
  params,
  query: queryOf(url),
  queryIsText: isQueryText(url)
})

/** What the router lets through: an over-long URL, `;` taken for `?`, a path whose last step is empty. */
const urlRefusal = (url: string, params: Line["params"]): Refusal | undefined => {
  if (url.length > urlLengthMax) return tooLong
  const semicolon = url.indexOf(";")
  const question = url.indexOf("?")
  if (semicolon !== -1 && (question === -1 || semicolon < question)) return refused("RESOURCE_NOT_FOUND")
  for (const name in params) if (params[name] === "") return refused("RESOURCE_NOT_FOUND")
  return undefined
}

export const malformedRequest = refusedFields([
  fieldFault("/", "invalid", "The request is not valid HTTP/1.1.")
])

export const tooLong = refusedFields([
  fieldFault("/url", "out_of_range", `The URL is longer than ${urlLengthMax} characters.`)
])

/**
 * A name that is repeated holds all its values, which no query field takes: it is refused, never half read.
 */
const queryOf = (url: string): Line["query"] => {
  const start = url.indexOf("?")
  if (start === -1) return noQuery
  const query: Record<string, string | ReadonlyArray<string>> = Object.create(null)
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const earlier = query[name]
    query[name] =
      earlier === undefined ? value : [...(typeof earlier === "string" ? [earlier] : earlier), value]
  }
  return { ...query }
}

/** Whether the query is percent-encoded UTF-8 throughout: what is not would be read as something else. */
const isQueryText = (url: string): boolean => {
  const start = url.indexOf("?")
  if (start === -1 || !url.includes("%", start)) return true
  try {
    decodeURIComponent(url.slice(start))
    return true
  } catch {
    return false
  }
}

const noQuery: Line["query"] = {}
