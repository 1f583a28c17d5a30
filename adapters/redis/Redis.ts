import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Cluster, Redis as Client } from "ioredis"
import type { ClusterOptions, RedisOptions } from "ioredis"
import { refusalIn, timedOut } from "./failure.ts"

/**
 * A connection to Redis, or to every primary of a Redis Cluster, that keeps itself alive: it reconnects for
 * ever, and while it is unavailable every command fails.
 */
export class Redis extends Context.Service<Redis, Client | Cluster>()("coverage/adapters/redis/Redis") {}

/** Why Redis cannot be used as REDIS_URL says, in one sentence that says what to do. */
export class RedisRefused extends Schema.TaggedError<RedisRefused>()("RedisRefused", {
  message: Schema.String
}) {}

/** Longer than any healthy answer by far, and short enough that a hung server costs one call little. */
export const commandTimeoutMs = 200

/** A start or a reconnection waits this long for the server before it is taken as away. */
export const connectTimeoutMs = 300

/** A socket that owes answers and sends nothing for this long is dead, whatever the operating system says. */
export const silenceMsMax = 1_000

/** The longest pause between two attempts to connect, so a server that came back is used again within it. */
export const reconnectMsMax = 500

/** A cluster is asked this often which node has which slots; a moved slot is learned of at once. */
const slotsEveryMs = 1_000

/** A start waits this long for the nodes of a cluster. */
const clusterStartMs = 2_000

/** A command follows a slot that is being moved over so many nodes. */
const redirectionsMax = 5

/** How long a server is waited for, ms. A law asks what Redis decides, not how busy the machine is. */
export interface Timeouts {
  readonly connectMs: number
  readonly commandMs: number
  readonly silenceMs: number
}

const standardTimeouts: Timeouts = {
  connectMs: connectTimeoutMs,
  commandMs: commandTimeoutMs,
  silenceMs: silenceMsMax
}

/**
 * The client as a resource. Nothing is queued and nothing is sent twice: a call decides without Redis rather
 * than wait for it. A server that is unavailable when the process starts does not stop the start; a cluster
 * that is addressed as one server does, and so does the reverse.
 */
export const layer = (
  url: Redacted.Redacted,
  timeouts: Timeouts = standardTimeouts
): Layer.Layer<Redis, RedisRefused> =>
  Layer.effect(
    Redis,
    Effect.gen(function* () {
      const address = Redacted.value(url)
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => (isCluster(address) ? openCluster(address, timeouts) : open(address, timeouts))),
        close
      )
      commandTimeouts.set(client, timeouts.commandMs)
      yield* Effect.promise(() => client.connect().catch(unanswered))
      if (client instanceof Cluster) yield* Effect.promise(() => ready(client))
      const wrong = yield* Effect.promise(() => misaddressed(client, address, timeouts))
      if (wrong !== undefined) return yield* new RedisRefused({ message: wrong })
      return client
    })
  )

const isCluster = (address: string): boolean => address.startsWith("redis-cluster:")

const optionsOf = (timeouts: Timeouts) =>
  ({
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs
  }) satisfies RedisOptions

const reconnectAfterMs = (attempts: number): number => Math.min(50 * attempts, reconnectMsMax)

const open = (address: string, timeouts: Timeouts): Client => {
  const client = new Client(address, {
    ...optionsOf(timeouts),
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: reconnectAfterMs
  })
  // Without a listener the client prints the error, address and all; every command reports its own failure
  // instead.
  client.on("error", (error: Error) => refusals.set(client, refusalIn(error)))
  client.on("ready", () => refusals.delete(client))
  return client
}

/** How long a command of a client may take, ms. */
const commandTimeouts = new WeakMap<object, number>()

/**
 * Returns the answer of a command, and fails when its time is over. Input that is pending by then is read
 * first. The client's own timeout does not do that, so a process that stood still for that long would take a
 * healthy server for one that hangs.
 */
export const inTime = <Answer>(client: Client | Cluster, answer: Promise<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error(timedOut))),
      commandTimeouts.get(client) ?? commandTimeoutMs
    )
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Why a server lets no connection in, by its client. */
const refusals = new WeakMap<object, string | undefined>()

/** The server's word for letting no connection in; undefined: it said nothing, or it does let them in. */
export const refusalOf = (client: Client): string | undefined => refusals.get(client)

/** What a failed command meets is told at once, for the caller decides by itself meanwhile. */
const clusterOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRedirections: redirectionsMax,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  slotsRefreshInterval: slotsEveryMs,
  clusterRetryStrategy: reconnectAfterMs
} satisfies ClusterOptions

const openCluster = (address: string, timeouts: Timeouts): Cluster => {
  const client = new Cluster([...clusterAddress(address).nodes], {
    ...clusterOptions,
    slotsRefreshTimeout: timeouts.silenceMs,
    redisOptions: redisOptionsOf(address, timeouts)
  })
  client.on("error", unanswered)
  return client
}

const redisOptionsOf = (address: string, timeouts: Timeouts) => {
  const { password, username } = clusterAddress(address)
  return { ...optionsOf(timeouts), ...(username && { username }), ...(password && { password }) }
}

/** What `redis-cluster://user:password@h:p,h:p` says; the form was checked with the environment. */
const clusterAddress = (address: string) => {
  const [, credentials = "", hosts = ""] = /^redis-cluster:\/\/(?:([^@]*)@)?([^/]*)/.exec(address) ?? []
  const [username = "", ...password] = credentials.split(":")
  return {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password.join(":")),
    nodes: hosts.split(",").map((node) => {
      const colon = node.lastIndexOf(":")
      return { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) }
    })
  }
}

const ready = (client: Cluster): Promise<unknown> =>
  new Promise((resolve) => {
    if (client.status === "ready") return resolve(undefined)
    const timer = setTimeout(resolve, clusterStartMs)
    client.once("ready", () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })

/** A server that does not answer now, or does not say, is taken for what the address says it is. */
const misaddressed = async (
  client: Client | Cluster,
  address: string,
  timeouts: Timeouts
): Promise<string | undefined> => {
  if (!(client instanceof Cluster))
    return (await saysOfCluster(client)).includes("cluster_enabled:1")
      ? "REDIS_URL names a node of a Redis Cluster: write redis-cluster://host:port,host:port."
      : undefined
  // The client's cluster of one that is none never gets ready, and does not say why.
  for (const node of clusterAddress(address).nodes) {
    const alone = new Client({
      ...node,
      ...redisOptionsOf(address, timeouts),
      lazyConnect: true,
      retryStrategy: null
    })
    commandTimeouts.set(alone, timeouts.commandMs)
    alone.on("error", unanswered)
    await alone.connect().catch(unanswered)
    const about = await saysOfCluster(alone)
    alone.disconnect()
    if (about.includes("cluster_enabled:0"))
      return "REDIS_URL names a Redis that is no cluster: write redis://host:port."
    if (about !== "") return undefined
  }
  return undefined
}

const saysOfCluster = (client: Client): Promise<string> =>
  inTime(client, client.info("cluster")).catch(() => "")

// QUIT lets what was already sent be answered; a server that does not answer is left within the command
// timeout.
const close = (client: Client | Cluster) =>
  Effect.promise(() => inTime(client, client.quit()).catch(unanswered)).pipe(
    Effect.andThen(Effect.sync(() => client.disconnect()))
  )

const unanswered = (): void => undefined
