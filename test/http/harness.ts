import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as Http from "../../adapters/http/server.ts"
import * as Signing from "../../adapters/jose/Signing.ts"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import * as Pretended from "../../apps/sandbox/SandboxReceiver.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { makeKey } from "../../core/key/Key.ts"
import type { ApiKey, KeyMode } from "../../core/key/Key.ts"
import type { KeyHash, KeyId, KeyRecord } from "../../core/key/state.ts"
import { timeId } from "../../core/operation/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Probes } from "../../core/port/Probes.ts"
import type { Probe } from "../../core/port/Probes.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { Settings } from "../../core/port/Settings.ts"
import type { Signing as SigningPort } from "../../core/port/Signing.ts"
import { delivering } from "../../core/workflow/delivering.ts"
import { createOrganization } from "../../core/workflow/organization.ts"

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

/** The service on a socket of its own, over the given ports; closed by `close`. */
export interface Serving<Ports> {
  readonly url: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports | Crypto | Settings | SigningPort>) => Promise<A>
  readonly close: () => Promise<void>
}

/** Receivers of both surfaces are functions unless a suite brings its own: nothing leaves the process. */
const pretended = Layer.effect(Receiver, SandboxReceiver).pipe(Layer.provideMerge(Pretended.layer))

/** Runs the deliveries of a composition, as a server does beside its calls. */
export const working = <Ports, E, R>(ports: Layer.Layer<Ports | Worked, E, R>) =>
  Layer.effectDiscard(delivering).pipe(
    Layer.provideMerge(ports),
    Layer.provide(Layer.merge(pretended, settings))
  )

type Worked = Effect.Services<typeof delivering> extends infer Need ? Exclude<Need, Given> : never
type Given = Layer.Success<typeof pretended> | Layer.Success<typeof settings> | Scope.Scope

type Needs = Layer.Services<ReturnType<typeof Http.layer>>

/** Starts the HTTP surface over a composition of ports, and leaves the ports reachable for seeding. */
export const serve = async <Ports, E>(
  ports: Layer.Layer<Ports, E>,
  trustedProxies: ReadonlyArray<string> = []
): Promise<Serving<Ports>> => {
  const scope = Scope.makeUnsafe()
  const given = Layer.mergeAll(pretended, settings, ports)
  const all = Http.layer({ host: "127.0.0.1", port: 0, trustedProxies }).pipe(
    Layer.provideMerge(Layer.provideMerge(Sandbox.layer, given))
  )
  const context = await Effect.runPromise(
    Layer.buildWithScope(
      all as Layer.Layer<
        Ports | HttpServer.HttpServer | Crypto | Settings | SigningPort,
        E,
        Exclude<Needs, Needs>
      >,
      scope
    )
  )
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = "port" in address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    run: (effect) => Effect.runPromise(Effect.provideContext(effect, context)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** A customer to call as: its organization and a way to make keys. */
export interface Customer {
  readonly organizationId: OrganizationId
  readonly keyId: KeyId
  readonly key: ApiKey
}

/** A key to make; what is not said is a live key with the read scope. */
interface KeyWish {
  readonly mode?: KeyMode
  readonly legacy?: string
  readonly record?: Partial<KeyRecord>
}

/** An organization with a key; what is not said is a read key of the Credits pack. */
export const customer = (wish: KeyWish & { readonly pack?: PackName; readonly credits?: number } = {}) =>
  Effect.gen(function* () {
    const { organizationId } = yield* createOrganization({
      name: "Example Clinic",
      pack: wish.pack ?? "credits",
      ownerEmail: null
    })
    if (wish.credits !== undefined) yield* grant(organizationId, wish.credits)
    return yield* keyFor(organizationId, wish)
  })

export const keyFor = (organizationId: OrganizationId, wish: KeyWish = {}) =>
  Effect.gen(function* () {
    const { randomBytes, sha256Hex } = yield* Crypto
    const mode = wish.mode ?? "live"
    const key =
      wish.legacy === undefined ? makeKey({ mode, randomBytes: randomBytes(27) }) : (wish.legacy as ApiKey)
    const keyId = `key_${timeId({ nowMs: Date.now(), randomBytes: randomBytes(10) })}` as KeyId
    yield* (yield* Keys).issue({
      keyId,
      hash: sha256Hex(key) as KeyHash,
      organizationId,
      name: "test",
      mode,
      scopes: ["read"],
      mark: "valid",
      reason: null,
      createdAt: new Date().toISOString() as IsoTime,
      expiresAt: null,
      lastUsedAt: null,
      allowedCidrs: [],
      allowedOrigins: [],
      releaseId: null,
      ...wish.record
    })
    return { organizationId, keyId, key } satisfies Customer
  })

const grant = (organizationId: OrganizationId, amount: number) =>
  Effect.gen(function* () {
    const nowMs = Date.now()
    const { randomBytes } = yield* Crypto
    const grantId = `grant_${timeId({ nowMs, randomBytes: randomBytes(10) })}`
    yield* (yield* Ledger).grant({ organizationId, amount, grantId, atMs: nowMs })
  })

/** What every envelope of an error holds. */
export interface ErrorBody {
  readonly success: false
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint: string
    readonly docUrl: string
    readonly retryable: boolean
    readonly details?: Readonly<Record<string, unknown>>
  }
  readonly meta: { readonly request_id: string; readonly timestamp: string }
}
