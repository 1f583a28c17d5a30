import { parseNext } from "../../core/person/form.ts"

/** Where somebody wanted to go before they signed in, if that is a path of ours. */
export const nextOf = (input: string | null): string | undefined => {
  const next = input === null ? undefined : parseNext(input)
  return next === undefined || looping.has(next.split("?", 1)[0] ?? "") ? undefined : next
}

/** The query that passes `next` on; "" without one. */
export const nextQuery = (next: string | undefined): string =>
  next === undefined ? "" : `?next=${encodeURIComponent(next)}`

/** After sign-in these would lead back to the same place. */
const looping: ReadonlySet<string> = new Set(["/login", "/signup", "/logout"])
