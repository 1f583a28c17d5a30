import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Signing from "../../adapters/jose/Signatures.ts"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import * as Pretended from "../../apps/sandbox/SandboxReceiver.ts"
import { Probes } from "../../core/port/Probes.ts"
import type { Probe } from "../../core/port/Probes.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { Settings } from "../../core/port/Settings.ts"

/** What `docUrl` and hints name in tests; the socket itself is on a port of the system's choice. */
export const baseUrl = "https://api.coverage.example"
export const supportUrl = "https://coverage.example/support"

/** Crypto, settings and a pair that signs, the same under every harness; provocations fill no log. */
export const settings = Signing.layer.pipe(
  Layer.provide(MemorySigningKeys.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.succeed(References.MinimumLogLevel, "None"),
      Layer.succeed(Settings, {
        baseUrl,
        supportUrl,
        secretKeys: ["a secret key of the tests, 32 characters long"]
      })
    )
  ),
  Layer.provideMerge(NodeCrypto.layer)
)

const up: Probe = { status: "up", latencyMs: 1 }

/** A probe that finds both stores up, for suites whose subject is not health. */
export const healthy = Layer.succeed(Probes, {
  read: Effect.succeed({ database: up, cache: up })
})

/** Receivers of both surfaces are functions unless a suite brings its own: nothing leaves the process. */
export const memoryReceivers = Layer.effect(Receiver, SandboxReceiver).pipe(
  Layer.provideMerge(Pretended.layer)
)
