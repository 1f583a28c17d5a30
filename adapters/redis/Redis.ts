import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Redis as Client } from "ioredis"
import type { StoreFault } from "../../core/error/StoreFault.ts"

/**
 * A connection to Redis that keeps itself alive: it reconnects for ever, and while it is unavailable every
 * command fails.
 */
export class Redis extends Context.Service<Redis, Client>()("coverage/adapters/redis/Redis") {}

/** Longer than any healthy answer by far, and short enough that a hung server costs one call little. */
export const commandTimeoutMs = 200

/** A start or a reconnection waits this long for the server before it is taken as away. */
export const connectTimeoutMs = 300

/** A socket that owes answers and sends nothing for this long is dead, whatever the operating system says. */
export const silenceMsMax = 1_000

/** The longest pause between two attempts to connect, so a server that came back is used again within it. */
export const reconnectMsMax = 500

/** How long a server is waited for, ms. A law asks what Redis decides, not how busy the machine is. */
export interface Timeouts {
  readonly commandMs: number
  readonly silenceMs: number
}

const standardTimeouts: Timeouts = { commandMs: commandTimeoutMs, silenceMs: silenceMsMax }

/**
 * The client as a resource. Nothing is queued and nothing is sent twice: a call decides without Redis rather
 * than wait for it. A server that is unavailable when the process starts does not stop the start.
 */
export const layer = (url: Redacted.Redacted, timeouts: Timeouts = standardTimeouts): Layer.Layer<Redis> =>
  Layer.effect(
    Redis,
    Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => open(url, timeouts)),
        close
      )
      yield* Effect.promise(() => client.connect().catch(unanswered))
      return client
    })
  )

/**
 * What a rejected command means in a port's words; the client's own message may hold keys, so it is never
 * shown.
 */
export const classify = (error: unknown): StoreFault => {
  if (!(error instanceof Error)) return "unreachable"
  if (error.message === "Command timed out") return "timeout"
  if (error.name !== "ReplyError") return "unreachable"
  return notServing.test(error.message) ? "unreachable" : "refused"
}

// A server that is loading its data, cut off from its master or stuck in a script cannot answer anybody.
const notServing = /^(LOADING|MASTERDOWN|CLUSTERDOWN|BUSY|TRYAGAIN) /

const open = (url: Redacted.Redacted, timeouts: Timeouts): Client => {
  const client = new Client(Redacted.value(url), {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectTimeoutMs,
    commandTimeout: timeouts.commandMs,
    socketTimeout: timeouts.silenceMs,
    retryStrategy: (attempts) => Math.min(50 * attempts, reconnectMsMax)
  })
  // Without a listener the client prints the error, address and all; every command reports its own failure
  // instead.
  client.on("error", unanswered)
  return client
}

// QUIT lets what was already sent be answered; a server that does not answer is left within the command
// timeout.
const close = (client: Client) =>
  Effect.promise(() => client.quit().catch(unanswered)).pipe(
    Effect.andThen(Effect.sync(() => client.disconnect()))
  )

const unanswered = (): void => undefined
