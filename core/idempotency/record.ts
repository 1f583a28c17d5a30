/**
 * What is known of one X-Idempotency-Key (§4.6.2): whose turn it is and what came of it. The fence names
 * a turn and grows with each; whoever writes says which turn it believes to have.
 */
export type IdempotencyRecord<Answer> =
  | { readonly _tag: "Absent"; readonly fence: number }
  | {
      readonly _tag: "Running"
      readonly fence: number
      readonly fingerprint: string
      readonly leaseUntilMs: number
    }
  | {
      readonly _tag: "Done"
      readonly fence: number
      readonly fingerprint: string
      readonly answer: Answer
      readonly expiresAtMs: number
    }

/** A key that was never used, or that was forgotten. */
export const absent = { _tag: "Absent", fence: 0 } as const

/**
 * A turn ends by itself after this: a repeat then takes over, inside a client's 1 + 2 + 4 s of retries
 * (§7.4.3).
 */
export const leaseMs = 5_000

/**
 * How often a living owner renews its lease: it may fail to three times in a row before it loses its
 * turn.
 */
export const renewalMs = 1_000

/** How long an answer is replayed (contract §1, Idempotency). */
export const keptMs = 24 * 3_600_000

/**
 * A record is forgotten, and its fence with it, so long after it was last begun: a day after its answer
 * expired, and long after any owner could come back with an old fence.
 */
export const forgottenMs = 2 * keptMs

/** What a begin came to. */
export type Begun<Answer> =
  /** It is the caller's turn, under this fence. */
  | { readonly _tag: "Execute"; readonly fence: number }
  | { readonly _tag: "Replay"; readonly answer: Answer }
  /** The same request is running. */
  | { readonly _tag: "InProgress" }
  /** The key belongs to another request. */
  | { readonly _tag: "Conflict" }

/**
 * What an owner's write to its record came to; `stale`: it was not its turn any more, and nothing
 * changed.
 */
export type SettleResult = "settled" | "stale"

type Phase = "absent" | "running_live" | "running_over" | "done_live" | "done_expired"

interface Rule {
  readonly sameBody: Begun<unknown>["_tag"]
  readonly otherBody: Begun<unknown>["_tag"]
  /** Whether the holder of the fence may complete, release and renew; a stale fence never may. */
  readonly owned: boolean
}

const rules: Readonly<Record<Phase, Rule>> = {
  absent: { sameBody: "Execute", otherBody: "Execute", owned: false },
  running_live: { sameBody: "InProgress", otherBody: "Conflict", owned: true },
  running_over: { sameBody: "Execute", otherBody: "Conflict", owned: true },
  done_live: { sameBody: "Replay", otherBody: "Conflict", owned: false },
  done_expired: { sameBody: "Execute", otherBody: "Execute", owned: false }
}

/** Whose turn it is now; the record changes only where the answer is `Execute`. */
export const begin = <Answer>(
  record: IdempotencyRecord<Answer>,
  request: { readonly fingerprint: string; readonly nowMs: number }
): readonly [Begun<Answer>, IdempotencyRecord<Answer>] => {
  const { fingerprint, nowMs } = request
  const rule = rules[phaseOf(record, nowMs)]
  const same = record._tag === "Absent" || record.fingerprint === fingerprint
  const answer = same ? rule.sameBody : rule.otherBody
  if (answer === "Replay" && record._tag === "Done")
    return [{ _tag: "Replay", answer: record.answer }, record]
  if (answer === "Conflict" || answer === "InProgress") return [{ _tag: answer }, record]
  const fence = record.fence + 1
  return [
    { _tag: "Execute", fence },
    { _tag: "Running", fence, fingerprint, leaseUntilMs: nowMs + leaseMs }
  ]
}

/** The owner's answer, kept for a day and replayed from now on. */
export const complete = <Answer>(
  record: IdempotencyRecord<Answer>,
  owner: { readonly fence: number; readonly answer: Answer; readonly nowMs: number }
): readonly [SettleResult, IdempotencyRecord<Answer>] =>
  settle(record, owner, ({ fence, fingerprint }) => ({
    _tag: "Done",
    fence,
    fingerprint,
    answer: owner.answer,
    expiresAtMs: owner.nowMs + keptMs
  }))

/** The owner gives its turn back unused: the key is free again, for any request. */
export const release = <Answer>(
  record: IdempotencyRecord<Answer>,
  owner: { readonly fence: number; readonly nowMs: number }
): readonly [SettleResult, IdempotencyRecord<Answer>] =>
  settle(record, owner, ({ fence }) => ({ _tag: "Absent", fence }))

/**
 * The owner lives: its turn lasts another lease from now. One whose lease is over has it again if nobody
 * took over.
 */
export const renew = <Answer>(
  record: IdempotencyRecord<Answer>,
  owner: { readonly fence: number; readonly nowMs: number }
): readonly [SettleResult, IdempotencyRecord<Answer>] =>
  settle(record, owner, (running) => ({ ...running, leaseUntilMs: owner.nowMs + leaseMs }))

type Running = Extract<IdempotencyRecord<never>, { readonly _tag: "Running" }>

const settle = <Answer>(
  record: IdempotencyRecord<Answer>,
  owner: { readonly fence: number; readonly nowMs: number },
  next: (running: Running) => IdempotencyRecord<Answer>
): readonly [SettleResult, IdempotencyRecord<Answer>] => {
  const owned = rules[phaseOf(record, owner.nowMs)].owned && record.fence === owner.fence
  return owned && record._tag === "Running" ? ["settled", next(record)] : ["stale", record]
}

/** A lease or an answer lives up to its last instant and not in it. */
const phaseOf = (record: IdempotencyRecord<unknown>, nowMs: number): Phase => {
  switch (record._tag) {
    case "Absent":
      return "absent"
    case "Running":
      return nowMs < record.leaseUntilMs ? "running_live" : "running_over"
    case "Done":
      return nowMs < record.expiresAtMs ? "done_live" : "done_expired"
  }
}
