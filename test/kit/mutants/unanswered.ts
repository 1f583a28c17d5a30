import * as Effect from "effect/Effect"
import type { Ledger } from "../../../core/port/Ledger.ts"
import { silentSweeps } from "../../../core/port/Ledger.ts"

type Verbs = Ledger["Service"]

/** A ledger with one mistake in what becomes of open calls; some law must notice it. */
export interface UnansweredMutant {
  readonly says: string
  readonly spoil: (right: Verbs) => Verbs
}

const several = (sweep: Verbs["sweep"], times: number): Verbs["sweep"] =>
  Effect.map(Effect.replicateEffect(sweep, times), (given) => given.reduce((sum, some) => sum + some, 0))

export const unansweredMutants: ReadonlyArray<UnansweredMutant> = [
  { says: "never sweeps", spoil: (right) => ({ ...right, sweep: Effect.succeed(0) }) },
  {
    says: "gives up at the first look",
    spoil: (right) => ({ ...right, sweep: several(right.sweep, silentSweeps) })
  },
  { says: "gives up one look too soon", spoil: (right) => ({ ...right, sweep: several(right.sweep, 2) }) },
  {
    says: "says what it gave back twice",
    spoil: (right) => ({ ...right, sweep: Effect.map(right.sweep, (given) => given * 2) })
  },
  { says: "does not hear that a call ended", spoil: (right) => ({ ...right, ended: () => Effect.void }) },
  {
    says: "hears only of calls that went well",
    spoil: (right) => ({
      ...right,
      ended: (call) => (call.status === 200 ? right.ended(call) : Effect.void)
    })
  },
  {
    says: "refunds by a grant, which nobody else can know of",
    spoil: (right) => ({
      ...right,
      refund: ({ organizationId, requestId, atMs }) =>
        Effect.as(right.grant({ organizationId, amount: 4, grantId: requestId, atMs }), true)
    })
  },
  {
    says: "takes every call for ended once it is charged",
    spoil: (right) => ({
      ...right,
      charge: (charge) => Effect.tap(right.charge(charge), () => right.ended({ ...charge, status: 200 }))
    })
  },
  {
    says: "gives up its own calls when it sweeps",
    spoil: (right) => {
      const open = new Set<Parameters<Verbs["refund"]>[0]>()
      return {
        ...right,
        charge: (charge) => Effect.tap(right.charge(charge), () => Effect.sync(() => open.add(charge))),
        ended: (call) =>
          Effect.tap(right.ended(call), () =>
            Effect.sync(() =>
              open.forEach((charge) => charge.requestId === call.requestId && open.delete(charge))
            )
          ),
        sweep: Effect.andThen(
          Effect.suspend(() => Effect.forEach([...open], (charge) => right.refund(charge))),
          right.sweep
        )
      }
    }
  }
]
