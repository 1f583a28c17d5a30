import type { PgConnection, Result as PgResult } from "@effect/sql-pg/PgConnection"
import type { PgPool } from "@effect/sql-pg/PgPool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { classifySent } from "../fault.ts"
import type { Finish } from "../finishWrite.ts"
import { finishPlainly } from "../finishWrite.ts"
import type { Member, Shared } from "./Member.ts"
import { sharedConnection } from "./sharedConnection.ts"

/** Longer than its statements may take, so that only a connection that hangs is given up. */
const patience = "5 seconds"

/** What became of each member, and who it was that spoiled it for the others. */
export interface SharedTransaction {
  readonly endings: ReadonlyArray<Shared>
  readonly odd: Member | undefined
}

/**
 * Runs the writes of several subjects as one transaction: their statements go out together, and one COMMIT
 * serves all. It commits when every one of them came to an answer that is to be kept and was paid for in the
 * plain way; anything else, a lock that is not had soon included, and nothing of it stays: each is to run
 * again alone, where what it is is told exactly. So a member never sees, or pays for, what another did.
 */
export const sharedTransaction =
  (sql: SqlClient, pipelines: PgPool) =>
  (members: ReadonlyArray<Member>): Effect.Effect<SharedTransaction> => {
    const course: Course = { phase: "open", available: [], odd: undefined }
    const whole = pipelines.use((pg) =>
      Effect.onInterrupt(carried(sql, pg, members, course), () => pipelines.invalidate(pg))
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkDetach(Effect.result(whole))
      const exit = yield* Effect.timeoutOption(Fiber.await(fiber), patience)
      const ended = exit._tag === "Some" && Exit.isSuccess(exit.value) ? exit.value.value : undefined
      if (ended === undefined) {
        if (course.phase === "open") course.phase = "left"
        yield* Effect.forkDetach(Fiber.interrupt(fiber))
      }
      const sent = ended !== undefined && Result.isFailure(ended) ? ended.failure : undefined
      return { endings: members.map((_, nth) => endingOf(course, nth, sent)), odd: course.odd }
    })
  }

interface Course {
  /** `left`: given up by who waited; it must not commit any more. */
  phase: "open" | "left" | "committing" | "committed"
  /** What each member's account holds after its charge. */
  available: ReadonlyArray<number | undefined>
  odd: Member | undefined
}

/** `sent`: what COMMIT met, where it met anything. */
const endingOf = ({ phase, available }: Course, nth: number, sent: SqlError | undefined): Shared => {
  if (phase === "committed") return { _tag: "Committed", available: available[nth] }
  if (phase !== "committing") return rolledBack
  const fault = sent === undefined ? "unknown_outcome" : classifySent(sent)
  // What COMMIT refused was rolled back.
  return fault === "refused" ? rolledBack : { _tag: "Failed", fault, available: available[nth] }
}

const rolledBack: Shared = { _tag: "RolledBack" }

const carried = Effect.fnUntraced(function* (
  sql: SqlClient,
  pg: PgConnection,
  members: ReadonlyArray<Member>,
  course: Course
): Effect.fn.Return<void, SqlError> {
  const connection = sharedConnection(pg)
  // Not waited for: it goes out with the first statements.
  const begun = yield* Effect.forkChild(Effect.result(connection.execute("BEGIN", [], undefined)), {
    startImmediately: true
  })
  const finishes = yield* worked(pg, members, course)
  const isBegun = Result.isSuccess(yield* Fiber.join(begun))
  const available = isBegun ? yield* paidPlainly(sql, connection, finishes) : undefined
  if (Array.isArray(available) && course.phase === "open") {
    course.phase = "committing"
    course.available = available
    const { command } = (yield* connection.executeRaw("COMMIT", [])) as PgResult
    // PostgreSQL answers ROLLBACK where the transaction had failed.
    course.phase = command === "COMMIT" ? "committed" : "left"
    return
  }
  if (typeof available === "number") course.odd ??= members[available]
  yield* Effect.catch(Effect.asVoid(connection.execute("ROLLBACK", [], undefined)), () => Effect.interrupt)
})

/**
 * All works at once, and what each came to; who fails first is the odd one, whatever the others then meet.
 */
const worked = Effect.fnUntraced(function* (
  pg: PgConnection,
  members: ReadonlyArray<Member>,
  course: Course
) {
  const finishes: Array<Finish | undefined> = members.map(() => undefined)
  const all = Deferred.makeUnsafe<void>()
  let left = members.length
  for (const [nth, member] of members.entries()) {
    yield* member.begin(sharedConnection(pg), (finish) => {
      finishes[nth] = finish
      if (finish === undefined) course.odd ??= member
      left -= 1
      if (left === 0) Deferred.doneUnsafe(all, Exit.void)
    })
  }
  yield* Deferred.await(all)
  return finishes
})

/**
 * All finishes at once: what each account holds then, or the place of one that is not plain; undefined: it
 * cannot be told which.
 */
const paidPlainly = Effect.fnUntraced(function* (
  sql: SqlClient,
  connection: Connection,
  finishes: ReadonlyArray<Finish | undefined>
) {
  const due = finishes.filter((finish) => finish !== undefined)
  if (due.length < finishes.length) return undefined
  const finished = yield* Effect.result(
    Effect.forEach(due, (finish) => finishPlainly(sql, finish), { concurrency: "unbounded" }).pipe(
      Effect.provideService(sql.transactionService, [connection, 0])
    )
  )
  if (Result.isFailure(finished)) return undefined
  const odd = finished.success.findIndex(
    ({ owned, available }, nth) => !owned || (available === undefined && due[nth]?.charge !== undefined)
  )
  return odd === -1 ? finished.success.map(({ available }) => available) : odd
})
