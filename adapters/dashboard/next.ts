import { parseNext } from "../../core/person/form.ts"

/** Where somebody wanted to go before they signed in; never anywhere but here. */
export const nextOf = (input: string | null): string | undefined => {
  const next = input === null ? undefined : parseNext(input)
  return next === undefined || endless.has(next.split("?", 1)[0] ?? "") ? undefined : next
}

/** The query that carries the input on; "" without one. */
export const nextQuery = (next: string | undefined): string =>
  next === undefined ? "" : `?next=${encodeURIComponent(next)}`

/** Going there once signed in would lead back to where one is. */
const endless: ReadonlySet<string> = new Set(["/login", "/signup", "/logout"])
