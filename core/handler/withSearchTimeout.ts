import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Synonyms } from "../coverage/search.ts"
import { refused } from "../error/Refusal.ts"
import type { Outcome, Unavailable } from "./Handler.ts"

/** What else the terms of a search may be called: the table of the program that serves, none by default. */
export const SearchSynonyms = Context.Reference<Synonyms>("coverage/core/handler/SearchSynonyms", {
  defaultValue: () => new Map()
})

/** A search that its time limit cut off is SERVER_SEARCH_UNAVAILABLE (contract §1, Server faults). */
export const withSearchTimeout = <Data>(
  search: Effect.Effect<Outcome<Data>, Unavailable>
): Effect.Effect<Outcome<Data>, Unavailable> =>
  Effect.catchIf(
    search,
    (error) => error.fault === "timeout",
    () => Effect.succeed(refused("SERVER_SEARCH_UNAVAILABLE"))
  )
