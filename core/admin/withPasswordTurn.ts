import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Origin } from "../person/passwordTurns.ts"
import { enterTurn, finishTurn, leaveTurn, noTurns, waitingSeconds } from "../person/passwordTurns.ts"

type Waiting = Pick<Origin, "kind" | "place">

/** The attempt was not made, because too many others wait for their turn. */
export interface Busy {
  readonly _tag: "Busy"
}

/**
 * The turns of this process, which all attempts share. A reference, because cores are shared by the process
 * too.
 */
export const CurrentPasswordTurns = Context.Reference("coverage/core/admin/CurrentPasswordTurns", {
  defaultValue: () => makePasswordTurns()
})

/**
 * Runs what hashes a password when it is the origin's turn, or returns Busy without running it. The wait is
 * interruptible even where the caller is not: a page runs to its end, but a client that disconnects while it
 * waits must leave its place.
 */
export const withPasswordTurn = <A, E, R>(
  origin: Origin,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | Busy, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const turns = yield* CurrentPasswordTurns
      const entered = turns.enter(origin)
      if (entered === "busy") return busy
      if (entered !== "run" && !(yield* waited(Effect.interruptible(inTime(entered)), turns.leave(origin))))
        return busy
      return yield* Effect.ensuring(restore(effect), turns.finish)
    })
  )

const busy: Busy = { _tag: "Busy" }

const inTime = (turn: Effect.Effect<void>) => Effect.timeoutOption(turn, `${waitingSeconds} seconds`)

/** Whether the turn came in time. An attempt that gives up leaves its place. */
const waited = (turn: Effect.Effect<Option.Option<void>>, leave: Effect.Effect<void>) =>
  turn.pipe(
    Effect.onInterrupt(() => leave),
    Effect.flatMap(
      Option.match({ onNone: () => Effect.as(leave, false), onSome: () => Effect.succeed(true) })
    )
  )

export const makePasswordTurns = () => {
  let turns = noTurns
  const waiting = new Map<string, Deferred.Deferred<void>>()
  const nameOf = ({ kind, place }: Waiting) => `${kind} ${place}`
  const finish = Effect.suspend(() => {
    const { next, turns: after } = finishTurn(turns)
    turns = after
    if (next === undefined) return Effect.void
    const turn = waiting.get(nameOf(next))
    waiting.delete(nameOf(next))
    return turn === undefined ? Effect.void : Deferred.succeed(turn, undefined)
  })
  return {
    /** "run": it is the origin's turn. An effect: it waits for the turn. */
    enter: (origin: Waiting): "run" | "busy" | Effect.Effect<void> => {
      const { decision, turns: after } = enterTurn(turns, origin)
      turns = after
      if (decision !== "wait") return decision
      const turn = Deferred.makeUnsafe<void>()
      waiting.set(nameOf(origin), turn)
      return Deferred.await(turn)
    },
    /** A turn that came at the very moment of the interruption is passed on. */
    leave: (origin: Waiting) =>
      Effect.suspend(() => {
        if (!waiting.delete(nameOf(origin))) return finish
        turns = leaveTurn(turns, origin)
        return Effect.void
      }),
    finish
  }
}
