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
import * as Acknowledgements from "../../adapters/memory/Acknowledgements.ts"
import * as Attempts from "../../adapters/memory/Attempts.ts"
import * as Audit from "../../adapters/memory/Audit.ts"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as ConnectedApps from "../../adapters/memory/ConnectedApps.ts"
import * as DayUses from "../../adapters/memory/DayUses.ts"
import * as Deliveries from "../../adapters/memory/Deliveries.ts"
import * as Endpoints from "../../adapters/memory/Endpoints.ts"
import * as Idempotency from "../../adapters/memory/Idempotency.ts"
import * as Jobs from "../../adapters/memory/Jobs.ts"
import * as Keys from "../../adapters/memory/Keys.ts"
import * as Ledger from "../../adapters/memory/Ledger.ts"
import * as Limits from "../../adapters/memory/Limits.ts"
import * as Mail from "../../adapters/memory/Mail.ts"
import * as Members from "../../adapters/memory/Members.ts"
import * as NoticeBook from "../../adapters/memory/NoticeState.ts"
import * as Notices from "../../adapters/memory/Notices.ts"
import * as OAuthBook from "../../adapters/memory/OAuthState.ts"
import * as OAuthClients from "../../adapters/memory/OAuthClients.ts"
import * as OAuthGrants from "../../adapters/memory/OAuthGrants.ts"
import * as Organizations from "../../adapters/memory/Organizations.ts"
import * as Outbox from "../../adapters/memory/Outbox.ts"
import * as Payments from "../../adapters/memory/Payments.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as Releases from "../../adapters/memory/Releases.ts"
import * as Reviews from "../../adapters/memory/Reviews.ts"
import * as SigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as Transactions from "../../adapters/memory/Transactions.ts"
import * as Usage from "../../adapters/memory/Usage.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
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
import { libraries } from "../kit/libraries.ts"

/** The service's own address in the pages; the socket listens on a free port. */
export const siteUrl = "http://dashboard.example"
/** The same over HTTPS. */
export const secureUrl = "https://api.coverage.example"

const states = Layer.mergeAll(Books.layer, Records.layer, Outbox.layer, OAuthBook.layer, NoticeBook.layer)

const apps = Layer.mergeAll(ConnectedApps.layer, OAuthClients.layer, OAuthGrants.layer)

/** Every port that the pages of use need, in memory, with the receivers of the sandbox. */
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
  const stores = Layer.mergeAll(
    Keys.layer,
    Organizations.layer,
    Ledger.layer,
    Usage.layer,
    DayUses.layer,
    Idempotency.layer,
    Transactions.layer,
    Releases.layer,
    Audit.layer,
    Acknowledgements.layer,
    Endpoints.layer,
    Deliveries.layer,
    Attempts.layer,
    apps,
    Payments.layer,
    Notices.layer,
    PeopleStore.memoryLayer
  ).pipe(Layer.provideMerge(Layer.mergeAll(Jobs.layer, Mail.layer, Members.layer)))
  return Layer.fresh(
    Layer.mergeAll(Reviews.layer, Signing.layer, healthy).pipe(
      Layer.provideMerge(Layer.mergeAll(libraries[0][1], SigningKeys.layer, localLimits(Limits.layer))),
      Layer.provideMerge(stores),
      Layer.provideMerge(Layer.mergeAll(receivers, states)),
      Layer.provideMerge(settings)
    )
  )
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
  const listening = { host: "127.0.0.1", port: 0, trustedProxies: [] }
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
