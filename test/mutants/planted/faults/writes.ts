import type { Fault, Group } from "../Fault.ts"

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

/** The transaction of a write, and what charges write and sum. */
export const writes: Group = {
  faults: ofWrites,
  tests: [
    "test/adapters/chargeRows.test.ts",
    "test/adapters/ledger.test.ts",
    "test/adapters/queuedWrites.test.ts",
    "test/adapters/idempotency.test.ts",
    "test/adapters/idempotencySevered.test.ts"
  ]
}
