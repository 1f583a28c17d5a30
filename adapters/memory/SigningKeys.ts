import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SigningPair } from "../../core/port/SigningKeys.ts"
import { SigningKeys } from "../../core/port/SigningKeys.ts"

/** The pairs that sign releases, kept in the process. */
export const layer = Layer.sync(SigningKeys, () => {
  const pairs: Array<SigningPair> = []
  return SigningKeys.of({
    list: Effect.sync(() => [...pairs]),
    offer: ({ after, pair }) =>
      Effect.sync(() => {
        const [newest] = pairs
        if (newest !== undefined && newest.keyId !== after) return newest
        pairs.unshift(pair)
        return pair
      })
  })
})
