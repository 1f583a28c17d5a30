import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KeptNotice } from "../notice/Notice.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class LettersUnavailable extends Schema.TaggedError<LettersUnavailable>()("LettersUnavailable", {
  fault: StoreFault
}) {}

/** Letters in one hand at once. */
export const lettersMax = 50

/**
 * Whoever takes a letter has so long to send it before it is another's: fifty letters, five at a time, to a
 * server that hangs for ten seconds each take less than two minutes.
 */
export const letterHeldMs = 5 * 60_000

/** A letter that is due, in the hand of whoever took it. */
export interface DueLetter {
  readonly letterId: number
  /** How often it was taken, this time included. */
  readonly attempts: number
  readonly to: string
  readonly notice: KeptNotice
}

/**
 * The letters of notices, until they are sent.
 *
 * 1. `take` gives up to `lettersMax` letters that are due, each to one hand alone, however many take at once,
 *    for `letterHeldMs`; one that is not settled by then is due again.
 * 2. A letter to somebody who no longer owns or administers the organization is never given.
 * 3. `settle` ends a letter, or has it due again at a time; a hand that held it too long changes nothing.
 * 4. Letters wait in the store: a process that goes loses none.
 * 5. A store that is away fails with LettersUnavailable.
 */
export class Letters extends Context.Service<
  Letters,
  {
    readonly take: (nowMs: number) => Effect.Effect<ReadonlyArray<DueLetter>, LettersUnavailable>
    readonly settle: (letter: {
      readonly letterId: number
      readonly attempts: number
      /** Null: it was sent, or is given up. */
      readonly againAtMs: number | null
    }) => Effect.Effect<void, LettersUnavailable>
  }
>()("coverage/core/port/Letters") {}
