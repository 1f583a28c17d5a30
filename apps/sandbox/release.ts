import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryReleases from "../../adapters/memory/Releases.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { SigningKeysUnavailable } from "../../core/port/SigningKeys.ts"
import { certify } from "../../core/admin/certify.ts"
import { reviewedLibrary, stillAt } from "./library.ts"

/**
 * When the release of the fixtures was certified and until when it is good: the same on every day on which
 * the library is laid down anew, since what is said of a release never changes.
 */
const certifiedAt = "2026-07-01T00:00:00.000Z"
const expiresAt = "2099-12-31T00:00:00.000Z" as IsoTime

/**
 * The library of the sandbox with its one certified release, which is signed by the service's own pair: a
 * client verifies it as it will verify a real one. That its policies are invented its manifest says.
 */
export const certifiedLibrary = Layer.effectDiscard(Effect.suspend(() => certifyFixtures)).pipe(
  Layer.provideMerge(Layer.fresh(MemoryReleases.layer)),
  Layer.provideMerge(reviewedLibrary)
)

const certifyFixtures = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const input = { origin: "fixtures", sourceAsOf: null, expiresAt } as const
  return yield* Effect.provideService(
    certify(input, () => Effect.void),
    Clock.Clock,
    stillAt(clock, Date.parse(certifiedAt))
  )
}).pipe(
  // The fixtures are there and in memory: only the pair may be out of reach.
  Effect.catch(
    (failure): Effect.Effect<never, SigningKeysUnavailable> =>
      failure._tag === "SigningKeysUnavailable" ? Effect.fail(failure) : Effect.die(failure)
  )
)
