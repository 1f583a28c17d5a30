/** A mistake in the text of a source: what stands there once, and what would stand there instead. */
export interface Fault {
  readonly says: string
  /** From the root of the project. */
  readonly file: string
  readonly sound: string
  readonly faulty: string
}

const sharing = "adapters/postgres/sharing"

/**
 * Mistakes inside transactions that writes share, where no adapter could be put between: what plans them
 * (lanes, queue), what carries them out, and who takes part. The suites of `tests` are to notice each.
 */
export const faults: ReadonlyArray<Fault> = [
  {
    says: "keeps a write whose turn at its key has passed",
    file: `${sharing}/sharedTransaction.ts`,
    sound: "!owned || (available === undefined",
    faulty: "(available === undefined"
  },
  {
    says: "keeps a write that was not paid for",
    file: `${sharing}/sharedTransaction.ts`,
    sound: "!owned || (available === undefined && due[nth]?.charge !== undefined)",
    faulty: "!owned"
  },
  {
    says: "commits though one of them is not to be kept",
    file: `${sharing}/sharedTransaction.ts`,
    sound: "if (due.length < finishes.length) return undefined",
    faulty: ""
  },
  {
    says: "takes a lost COMMIT for one that was carried out",
    file: `${sharing}/sharedTransaction.ts`,
    sound: 'if (phase === "committed") return',
    faulty: 'if (phase === "committed" || phase === "committing") return'
  },
  {
    says: "takes a lost COMMIT for one that was not",
    file: `${sharing}/sharedTransaction.ts`,
    sound: 'if (phase !== "committing") return rolledBack',
    faulty: "return rolledBack"
  },
  {
    says: "keeps the lane of a caller who left",
    file: `${sharing}/joinLane.ts`,
    sound: 'ending._tag === "Alone" ? ending.done() : undefined',
    faulty: "undefined"
  },
  {
    says: "lets go of a caller who left before it is known what stays of the write",
    file: `${sharing}/joinLane.ts`,
    sound: "Effect.map(Deferred.await(ended), (ending)",
    faulty: "Effect.map(Effect.succeed({}), (ending)"
  },
  {
    says: "forgets at once that a subject spoiled what it shared",
    file: `${sharing}/queue.ts`,
    sound: "apart.set(subject, steadyMs() + apartMs)",
    faulty: ""
  },
  {
    says: "lets writes of one subject share",
    file: `${sharing}/queue.ts`,
    sound: "busy.add(member.subject)",
    faulty: ""
  },
  {
    says: "locks in the order in which writes came",
    file: `${sharing}/queue.ts`,
    sound: "return group.sort((one, other) => (one.subject < other.subject ? -1 : 1))",
    faulty: "return group"
  },
  {
    says: "waits for a lone write for as long as it takes",
    file: `${sharing}/lanes.ts`,
    sound: "if (queue.size() > 0 && relief === undefined)",
    faulty: "if (false)"
  },
  {
    says: "completes a record for whoever asks",
    file: "adapters/postgres/finishWrite.ts",
    sound: "and fence = $3::bigint and state = 'running'",
    faulty: ""
  },
  {
    says: "takes more than there is",
    file: "adapters/postgres/finishWrite.ts",
    sound: "and $6::int4 <= case when h.allowance > 0 then h.allowance else h.purchased end",
    faulty: ""
  },
  {
    says: "takes a turn whose lease has not ended",
    file: "adapters/postgres/beginRecord.ts",
    sound: ".until <= (select now from clock) and (",
    faulty: ".fence > 0 and ("
  }
]

/** The suites that are to notice them. */
export const tests = [
  "test/adapters/writeQueue.test.ts",
  "test/adapters/sharedWrites.test.ts",
  "test/adapters/idempotency.test.ts",
  "test/adapters/idempotencySevered.test.ts"
]
