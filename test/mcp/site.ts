import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { mcpPage } from "../../adapters/http/docs/navigation.ts"
import * as Http from "../../adapters/http/server.ts"
import type { MountDependencies } from "../../adapters/http/server.ts"
import { makeMcp } from "../../adapters/mcp/makeMcp.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import * as Pretended from "../../apps/sandbox/SandboxReceiver.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"
import type { TokenHash, TokenHolder } from "../../core/oauth/TokenHolder.ts"
import { timeId } from "../../core/id/timeId.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PersonId } from "../../core/person/Person.ts"
import { AccessTokens, AccessTokensUnavailable } from "../../core/port/AccessTokens.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { settings } from "../http/harness.ts"

/** A token as a test issues it; what is not said is a good one. */
export type Grant = Pick<TokenHolder, "organizationId"> & Partial<TokenHolder>

/**
 * Tokens of a suite's own: how they come to be issued is no subject of it. They hold what their organization
 * holds at the moment, as the port's law wants it.
 */
const issuing = () => {
  const grants = new Map<TokenHash, Grant>()
  let away = false
  const layer = Layer.effect(
    AccessTokens,
    Effect.map(Organizations, (organizations) => ({
      find: (hash: TokenHash) =>
        Effect.gen(function* () {
          if (away) return yield* new AccessTokensUnavailable({ fault: "unreachable" })
          const grant = grants.get(hash)
          const found =
            grant && (yield* Effect.orDie(organizations.find(grant.organizationId as OrganizationId)))
          if (grant === undefined || found === undefined) return undefined
          return {
            grantId: "grant_test",
            clientId: "client_of_the_tests",
            personId: "person_of_the_tests" as PersonId,
            scopes: oauthScopes,
            expiresAt: "2100-01-01T00:00:00.000Z" as IsoTime,
            pack: found.pack,
            organizationSuspended: found.suspended,
            concurrentMax: found.concurrentMax,
            ...grant
          } satisfies TokenHolder
        })
    }))
  )
  return {
    layer,
    grants,
    setAway: (now: boolean): void => {
      away = now
    }
  }
}

const pretended = Layer.effect(Receiver, SandboxReceiver).pipe(Layer.provideMerge(Pretended.layer))

type Needs = Layer.Services<ReturnType<typeof Http.layer>> | AccessTokens

/** The service with /mcp on a socket of its own. */
export interface McpSite<Ports> {
  readonly url: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports | Crypto>) => Promise<A>
  readonly close: () => Promise<void>
  /** A new token, kept by its hash. */
  readonly token: (grant: Grant) => string
  readonly grants: Map<TokenHash, Grant>
  /** Whether the store of tokens is unavailable from now on. */
  readonly setAway: (now: boolean) => void
}

/** Starts it over the given ports; closed by `close`. */
export const serveMcp = async <Ports, E>(ports: Layer.Layer<Ports, E>): Promise<McpSite<Ports>> => {
  const scope = Scope.makeUnsafe()
  const tokens = issuing()
  const given = tokens.layer.pipe(Layer.provideMerge(Layer.mergeAll(pretended, settings, ports)))
  const mounting = (parts: MountDependencies) =>
    Effect.map(makeMcp(parts, { development: true }), (mount) => [{ ...mount, guide: mcpPage }])
  const all = Http.layer({ host: "127.0.0.1", port: 0, trustedProxies: [], graceMs: 0 }, mounting).pipe(
    Layer.provideMerge(Layer.provideMerge(Sandbox.layer, given))
  )
  const context = await Effect.runPromise(
    Layer.buildWithScope(
      all as Layer.Layer<Ports | HttpServer.HttpServer | Crypto, E, Exclude<Needs, Needs>>,
      scope
    )
  )
  const { address } = Context.get(context, HttpServer.HttpServer)
  const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
  const { randomBytes, sha256Hex } = Context.get(context, Crypto)
  return {
    url,
    grants: tokens.grants,
    setAway: tokens.setAway,
    run: (effect) => Effect.runPromise(Effect.provideContext(effect, context)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    token: (grant) => {
      const text = `${timeId({ nowMs: Date.now(), randomBytes: randomBytes(10) })}-${"x".repeat(16)}`
      tokens.grants.set(sha256Hex(text) as TokenHash, grant)
      return text
    }
  }
}
