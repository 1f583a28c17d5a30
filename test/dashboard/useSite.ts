import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { makeDashboard } from "../../adapters/dashboard/dashboard.ts"
import * as Http from "../../adapters/http/server.ts"
import * as PeopleStore from "../../adapters/identity/People.ts"
import * as Signing from "../../adapters/jose/Signatures.ts"
import * as Limits from "../../adapters/memory/Limits.ts"
import * as Mail from "../../adapters/memory/Mail.ts"
import * as Payments from "../../adapters/memory/Payments.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as DayUses from "../../adapters/postgres/DayUses.ts"
import * as Invitations from "../../adapters/postgres/Invitations.ts"
import * as Members from "../../adapters/postgres/Members.ts"
import * as Notices from "../../adapters/postgres/Notices.ts"
import * as SigningKeys from "../../adapters/postgres/SigningKeys.ts"
import * as Usage from "../../adapters/postgres/Usage.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import * as Pretended from "../../apps/sandbox/SandboxReceiver.ts"
import { Consents } from "../../core/port/Consents.ts"
import { People } from "../../core/port/People.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { Settings } from "../../core/port/Settings.ts"
import { deliveryJob } from "../../core/job/deliveryJob.ts"
import { localLimits } from "../../core/call/limits.ts"
import { healthy, supportUrl } from "../http/harness.ts"
import { postgresOAuthPorts } from "../kit/oauths.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { inPostgresAt } from "../http/stores.ts"

/** The service's own address in the pages; the socket listens on a free port. */
export const siteUrl = "http://dashboard.example"
/** The same over HTTPS. */
export const secureUrl = "https://api.coverage.example"

/** Every port that the pages of use need, over a database of their own, with the receivers of the sandbox. */
export const siteStores = (baseUrl: string = siteUrl) => {
  const settings = Layer.mergeAll(
    NodeCrypto.layer,
    Layer.succeed(References.MinimumLogLevel, "None"),
    Layer.succeed(Settings, {
      baseUrl,
      supportUrl,
      secretKeys: ["a secret key of the tests, 32 characters long"]
    })
  )
  const receivers = Layer.effect(Receiver, SandboxReceiver).pipe(Layer.provideMerge(Pretended.layer))
  const around = Layer.mergeAll(healthy, Payments.layer, localLimits(Limits.layer))
  const over = (connection: Connection) =>
    Layer.fresh(
      Layer.mergeAll(Signing.layer, PeopleStore.layer).pipe(
        Layer.provideMerge(
          Layer.mergeAll(Members.layer, Invitations.layer, Notices.layer, DayUses.layer, Usage.layer)
        ),
        Layer.provideMerge(Layer.mergeAll(postgresOAuthPorts, SigningKeys.layer, Mail.layer)),
        Layer.provideMerge(Database.layer(connection)),
        Layer.merge(inPostgresAt(connection)),
        Layer.orDie,
        Layer.provideMerge(Layer.merge(receivers, around)),
        Layer.provideMerge(settings)
      )
    )
  return Layer.unwrap(Effect.map(freshDatabase, over))
}

type Ports = Layer.Success<ReturnType<typeof siteStores>>

/** A server with the API and the pages of people. */
export interface Site {
  readonly url: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, Ports>) => Promise<A>
  readonly close: () => Promise<void>
}

export interface SiteWithEmails extends Site {
  /** The text of the newest email to the address. */
  readonly emailTo: (email: string) => Promise<string | undefined>
}

/** Opens it; `people` replace those in memory, for a store that is unavailable. */
export const openSite = async (
  options: {
    readonly baseUrl?: string
    readonly people?: People["Service"]
    readonly mailIsLogged?: boolean
  } = {}
): Promise<SiteWithEmails> => {
  const { baseUrl = siteUrl, mailIsLogged = false, people } = options
  const scope = Scope.makeUnsafe()
  const isHttpsOnly = baseUrl.startsWith("https:")
  const listening = { host: "127.0.0.1", port: 0, trustedProxies: [], graceMs: 0, isHttpsOnly }
  const all = Http.layer(listening, ({ callerAddress }) =>
    Effect.flatMap(People, (inMemory) =>
      Effect.map(
        Effect.provideService(makeDashboard({ callerAddress, mailIsLogged }), People, people ?? inMemory),
        (mount) => [mount]
      )
    )
  ).pipe(
    Layer.provide(noConsents),
    Layer.provideMerge(Layer.merge(Sandbox.layer, Layer.effectDiscard(deliveryJob))),
    Layer.provideMerge(siteStores(baseUrl))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(all, scope))
  const { address } = Context.get(context, HttpServer.HttpServer)
  const run: Site["run"] = (effect) => Effect.runPromise(Effect.provideContext(effect, context))
  return {
    url: `http://127.0.0.1:${"port" in address ? address.port : 0}`,
    run,
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    emailTo: (email) =>
      run(Effect.map(Mail.Mailbox, ({ emails }) => emails.findLast(({ to }) => to === email)?.text))
  }
}

/** No app asks for consent here; test/oauth covers that. */
const noConsents = Layer.succeed(Consents, {
  find: () => Effect.succeed(undefined),
  allow: () => Effect.succeed(undefined),
  deny: () => Effect.succeed(undefined)
})
