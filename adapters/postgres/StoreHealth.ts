import * as Context from "effect/Context"
import { databaseFailure } from "./failure.ts"

/** A failure of a charge says for so long that none can be made, unless one succeeds. */
const failedForMs = 3_000

/** What charges met last, which a probe beside them may not meet: health tells both. */
export class StoreHealth extends Context.Service<
  StoreHealth,
  {
    /** Emptied by every charge that succeeds, which is all that a call costs here. */
    failure: { readonly reason: string; readonly atMs: number } | undefined
    readonly failed: (error: unknown) => void
    /** Why no charge could be made of late; undefined: nothing is known against it. */
    readonly reason: () => string | undefined
  }
>()("coverage/adapters/postgres/StoreHealth") {}

export const makeStoreHealth = (): StoreHealth["Service"] => {
  const health: StoreHealth["Service"] = {
    failure: undefined,
    failed: (error) => {
      health.failure = { reason: databaseFailure(error).reason, atMs: performance.now() }
    },
    reason: () =>
      health.failure !== undefined && performance.now() - health.failure.atMs <= failedForMs
        ? health.failure.reason
        : undefined
  }
  return health
}
