import * as Effect from "effect/Effect"
import type { Amendment } from "../port/PlainWrites.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"

/** What a write does, by what of it may stand in its transaction. */
export type WritePlan<A, E> =
  | Commit<A, E>
  /**
   * It first waits for the world outside (names, receivers), and so stays out of the transaction; what it
   * prepares is then committed.
   */
  | { readonly _tag: "Prepare"; readonly prepare: Effect.Effect<Commit<A, E>, E> }

/** What is committed with the charge and the kept answer. */
export type Commit<A, E> =
  /** Any number of statements, in one transaction. */
  | { readonly _tag: "Work"; readonly work: Effect.Effect<A, E> }
  /** One statement where the store finds the change plain (port/PlainWrites.ts), and `work` where not. */
  | {
      readonly _tag: "Plain"
      readonly amendment: Amendment
      readonly tell: (endpoint: Endpoint) => A
      readonly work: Effect.Effect<A, E>
    }

export const commit = <A, E>(work: Effect.Effect<A, E>): Commit<A, E> => ({ _tag: "Work", work })

export const prepare = <A, E>(preparing: Effect.Effect<Commit<A, E>, E>): WritePlan<A, E> => ({
  _tag: "Prepare",
  prepare: preparing
})

/** The same write with what it comes to told otherwise. */
export const mapPlan = <A, B, E>(plan: WritePlan<A, E>, tell: (value: A) => B): WritePlan<B, E> =>
  plan._tag === "Prepare"
    ? prepare(Effect.map(plan.prepare, (prepared) => mapCommit(prepared, tell)))
    : mapCommit(plan, tell)

const mapCommit = <A, B, E>(planned: Commit<A, E>, tell: (value: A) => B): Commit<B, E> => {
  const work = Effect.map(planned.work, tell)
  return planned._tag === "Work"
    ? { _tag: "Work", work }
    : { ...planned, work, tell: (endpoint) => tell(planned.tell(endpoint)) }
}
