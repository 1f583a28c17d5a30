import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import type { Outcome, Unavailable } from "./Handler.ts"

/** A search that its time limit cut off is SERVER_SEARCH_UNAVAILABLE (contract §1, Server faults). */
export const searching = <Data>(
  search: Effect.Effect<Outcome<Data>, Unavailable>
): Effect.Effect<Outcome<Data>, Unavailable> =>
  Effect.catchIf(
    search,
    (error) => error.fault === "timeout",
    () => Effect.succeed(refused("SERVER_SEARCH_UNAVAILABLE"))
  )
