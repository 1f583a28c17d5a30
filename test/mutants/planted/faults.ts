/** A mistake in the text of a source: what stands there once, and what would stand there instead. */
export interface Fault {
  readonly says: string
  /** From the root of the project. */
  readonly file: string
  readonly sound: string
  readonly faulty: string
}

/** Mistakes, and the suites that are to notice each. */
export interface Group {
  readonly faults: ReadonlyArray<Fault>
  readonly tests: ReadonlyArray<string>
}

/**
 * Mistakes where no adapter could be put between: in the transaction of a write, and in what charges write
 * and sum.
 */
const ofWrites: ReadonlyArray<Fault> = [
  {
    says: "keeps a write whose turn at its key has passed",
    file: "adapters/postgres/Transactions.ts",
    sound: 'if (!owned) return yield* rollBack<Value, E>(Exit.succeed({ _tag: "Stale" }))',
    faulty: ""
  },
  {
    says: "keeps a write that was not paid for",
    file: "adapters/postgres/Transactions.ts",
    sound: 'if (decision?._tag === "Exhausted") return yield* rollBack<Value, E>(Exit.succeed(decision))',
    faulty: ""
  },
  {
    says: "lets one organization's writes take every connection",
    file: "adapters/postgres/Transactions.ts",
    sound: "write.charge === undefined ? carried : inQueue(write.charge.organizationId, carried)",
    faulty: "carried"
  },
  {
    says: "takes a lost COMMIT for one that was carried out",
    file: "adapters/postgres/commitLost.ts",
    sound: "return found && reached !== undefined",
    faulty: "return reached !== undefined"
  },
  {
    says: "takes a lost COMMIT for one that was not",
    file: "adapters/postgres/commitLost.ts",
    sound: "return found && reached !== undefined",
    faulty: "return found && reached === undefined"
  },
  {
    says: "completes a record for whoever asks",
    file: "adapters/postgres/finishWrite.ts",
    sound: "and fence = $13::bigint and state = 'running'",
    faulty: ""
  },
  {
    says: "takes more than there is",
    file: "adapters/postgres/chargeFast.ts",
    sound: "and ${cost} <= case when a.allowance > 0 then a.allowance else a.purchased end",
    faulty: ""
  },
  {
    says: "takes a turn whose lease has not ended",
    file: "adapters/postgres/beginRecord.ts",
    sound: ".until <= (select now from clock) and (",
    faulty: ".fence > 0 and ("
  },
  {
    says: "takes a charge twice",
    file: "adapters/postgres/chargeFast.ts",
    sound: "a.allowance - case when a.allowance > 0 then ${cost} else 0 end",
    faulty: "a.allowance - case when a.allowance > 0 then 2 * ${cost} else 0 end"
  },
  {
    says: "does not know a usage row for a charge when it comes again",
    file: "adapters/postgres/accounts.ts",
    sound: "where u.paid_from is not null",
    faulty: "where false"
  },
  {
    says: "gives a charge back that was given back",
    file: "adapters/postgres/accounts.ts",
    sound: "from asked join credit_move m using (organization_id, reference)",
    faulty: "from asked join credit_move m using (organization_id, reference) where m.kind <> 'refund'"
  },
  {
    says: "rolls usage up to the highest transaction, whichever are under way",
    file: "adapters/postgres/rollUp.ts",
    sound: "select pg_current_snapshot() as seen",
    faulty: `select concat(pg_snapshot_xmax(now), ':', pg_snapshot_xmax(now), ':')::pg_snapshot as seen
      from pg_current_snapshot() as now`
  },
  {
    says: "passes over what was under way when usage was last rolled up",
    file: "adapters/postgres/rollUp.ts",
    sound: "where tx >= pg_snapshot_xmin(",
    faulty: "where tx >= pg_snapshot_xmax("
  },
  {
    says: "corrects usage while a roll-up is under way",
    file: "adapters/postgres/migrations/0019-charge-rows.ts",
    sound: "perform pg_advisory_xact_lock(62);",
    faulty: "perform 62;"
  }
]

/** Mistakes against each promise of the one path of every call (core/call). */
const ofThePath: ReadonlyArray<Fault> = [
  {
    says: "counts a call from an address that the key does not list",
    file: "core/call/pipeline.ts",
    sound: `{ at: 4, name: "allow-lists", step: check(allowLists) },
      { at: 5, name: "limits", step: yield* makeLimitsStep },`,
    faulty: `{ at: 5, name: "limits", step: yield* makeLimitsStep },
      { at: 4, name: "allow-lists", step: check(allowLists) },`
  },
  {
    says: "asks for the plan before the scope",
    file: "core/call/pipeline.ts",
    sound: `{ at: 6, name: "scope", step: check(scope) },
      { at: 7, name: "plan", step: check(plan) },`,
    faulty: `{ at: 7, name: "plan", step: check(plan) },
      { at: 6, name: "scope", step: check(scope) },`
  },
  {
    says: "charges a call whose scope is not enough",
    file: "core/call/checks.ts",
    sound: "if (requirement !== null && !party.may[requirement])",
    faulty: "if (requirement !== null && requirement === undefined)"
  },
  {
    says: "charges a write besides its commit",
    file: "core/call/charge.ts",
    sound: "if (isInItsCommit(call)) return next(call)",
    faulty: ""
  },
  {
    says: "runs a call that cannot be paid",
    file: "core/call/charge.ts",
    sound: 'if (decision._tag === "Exhausted") return Effect.succeed(creditsExhausted(call, decision))',
    faulty: ""
  },
  {
    says: "gives nothing back for a 5xx",
    file: "core/call/charge.ts",
    sound: "status >= 500 ? Effect.andThen(giveBack(call, charge), ended) : ended",
    faulty: "ended"
  },
  {
    says: "gives back what was answered with 404",
    file: "core/call/charge.ts",
    sound: "return status >= 500",
    faulty: "return status >= 404"
  },
  {
    says: "keeps the slot of a call that ended",
    file: "core/call/checks.ts",
    sound: '(decision._tag === "Admitted" ? limits.release(entry) : Effect.void)',
    faulty: "Effect.void"
  },
  {
    says: "goes on with a call that the limits refused",
    file: "core/call/checks.ts",
    sound: `if (decision._tag === "Refused") return Effect.succeed(refusedBy(call, decision))
          recordLimits(call, decision)`,
    faulty: "recordLimits(call, decision)"
  },
  {
    says: "keeps a 5xx under its idempotency key",
    file: "core/call/writing.ts",
    sound: "statusOf(reply) < 500 && ",
    faulty: ""
  },
  {
    says: "lets a sandbox call have the refusal of a step that it did not reach",
    file: "core/call/faultInjection.ts",
    sound: "step === at || (at === 2 && step < at)",
    faulty: "at === 2"
  }
]

/** All that is planted. */
export const groups: ReadonlyArray<Group> = [
  {
    faults: ofWrites,
    tests: [
      "test/adapters/chargeRows.test.ts",
      "test/adapters/ledger.test.ts",
      "test/adapters/queuedWrites.test.ts",
      "test/adapters/idempotency.test.ts",
      "test/adapters/idempotencySevered.test.ts"
    ]
  },
  {
    faults: ofThePath,
    tests: [
      "test/core/idempotencyWorkflow.test.ts",
      "test/http/order.test.ts",
      "test/http/refusals.test.ts",
      "test/http/limits.test.ts",
      "test/http/serverFaults.test.ts",
      "test/http/sandboxProvocations.test.ts"
    ]
  }
]

export const faults: ReadonlyArray<Fault> = groups.flatMap((group) => group.faults)
