import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as MailLog from "../../adapters/mail/log.ts"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import * as Signing from "../../adapters/jose/Signatures.ts"
import * as Payments from "../../adapters/memory/Payments.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import * as Acknowledgements from "../../adapters/postgres/Acknowledgements.ts"
import * as Audit from "../../adapters/postgres/Audit.ts"
import * as Attempts from "../../adapters/postgres/Attempts.ts"
import * as CachedKeys from "../../adapters/postgres/CachedKeys.ts"
import type { Connection } from "../../adapters/postgres/Database.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import type { EmbeddedRefused } from "../../adapters/postgres/embedded.ts"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"
import * as DayUses from "../../adapters/postgres/DayUses.ts"
import * as Deliveries from "../../adapters/postgres/Deliveries.ts"
import * as Endpoints from "../../adapters/postgres/Endpoints.ts"
import * as Usage from "../../adapters/postgres/Usage.ts"
import * as Idempotency from "../../adapters/postgres/Idempotency.ts"
import * as Jobs from "../../adapters/postgres/Jobs.ts"
import * as Keys from "../../adapters/postgres/Keys.ts"
import * as Ledger from "../../adapters/postgres/Ledger.ts"
import * as Invitations from "../../adapters/postgres/Invitations.ts"
import * as Members from "../../adapters/postgres/Members.ts"
import { findsNear } from "../../adapters/postgres/library/searchPartly.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import type { DatabaseRefused } from "../../adapters/postgres/suitable.ts"
import { suitable } from "../../adapters/postgres/suitable.ts"
import { ensurePartitions } from "../../adapters/postgres/partitions.ts"
import { recountRestored } from "../../adapters/postgres/rollUp.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import * as Notices from "../../adapters/postgres/Notices.ts"
import * as AccessTokens from "../../adapters/postgres/oauth/AccessTokens.ts"
import * as OAuthClients from "../../adapters/postgres/oauth/OAuthClients.ts"
import * as OAuthGrants from "../../adapters/postgres/oauth/OAuthGrants.ts"
import * as OAuthRecords from "../../adapters/postgres/oauth/OAuthRecords.ts"
import * as Organizations from "../../adapters/postgres/Organizations.ts"
import * as PlainWrites from "../../adapters/postgres/PlainWrites.ts"
import * as Reviews from "../../adapters/postgres/Reviews.ts"
import * as Transactions from "../../adapters/postgres/Transactions.ts"
import * as Library from "../../adapters/postgres/replica.ts"
import * as Releases from "../../adapters/postgres/Releases.ts"
import * as SigningKeys from "../../adapters/postgres/SigningKeys.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import * as Addresses from "../../adapters/webhook/Addresses.ts"
import * as Documents from "../../adapters/webhook/Documents.ts"
import * as Receiver from "../../adapters/webhook/Receiver.ts"
import { parseSynonyms } from "../../core/coverage/search.ts"
import { Settings } from "../../core/port/Settings.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import { deliveryJob } from "../../core/job/deliveryJob.ts"
import { sweepingDeliveries } from "../../core/job/deliverySweep.ts"
import { noticeEmailJob, noticeJob } from "../../core/job/noticeJobs.ts"
import { failoverLimits, localLimits, rejectionCache } from "../../core/call/limits.ts"
import { dailyUsageBackfill } from "../../core/call/dailyUsageBackfill.ts"
import { sweepingOAuth } from "../../core/job/oauthSweeps.ts"
import { usageRollUp, idempotencySweep, sweepingCharges } from "../../core/job/sweeps.ts"
import { SearchSynonyms } from "../../core/handler/withSearchTimeout.ts"
import type { Config } from "./config.ts"
import { keepShippedLists } from "../lists/shippedLists.ts"
import * as Sandbox from "../sandbox/SandboxLibrary.ts"
import * as SandboxReceiver from "../sandbox/SandboxReceiver.ts"
import * as Probing from "./probes.ts"

/** Where PostgreSQL is: DATABASE_URL, or the embedded one, which this process then starts or joins. */
export const connection = (
  config: Config,
  role: "server" | "command"
): Effect.Effect<Connection, EmbeddedRefused | DatabaseRefused, Scope.Scope> =>
  config.databaseUrl === undefined
    ? startEmbedded({ dataDir: config.dataDir, role })
    : suitable({ url: config.databaseUrl, listenUrl: config.databaseListenUrl })

/** Both PostgreSQL clients over a schema that is up to date. */
const database = (config: Config, role: "server" | "command") =>
  Layer.effectDiscard(
    migrate(migrations).pipe(Effect.andThen(recountRestored), Effect.andThen(keepPartitions))
  ).pipe(Layer.provideMerge(Layer.unwrap(Effect.map(connection(config, role), Database.layer))))

/** The months to come get their partitions at the start and then daily, for a server that runs for months. */
const keepPartitions = Effect.gen(function* () {
  const ensure = Effect.flatMap(Clock.currentTimeMillis, ensurePartitions)
  yield* ensure
  const again = Effect.catchCause(ensure, () => Effect.logWarning("partitions not made"))
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(again, Schedule.spaced("1 day")), "1 day"))
})

