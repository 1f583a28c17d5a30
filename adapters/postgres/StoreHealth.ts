import * as Context from "effect/Context"
import { databaseFailure } from "./failure.ts"

/** A failure of a charge says for so long that none can be made, unless one succeeds. */
const failedForMs = 3_000

/** What charges met last, which a probe beside them may not meet: health tells both. */
export class StoreHealth extends Context.Service<
  StoreHealth,
  {
    readonly succeeded: () => void
    readonly failed: (error: unknown) => void
    /** Why no charge could be made of late; undefined: nothing is known against it. */
    readonly reason: () => string | undefined
  }
>()("coverage/adapters/postgres/StoreHealth") {}

export const makeStoreHealth = (): StoreHealth["Service"] => {
  let last: { readonly reason: string; readonly atMs: number } | undefined
  return {
    succeeded: () => {
      last = undefined
    },
    failed: (error) => {
      last = { reason: databaseFailure(error).reason, atMs: performance.now() }
    },
    reason: () => {
      if (last !== undefined && performance.now() - last.atMs > failedForMs) last = undefined
      return last?.reason
    }
  }
}
