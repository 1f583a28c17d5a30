import * as fc from "fast-check"
import type { Begun, IdempotencyRecord, SettleResult } from "../../core/idempotency/record.ts"
import {
  absent,
  begin,
  complete,
  keptMs,
  leaseMs,
  release,
  renew,
  renewalMs
} from "../../core/idempotency/record.ts"

/**
 * What may happen around one key: owners that go on, come back late or never do, and a clock aimed at the
 * edges.
 */
export type Step =
  | { readonly _tag: "Begin"; readonly body: Body }
  /** Done by one of those whose turn it once was, the newest first. */
  | { readonly _tag: "Act"; readonly which: number; readonly act: Act }
  /** One of them is never heard of again, and what its transaction had not committed is gone with it. */
  | { readonly _tag: "Crash"; readonly which: number }
  | { readonly _tag: "Wait"; readonly ms: number }
  /** Until the lease or the answer ends, and so many milliseconds more or less. */
  | { readonly _tag: "Edge"; readonly beyondMs: number }

export type Act = "complete" | "release" | "renew"
export type Body = "one" | "other"
export type History = ReadonlyArray<Step>

const bodies = fc.constantFrom<Body>("one", "one", "one", "other")
const owners = fc.constantFrom(0, 0, 0, 1, 1, 2)

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ _tag: fc.constant("Begin"), body: bodies }) },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Act"),
      which: owners,
      act: fc.constantFrom<Act>("complete", "complete", "release", "renew")
    })
  },
  fc.record({ _tag: fc.constant("Crash"), which: owners }),
  {
    weight: 2,
    arbitrary: fc.record({ _tag: fc.constant("Wait"), ms: fc.constantFrom(0, 1, renewalMs, leaseMs, keptMs) })
  },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Edge"), beyondMs: fc.constantFrom(-1, 0, 1) }) }
)

export const histories: fc.Arbitrary<History> = fc.array(steps, { maxLength: 30, size: "max" })

export type KeptRecord = IdempotencyRecord<string>

/** The four transitions; a mutant has one of them wrong. */
export interface Transitions {
  readonly begin: typeof begin<string>
  readonly complete: typeof complete<string>
  readonly release: typeof release<string>
  readonly renew: typeof renew<string>
}

export const transitions: Transitions = { begin, complete, release, renew }

/** A turn that was given, and until when its owner may believe to have it. */
export interface Turn {
  readonly fence: number
  readonly body: Body
  readonly answer: string
  believedUntilMs: number
}

/** One step as it was taken; `said` is what the record answered. */
export interface TakenStep {
  readonly step: Step
  readonly nowMs: number
  readonly before: KeptRecord
  readonly after: KeptRecord
  readonly turn: Turn | undefined
  readonly said: Begun<string> | SettleResult | undefined
  /** What committed with it: charges and events of the write. */
  readonly charges: number
  readonly events: number
  /** The turns whose owners believe, after it, that they have a lease. */
  readonly live: number
}

export const startMs = 1_767_225_600_000

/** Plays a history on one key. */
export const play = (history: History, of: Transitions): ReadonlyArray<TakenStep> => {
  const world: World = { record: absent, nowMs: startMs, turns: [] }
  return history.map((step) => {
    const before = world.record
    const { said, turn } = move(world, step, of)
    const { nowMs, record } = world
    const live = world.turns.filter(({ believedUntilMs }) => nowMs < believedUntilMs).length
    const count = said === "settled" && step._tag === "Act" && step.act === "complete" ? 1 : 0
    return { step, nowMs, before, after: record, turn, said, charges: count, events: count, live }
  })
}

interface World {
  record: KeptRecord
  nowMs: number
  readonly turns: Array<Turn>
}

const nothing = { said: undefined, turn: undefined }

const move = (world: World, step: Step, of: Transitions): Pick<TakenStep, "said" | "turn"> => {
  const { record, nowMs, turns } = world
  switch (step._tag) {
    case "Wait":
      world.nowMs += step.ms
      return nothing
    case "Edge":
      world.nowMs = Math.max(nowMs, (endOf(record) ?? nowMs) + step.beyondMs)
      return nothing
    case "Crash":
      turns.splice(Math.max(0, turns.length - 1 - step.which), 1)
      return nothing
    case "Begin": {
      const [said, next] = of.begin(record, { fingerprint: step.body, nowMs })
      world.record = next
      if (said._tag !== "Execute") return { said, turn: undefined }
      const answer = `answer of ${said.fence}`
      const turn = { fence: said.fence, body: step.body, answer, believedUntilMs: nowMs + leaseMs }
      turns.push(turn)
      return { said, turn }
    }
    case "Act": {
      const turn = turns.at(-1 - step.which)
      if (turn === undefined) return nothing
      const [said, next] = of[step.act](record, { ...turn, nowMs })
      world.record = next
      if (said === "settled") turn.believedUntilMs = step.act === "renew" ? nowMs + leaseMs : 0
      return { said, turn }
    }
  }
}

const endOf = (record: KeptRecord): number | undefined => {
  switch (record._tag) {
    case "Absent":
      return undefined
    case "Running":
      return record.leaseUntilMs
    case "Done":
      return record.expiresAtMs
  }
}
