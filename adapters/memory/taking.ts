import type * as Effect from "effect/Effect"
import { change } from "./change.ts"

/** Takes an entry out of a map, and puts it back should the transaction around it not commit. */
export const take = <Id, Value>(map: Map<Id, Value>, id: Id): Effect.Effect<void> =>
  change(() => {
    const before = map.get(id)
    map.delete(id)
    return { value: undefined, undo: () => before !== undefined && map.set(id, before) }
  })