/** Without pg_trgm searches go by words alone, which an operator should know (docs/operating.md). */
const sayWhatIsNotFound = Effect.gen(function* () {
  if (!(yield* findsNear(yield* Database.Pool))) {
    yield* Effect.logWarning("searches find no near spellings: PostgreSQL lacks pg_trgm")
  }
})

/** What else the terms of searches may be called, read once. */
const synonyms = Layer.sync(SearchSynonyms, () =>
  parseSynonyms(readFileSync(join(import.meta.dirname, "../lists/synonyms.csv"), "utf8"))
)

/** Every stateful port over PostgreSQL, for a command that does one thing and ends. */
export const stores = (config: Config, role: "server" | "command") => storesWith(Keys.layer, config, role)

/**
 * The same for a server, which remembers keys, keeps the shipped lists, and sweeps: old records, unanswered
 * charges, usage to be summed.
 */
const servingStores = (config: Config, role: "server" | "command") =>
  Layer.effectDiscard(
    Effect.all(
      [keepShippedLists, idempotencySweep, sweepingCharges, usageRollUp, sweepingOAuth, sayWhatIsNotFound],
      {
        discard: true
      }
    )
  ).pipe(
    Layer.provideMerge(webhookStores),
    Layer.provideMerge(peopleStores),
    Layer.provideMerge(storesWith(CachedKeys.layer, config, role))
  )

/** What webhooks and compliance keep; a process that serves also runs their jobs. */
const webhookStores = Layer.mergeAll(
  Endpoints.layer,
  Deliveries.layer,
  Attempts.layer,
  Acknowledgements.layer,
  Reviews.layer
).pipe(Layer.provideMerge(Jobs.layer))

/** The worlds outside that webhooks are sent to and documents fetched from, all behind one guard. */
const receivers = (config: Config) => {
  const documents = { ...publicTargets, loopbackPorts: config.webhookLoopback }
  const webhooks = { ...documents, ports: config.webhookPorts }
  return Layer.mergeAll(
    SandboxReceiver.layerOf({ ...publicTargets, ports: config.webhookPorts }),
    Receiver.layer(webhooks),
    Documents.layer(documents)
  ).pipe(Layer.provide(Addresses.layer))
}

/** Who belongs where, what owners are told, and what apps may ask in their name. */
const peopleStores = Layer.mergeAll(
  Members.layer,
  Invitations.layer,
  Notices.layer,
  AccessTokens.layer,
  OAuthClients.layer,
  OAuthGrants.layer,
  OAuthRecords.layer
)

/** Mail by SMTP_URL, whose library is loaded where it is used; without one it is written to the log. */
const mail = ({ smtpUrl }: Config) =>
  smtpUrl === undefined
    ? MailLog.layer
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("../../adapters/mail/Mail.ts")),
          ({ layer }) => layer(smtpUrl)
        )
      )

/** Looks for what owners must hear of, and writes to them, as long as the process serves. */
const noticeWork = Layer.effectDiscard(Effect.andThen(noticeJob, noticeEmailJob))

/** Delivers webhooks, finds lost deliveries and forgets old ones, as long as the process serves. */
const webhookWork = Layer.effectDiscard(Effect.andThen(deliveryJob, sweepingDeliveries))

const storesWith = (
  keys: typeof CachedKeys.layer | typeof Keys.layer,
  config: Config,
  role: "server" | "command"
) =>
  Layer.provideMerge(
    Signing.layer,
    Layer.mergeAll(
      keys,
      Audit.layer,
      Organizations.layer,
      Ledger.layer,
      DayUses.layer,
      Usage.layer,
      Idempotency.layer({ clock: "server" }),
      Transactions.layer({ clock: "server" }),
      PlainWrites.layer({ clock: "server" }),
      Releases.layer,
      SigningKeys.layer,
      Library.layer(config.databaseReadUrl)
    )
  ).pipe(Layer.provideMerge(database(config, role)))

/**
 * Limits over Redis with the process's own to fall back on, or the process's own alone; a day is rebuilt from
 * usage.
 */
const limits = (config: Config) =>
  dailyUsageBackfill(
    config.redisUrl === undefined
      ? localLimits(LocalLimits.layer)
      : failoverLimits({
          shared: rejectionCache(
            RedisLimits.layer({ clock: "server" }).pipe(Layer.provide(Redis.layer(config.redisUrl)))
          ),
          local: LocalLimits.layer,
          nodes: config.nodes
        })
  )

export const settings = (config: Config) =>
  Layer.merge(
    NodeCrypto.layer,
    Layer.succeed(Settings, {
      baseUrl: config.baseUrl,
      supportUrl: config.supportUrl,
      secretKeys: config.secretKeys
    })
  )

/** All that the HTTP surface is composed of. */
export const serverLayers = (config: Config, role: "server" | "command") =>
  Layer.mergeAll(Probing.layer, Sandbox.layer, webhookWork, noticeWork).pipe(
    Layer.provideMerge(limits(config)),
    Layer.provideMerge(Layer.merge(mail(config), Payments.layer)),
    Layer.provideMerge(receivers(config)),
    Layer.provideMerge(servingStores(config, role)),
    Layer.provideMerge(Layer.merge(synonyms, settings(config)))
  )
