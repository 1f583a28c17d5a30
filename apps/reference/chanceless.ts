import { hash } from "node:crypto"
import { libraryStores } from "../../adapters/memory/libraryStores.ts"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { stores } from "../../adapters/memory/stores.ts"
import * as References from "effect/References"
import { standInBaseUrl } from "../../adapters/http/openapi/examples.ts"
import * as Reviews from "../../adapters/memory/Reviews.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Probes } from "../../core/port/Probes.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { Settings } from "../../core/port/Settings.ts"
import * as SandboxLibrary from "../sandbox/SandboxLibrary.ts"
import * as Pretended from "../sandbox/SandboxReceiver.ts"
import { deterministicSigning } from "./stillSigning.ts"

/** When the first call is made, and how long after it each next one, whenever the reference is written. */
const firstCallMs = Date.UTC(2026, 8, 1, 9)
const betweenCallsMs = 2_000

/** Time that moves only when it is told to, so that what is answered does not depend on the day. */
export const makeStillTime = () => {
  let nowMs = firstCallMs
  const nanos = () => BigInt(nowMs) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => nowMs,
    currentTimeMillis: Effect.sync(() => nowMs),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.promise(() => new Promise((done) => setTimeout(done, Duration.toMillis(duration))))
  }
  return {
    layer: Layer.succeed(Clock.Clock, clock),
    pass: () => {
      nowMs += betweenCallsMs
      return nowMs
    }
  }
}

/** Node's cryptography without its chance: ids and keys are drawn in one order that never changes. */
const drawnInOrder = Layer.effect(
  Crypto,
  Effect.map(Crypto, (crypto) => {
    let drawn = 0
    const randomBytes = (count: number): Uint8Array => {
      drawn += 1
      const block = hash("sha512", `the reference, ${drawn}`, "buffer")
      return Uint8Array.from({ length: count }, (_, index) => block[index % block.length] ?? 0)
    }
    return { ...crypto, randomBytes }
  })
).pipe(Layer.provide(NodeCrypto.layer))

const settings = Layer.mergeAll(
  deterministicSigning,
  drawnInOrder,
  Layer.succeed(References.MinimumLogLevel, "None"),
  Layer.succeed(Settings, {
    baseUrl: standInBaseUrl,
    supportUrl: `${standInBaseUrl}/support`,
    secretKeys: ["a secret key that signs the reference's cursors alone"]
  })
)

const up = { status: "up", latencyMs: 1 } as const
const healthy = Layer.succeed(Probes, { read: Effect.succeed({ database: up, cache: up }) })

const receivers = Layer.effect(Receiver, SandboxReceiver).pipe(Layer.provideMerge(Pretended.layer))

/** The whole service in memory, as the reference asks it: without chance and without a server. */
export const deterministicSandbox = Layer.fresh(
  Layer.mergeAll(SandboxLibrary.layer, healthy, receivers).pipe(
    Layer.provideMerge(Reviews.layer),
    // The live library, which the reference asks nothing: it is empty.
    Layer.provideMerge(libraryStores),
    Layer.provideMerge(stores),
    Layer.provideMerge(settings)
  )
)
