import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * Lists by an id that counts up, newest first: a page ends at an id, and what is written meanwhile has
 * greater ones and moves no page.
 */
const decodePosition = Schema.decodeUnknownResult(Schema.Struct({ before: Schema.Int }))

/** Where the page begins: null on the first; undefined: the cursor is of another shape. */
export const beforeOf = (position: unknown): number | null | undefined => {
  if (position === null) return null
  const decoded = decodePosition(position)
  return Result.isSuccess(decoded) ? decoded.success.before : undefined
}

/** The page's end for the answer; `next` is the last row's id when more follow. */
export const pageEnd = (next: number | null, limit: number) => ({
  next: next === null ? null : { before: next },
  limit
})
