import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { Charge, CallEnd, LedgerUnavailable } from "../../core/port/Ledger.ts"
import { atomically } from "./Database.ts"
import { makeEndings } from "./endings.ts"
import { giveBackAll } from "./giveBackAll.ts"
import type { Listing } from "./openCalls.ts"
import { openCalls } from "./openCalls.ts"
import { writeHeartbeat, makeSweepSessions, removeSession } from "./sessionRow.ts"

/** How long an ended call may still be listed as open, and its usage row not say how it ended. */
export const tellEvery = "1 second"

/** A row that lists open calls is written anew at least this often, as a sign of life (in `tellEvery`s). */
export const aliveEvery = 5

/** A server that does not answer holds up neither what follows nor the shutdown for longer. */
const tellTimeout = "5 seconds"

type Charged = Exit.Exit<ChargeDecision, LedgerUnavailable>

/**
 * What a process knows of its calls between charge and answer (docs/decisions/0012): which are open, how
 * they ended, which refunds are due. It tells the store with every group of charges, and once a second where
 * there is news; a process without calls says nothing.
 */
export const makeSession = Effect.fnUntraced(function* (sql: SqlClient) {
  const calls = openCalls()
  const endings = makeEndings(sql)
  const sweepSessions = makeSweepSessions(sql, calls.sessionId)
  let silentFor = 0

  const tell = Effect.gen(function* () {
    yield* endings.write
    const { listed, open } = calls.state()
    silentFor += 1
    if (listed && (open === 0 || silentFor < aliveEvery)) return
    yield* writeHeartbeat(sql, calls)
    silentFor = 0
  }).pipe(Effect.timeout(tellTimeout), Effect.ignoreCause)

  const leave = Effect.gen(function* () {
    yield* endings.write
    const { known, open } = calls.state()
    if (known) yield* open === 0 ? removeSession(sql, calls.sessionId) : writeHeartbeat(sql, calls)
  }).pipe(Effect.timeout(tellTimeout), Effect.ignoreCause)

  yield* Effect.addFinalizer(() => leave)
  // By the process's own clock: the others count its silence in real seconds, whatever clock a caller moves.
  yield* Effect.delay(Effect.repeat(tell, Schedule.spaced(tellEvery)), tellEvery).pipe(
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    Effect.forkScoped
  )

  return {
    /** A group is about to be charged: its calls are open from now on, and are listed with it. */
    listOpen: (charges: ReadonlyArray<Charge>): Listing => {
      charges.forEach(calls.enter)
      silentFor = 0
      return calls.list()
    },
    /** What became of the group. */
    charged: (charges: ReadonlyArray<Charge>, exits: ReadonlyArray<Charged>): void => {
      if (exits.some(Exit.isFailure)) calls.unlisted()
      charges.forEach((charge, index) => calls.charged(charge, exits[index] ?? Exit.die("no answer")))
    },
    refunding: <E, R>(requestId: string, refund: Effect.Effect<boolean, E, R>) =>
      Effect.onExit(refund, (exit) =>
        Effect.sync(() => (Exit.isSuccess(exit) ? calls.close(requestId) : calls.postpone(requestId)))
      ),
    /** A 5xx stays open until it is given back. */
    ended: (call: CallEnd): void => {
      if (call.status < 500) calls.close(call.requestId)
      endings.note(call)
    },
    sweep: Effect.fnUntraced(function* (atMs: number) {
      const due = calls.due()
      const back = due.length === 0 ? new Set() : yield* atomically(giveBackAll(sql, due, atMs))
      due.forEach(({ requestId }) => calls.asked(requestId, back.has(requestId)))
      return back.size + (yield* sweepSessions(atMs))
    })
  }
})
