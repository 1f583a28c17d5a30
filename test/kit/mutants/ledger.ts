import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { Charge } from "../../../core/port/Ledger.ts"
import type { Ledger } from "../../../core/port/Ledger.ts"

type Verbs = Ledger["Service"]

/** A ledger with one planted mistake, made out of a right one; some law must notice it. */
export interface LedgerMutant {
  readonly says: string
  readonly spoil: (right: Verbs) => Verbs
}

const balanceOf = (right: Verbs, { organizationId, atMs }: Charge) =>
  Effect.map(right.statement({ organizationId, nowMs: atMs }), (statement) => statement?.balance ?? 0)

export const ledgerMutants: ReadonlyArray<LedgerMutant> = [
  {
    says: "looks at the balance before it charges, and believes it afterwards",
    spoil: (right) => ({
      ...right,
      charge: Effect.fnUntraced(function* (charge: Charge) {
        const before = yield* balanceOf(right, charge)
        yield* Effect.yieldNow
        const decision = yield* right.charge(charge)
        return before < charge.cost
          ? decision
          : ({ _tag: "Charged", available: before - charge.cost } as const)
      })
    })
  },
  {
    says: "refuses the last credit",
    spoil: (right) => ({
      ...right,
      charge: Effect.fnUntraced(function* (charge: Charge) {
        const before = yield* balanceOf(right, charge)
        return before === charge.cost
          ? { _tag: "Exhausted" as const, required: charge.cost, available: before }
          : yield* right.charge(charge)
      })
    })
  },
  {
    says: "forgets which requests it charged",
    spoil: (right) => {
      let times = 0
      const another = (charge: Charge) => ({ ...charge, requestId: `${charge.requestId} ${times++}` })
      return { ...right, charge: (charge) => right.charge(another(charge)) }
    }
  },
  {
    says: "charges one credit whatever the call costs",
    spoil: (right) => ({ ...right, charge: (charge) => right.charge({ ...charge, cost: 1 }) })
  },
  {
    says: "never renews: it takes the first instant it saw for now",
    spoil: (right) => {
      let firstMs: number | undefined
      const atFirst = (charge: Charge): Charge => {
        firstMs ??= charge.atMs
        return { ...charge, atMs: firstMs }
      }
      return { ...right, charge: (charge) => right.charge(atFirst(charge)) }
    }
  },
  {
    says: "says what was available before the charge",
    spoil: (right) => ({
      ...right,
      charge: (charge) =>
        Effect.map(right.charge(charge), (decision) =>
          decision._tag === "Exhausted"
            ? decision
            : { ...decision, available: decision.available + charge.cost }
        )
    })
  },
  {
    says: "says a refund happened when it had happened before",
    spoil: (right) => ({ ...right, refund: (request) => Effect.as(right.refund(request), true) })
  },
  {
    says: "gives back by a grant, as often as it is asked",
    spoil: (right) => {
      let times = 0
      return {
        ...right,
        refund: ({ organizationId, atMs }) =>
          Effect.as(right.grant({ organizationId, amount: 1, grantId: `refund ${times++}`, atMs }), true)
      }
    }
  },
  {
    says: "grants again when asked again",
    spoil: (right) => {
      let times = 0
      return { ...right, grant: (gift) => right.grant({ ...gift, grantId: `${gift.grantId} ${times++}` }) }
    }
  },
  {
    says: "lets all organizations draw on the first one's account",
    spoil: (right) => {
      let first: OrganizationId | undefined
      const theirs = (charge: Charge): Charge => {
        first ??= charge.organizationId
        return { ...charge, organizationId: first }
      }
      return { ...right, charge: (charge) => right.charge(theirs(charge)) }
    }
  },
  {
    says: "answers before the charge is written",
    spoil: (right) => ({
      ...right,
      charge: Effect.fnUntraced(function* (charge: Charge) {
        const before = yield* balanceOf(right, charge)
        yield* Effect.forkDetach(Effect.andThen(Effect.sleep("20 millis"), right.charge(charge)))
        return { _tag: "Charged" as const, available: before - charge.cost }
      })
    })
  },
  {
    says: "lets go of an interrupted caller after it has taken the credits",
    spoil: (right) => ({
      ...right,
      charge: (charge) => Effect.interruptible(Effect.tap(right.charge(charge), Effect.yieldNow))
    })
  },
  {
    says: "goes on behind the back of an interrupted caller",
    spoil: (right) => ({
      ...right,
      charge: (charge) =>
        Effect.interruptible(
          Effect.flatMap(
            Effect.forkDetach(
              Effect.andThen(Effect.replicateEffect(Effect.yieldNow, 2), right.charge(charge))
            ),
            Fiber.join
          )
        )
    })
  },
  {
    says: "tells a statement without its expired credits",
    spoil: (right) => ({
      ...right,
      statement: (asked) => Effect.map(right.statement(asked), (told) => told && { ...told, expired: 0 })
    })
  },
  {
    says: "charges organizations it has never heard of",
    spoil: (right) => ({
      ...right,
      charge: (charge) =>
        Effect.map(right.charge(charge), (decision) =>
          decision.available === 0 ? { _tag: "Charged", available: 0 } : decision
        )
    })
  }
]
