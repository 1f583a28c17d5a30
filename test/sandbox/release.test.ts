import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import { certifiedLibrary } from "../../apps/sandbox/release.ts"
import { Releases } from "../../core/port/Releases.ts"
import { fixtureReleaseId } from "../../core/sandbox/testKey.ts"
import * as MemoryAcknowledgements from "../../adapters/memory/Acknowledgements.ts"
import { signingLayer } from "../kit/certifying.ts"

const pairs = MemorySigningKeys.layer
const common = Layer.mergeAll(
  NodeCrypto.layer,
  MemoryAcknowledgements.layer,
  signingLayer.pipe(Layer.provide(pairs))
)

const on = (time: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse(time))
    const library = yield* Layer.build(Layer.fresh(certifiedLibrary))
    return yield* Effect.flatMap(Releases, ({ list }) => list).pipe(Effect.provide(library))
  })

describe("contract §3: the release of the sandbox's fixtures", () => {
  it.effect(
    "is the one that certified test keys are assigned; changed fixtures need the id that this shows",
    () =>
      Effect.gen(function* () {
        const [release, ...others] = yield* on("2026-11-01T12:00:00Z")
        expect(others).toEqual([])
        expect(release?.releaseId).toBe(fixtureReleaseId)
        expect(release?.manifest.origin).toBe("fixtures")
      }).pipe(Effect.scoped, Effect.provide(common))
  )

  it.effect("is the same to the last byte on every day, for as long as the pair signs", () =>
    Effect.gen(function* () {
      expect(yield* on("2027-02-03T04:05:06Z")).toEqual(yield* on("2026-11-01T12:00:00Z"))
    }).pipe(Effect.scoped, Effect.provide(common))
  )
})
