import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { unusedClientMs } from "../oauth/client.ts"
import { forgottenClientsMax, OAuthClients } from "../port/OAuthClients.ts"
import { forgottenRecordsMax, OAuthRecords } from "../port/OAuthRecords.ts"
import type { StoreFault } from "../error/StoreFault.ts"
import { batchesMax } from "./repeatForever.ts"

/** How often what has ended is looked for: none of it opens anything in the meantime. */
const sweepEvery = "10 minutes"

/**
 * Forgets tokens, codes, consents and requests that ended, and clients that nobody consented to within a day,
 * for as long as the scope is open. Every process may run it.
 */
export const sweepingOAuth: Effect.Effect<void, never, OAuthRecords | OAuthClients | Scope.Scope> =
  Effect.gen(function* () {
    const sweep = yield* makeOAuthSweep
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(sweepEvery)))
  })

/** One sweep; what an unavailable store leaves is found by the next. */
export const makeOAuthSweep = Effect.map(
  Effect.all({ records: OAuthRecords, clients: OAuthClients }),
  ({ clients, records }) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      Effect.andThen(
        emptied(records.forget(nowMs), forgottenRecordsMax),
        emptied(clients.forget(nowMs - unusedClientMs), forgottenClientsMax)
      )
    )
)

const emptied = (batch: Effect.Effect<number, { readonly fault: StoreFault }>, full: number) =>
  Effect.repeat(batch, { while: (some) => some >= full, times: batchesMax }).pipe(
    Effect.catch(({ fault }) =>
      Effect.annotateLogs(Effect.logWarning("what ended of OAuth was not forgotten"), { fault })
    )
  )
