import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { DayUnknown } from "../../core/limit/acquire.ts"
import type { LimitDecision } from "../../core/limit/policy.ts"
import { runs } from "./runs.ts"

/** An answer in a word: admitted, what refused, or unknown. */
export const wordOf = (said: LimitDecision | DayUnknown): string => {
  switch (said._tag) {
    case "Admitted":
      return "admitted"
    case "Refused":
      return said.by
    case "DayUnknown":
      return "unknown"
  }
}

/** A property over effects that keeps fast-check's shrinking. Long histories may be fewer. */
export const property = <A, R>(
  arbitrary: fc.Arbitrary<A>,
  check: (value: A) => Effect.Effect<void, unknown, R>,
  histories = 150
) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.tryPromise({
      try: () =>
        fc.assert(
          fc.asyncProperty(arbitrary, (value) => Effect.runPromiseWith(context)(check(value))),
          {
            numRuns: runs(histories)
          }
        ),
      catch: (error) => new Broken({ why: told(error) })
    })
  )

/** Structural equality as JSON: decisions are plain data. */
export const equal = (said: unknown, wanted: unknown): Effect.Effect<void, Broken> => {
  const [one, other] = [inOrder(said), inOrder(wanted)]
  return one === other ? Effect.void : Effect.fail(new Broken({ why: `said ${one}\nwanted ${other}` }))
}

/** A law that does not hold, with what the adapter said or fast-check's shortest history. */
class Broken extends Data.TaggedError("Broken")<{ readonly why: string }> {
  override get message() {
    return this.why
  }
}

const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => one.localeCompare(other)))
      : inner
  )

/** fast-check tells the history in its message, and what was wrong with it in the cause. */
const told = (error: unknown): string =>
  error instanceof Error ? [error.message, error.cause].filter(Boolean).map(String).join("\n") : String(error)
