import { begin, keptMs, leaseMs } from "../../core/idempotency/record.ts"
import type { KeptRecord, TakenStep } from "./idempotencyHistories.ts"

/**
 * Something that holds of an idempotency key whatever happens to it; `breach` says where a history broke
 * it.
 */
export interface Invariant {
  readonly says: string
  readonly breach: (taken: ReadonlyArray<TakenStep>) => string | undefined
}

type Trace = ReadonlyArray<TakenStep>

/** Each step must pass. */
const always = (says: string, holds: (taken: TakenStep, earlier: Trace) => boolean): Invariant => ({
  says,
  breach: (trace) => {
    const at = trace.findIndex((taken, index) => !holds(taken, trace.slice(0, index)))
    return at === -1 ? undefined : `step ${at}`
  }
})

export const invariants: ReadonlyArray<Invariant> = [
  always("the fence strictly grows", ({ said, before, after }) =>
    tagOf(said) === "Execute" ? after.fence > before.fence : after.fence === before.fence
  ),
  always(
    "at most one commit per key in its lifetime",
    (taken, earlier) =>
      !commits(taken) || !earlier.some((one) => commits(one) && taken.nowMs < one.nowMs + keptMs)
  ),
  always("never two live leases", ({ live }) => live <= 1),
  always(
    "a replay equals the committed answer",
    ({ said }, earlier) =>
      typeof said !== "object" ||
      said._tag !== "Replay" ||
      said.answer === earlier.findLast(({ charges }) => charges > 0)?.turn?.answer
  ),
  always(
    "a conflict is never answered to the same body",
    ({ said, step, before }) =>
      tagOf(said) !== "Conflict" ||
      before._tag === "Absent" ||
      (step._tag === "Begin" && before.fingerprint !== step.body)
  ),
  always(
    "refusals change nothing",
    ({ said, before, after }) =>
      !["InProgress", "Conflict", "Replay", "stale"].includes(tagOf(said)) || after === before
  ),
  {
    says: "charges = commits × cost",
    breach: (trace) => mismatch(trace, ({ charges }) => charges)
  },
  {
    says: "events = commits",
    breach: (trace) => mismatch(trace, ({ events }) => events)
  },
  always("no key stays stuck: its request runs or is replayed once a lease has passed", ({ after, nowMs }) =>
    ["Execute", "Replay"].includes(
      tagOf(begin(after, { fingerprint: bodyOf(after), nowMs: nowMs + leaseMs })[0])
    )
  ),
  always(
    "a stale fence settles nothing",
    ({ said, step, turn, before }) =>
      step._tag !== "Act" || said !== "settled" || (before._tag === "Running" && before.fence === turn?.fence)
  ),
  always(
    "a turn is not taken from an owner whose lease lives, nor a request run whose answer lives",
    (taken) => tagOf(taken.said) !== "Execute" || !isHeld(taken.before, taken.nowMs)
  )
]

const tagOf = (said: TakenStep["said"]): string => (typeof said === "object" ? said._tag : (said ?? ""))

/** Seen from the record alone, whatever the owner was told. */
const commits = ({ before, after }: TakenStep): boolean => after._tag === "Done" && before !== after

const mismatch = (trace: Trace, count: (taken: TakenStep) => number): string | undefined => {
  const [counted, committed] = [
    trace.reduce((sum, taken) => sum + count(taken), 0),
    trace.filter(commits).length
  ]
  return counted === committed ? undefined : `${counted} for ${committed} commits`
}

const bodyOf = (record: KeptRecord): string => (record._tag === "Absent" ? "one" : record.fingerprint)

const isHeld = (record: KeptRecord, nowMs: number): boolean => {
  switch (record._tag) {
    case "Absent":
      return false
    case "Running":
      return nowMs < record.leaseUntilMs
    case "Done":
      return nowMs < record.expiresAtMs
  }
}
