import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { hash } from "node:crypto"
import { libraryStores } from "../../adapters/memory/libraryStores.ts"
import { stores } from "../../adapters/memory/stores.ts"
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
import { deterministicSigning } from "./deterministicSigning.ts"

/** Time stands still within a call and is set by its name, so that no example depends on the day. */
const clockOf = (call: { readonly nowMs: number }) => {
  const nanos = () => BigInt(call.nowMs) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => call.nowMs,
    currentTimeMillis: Effect.sync(() => call.nowMs),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.promise(() => new Promise((done) => setTimeout(done, Duration.toMillis(duration))))
  }
  return Layer.succeed(Clock.Clock, clock)
}

/** Node's cryptography without its chance: a call's ids and keys follow from its name alone. */
const cryptoOf = (call: { readonly name: string; drawn: number }) =>
  Layer.effect(
    Crypto,
    Effect.map(Crypto, (crypto) => {
      const randomBytes = (count: number): Uint8Array => {
        call.drawn += 1
        const block = hash("sha512", `${call.name}, ${call.drawn}`, "buffer")
        return Uint8Array.from({ length: count }, (_, index) => block[index % block.length] ?? 0)
      }
      return { ...crypto, randomBytes }
    })
  ).pipe(Layer.provide(NodeCrypto.layer))

const settings = Layer.mergeAll(
  deterministicSigning,
  Layer.succeed(References.MinimumLogLevel, "None"),
  Layer.succeed(Settings, {
    baseUrl: standInBaseUrl,
    supportUrl: `${standInBaseUrl}/support`,
    secretKeys: ["a secret key that signs the cursors of the examples alone"]
  })
)

const up = { status: "up", latencyMs: 1 } as const
const healthy = Layer.succeed(Probes, { read: Effect.succeed({ database: up, cache: up }) })

const receivers = Layer.effect(Receiver, SandboxReceiver).pipe(Layer.provideMerge(Pretended.layer))

const service = Layer.mergeAll(SandboxLibrary.layer, healthy, receivers).pipe(
  Layer.provideMerge(Reviews.layer),
  // The live library, of which no example asks: it is empty.
  Layer.provideMerge(libraryStores),
  Layer.provideMerge(stores),
  Layer.provideMerge(settings)
)

/** The whole service in memory: its answers follow from the calls and the names they are begun by. */
export const makeDeterministicSandbox = () => {
  const call = { name: "", nowMs: 0, drawn: 0 }
  return {
    layer: Layer.fresh(service).pipe(Layer.provideMerge(cryptoOf(call)), Layer.provideMerge(clockOf(call))),
    begin: (name: string, nowMs: number): number => {
      Object.assign(call, { name, nowMs, drawn: 0 })
      return nowMs
    }
  }
}
