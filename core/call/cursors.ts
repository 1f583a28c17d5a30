import * as Effect from "effect/Effect"
import { isObject } from "../json/isObject.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { filtersOf, readCursor, writeCursor } from "../page/cursor.ts"
import type { CursorBinding, Sign } from "../page/cursor.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import type { Caller } from "../handler/Handler.ts"
import type { Part } from "./targets.ts"

/** Ways to sign by each secret, the newest first. */
const makeSigns = Effect.gen(function* () {
  const { hmacSha256 } = yield* Crypto
  const signing =
    (secret: string): Sign =>
    (text) =>
      hmacSha256({ secret, text })
  const [newest, ...others] = (yield* Settings).secretKeys
  return [signing(newest), ...others.map(signing)] as const
})

/** Opens the cursor of a paged part, which must be the previous answer's for this very use (§4.6.1). */
export const makeOpenCursor = Effect.map(
  makeSigns,
  (signs) =>
    (part: Part, caller: Caller): Part | Refusal => {
      const { params, query: sent } = part.input
      const query = isObject(sent) ? sent : {}
      const { cursor } = query
      const filters = filtersOf({ ...query, path: params })
      const binding = { organization: caller.organizationId, operation: part.operation, filters }
      if (typeof cursor !== "string") return { ...part, binding }
      const read = readCursor({ cursor, binding, signs })
      return read === undefined
        ? refused("REQUEST_INVALID_CURSOR")
        : { ...part, position: read.position, binding }
    }
)

/** What a page says of the next one, for `meta.pagination`. */
export const makePagination = Effect.map(
  makeSigns,
  ([sign]) =>
    (binding: CursorBinding, page: { readonly next: unknown; readonly limit: number }) => ({
      cursor: page.next === null ? null : writeCursor({ position: page.next, binding, sign }),
      has_more: page.next !== null,
      limit: page.limit
    })
)
