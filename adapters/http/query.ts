import type { CallRequest } from "../../core/call/CallRequest.ts"

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

/** Whether the query is percent-encoded UTF-8 throughout: what is not would be read as something else. */
export const isQueryText = (url: string): boolean => {
  const start = url.indexOf("?")
  if (start === -1 || !url.includes("%", start)) return true
  try {
    decodeURIComponent(url.slice(start))
    return true
  } catch {
    return false
  }
}

const noQuery: CallRequest["query"] = {}
