import * as Result from "effect/Result"
import { isObject } from "../../core/json/isObject.ts"
import { callFailure } from "./CallError.ts"
import type { CallFailed } from "./CallError.ts"
import type { Success } from "./readAnswer.ts"

/** Ten million rows at the largest page: more is a server that never ends. */
const pagesMaxAtMost = 100_000

/** Of one walk through a list. */
export interface PagesOptions {
  /** Ends the walk with PAGES_ENDLESS after so many. */
  readonly pagesMax?: number
}

/** A walk through a list as far as it got. */
export interface Walk {
  readonly pagesMax: number
  readonly seen: Set<string>
}

export const startWalk = ({ pagesMax }: PagesOptions): Walk => ({
  pagesMax: Math.min(pagesMax ?? pagesMaxAtMost, pagesMaxAtMost),
  seen: new Set()
})

/**
 * The cursor of the page after this one, or null at the end. A cursor that was there before would lead in a
 * circle, and a page that promises more without a cursor leads nowhere.
 */
export const nextCursor = (
  { pagesMax, seen }: Walk,
  { meta }: Success
): Result.Result<string | null, CallFailed> => {
  const pagination = meta["pagination"]
  if (!isObject(pagination)) return Result.fail(callFailure("ANSWER_UNEXPECTED", { status: 200 }))
  const { cursor, has_more: hasMore } = pagination
  if (hasMore !== true) return Result.succeed(null)
  if (typeof cursor !== "string" || cursor === "")
    return Result.fail(callFailure("ANSWER_UNEXPECTED", { status: 200 }))
  if (seen.has(cursor) || seen.size + 1 >= pagesMax)
    return Result.fail(callFailure("PAGES_ENDLESS", { status: 200 }))
  seen.add(cursor)
  return Result.succeed(cursor)
}
