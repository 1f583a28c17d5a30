import type { CallRequest } from "../../core/workflow/CallRequest.ts"

/**
 * A name that is repeated holds all its values, which no query field takes: it is refused, never half read.
 */
export const queryOf = (url: string): CallRequest["query"] => {
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

const noQuery: CallRequest["query"] = {}
