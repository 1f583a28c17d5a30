import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * What takes back the changes of the transaction around an effect, the last one first; undefined: there is
 * none.
 */
export const UndoLog = Context.Reference<Array<() => void> | undefined>("coverage/adapters/memory/Undoing", {
  defaultValue: () => undefined
})

/** What is done once the transaction around an effect has committed; undefined: there is none. */
export const CommitHooks = Context.Reference<Array<Effect.Effect<void>> | undefined>(
  "coverage/adapters/memory/Committing",
  { defaultValue: () => undefined }
)

/** Does what nobody may see before the transaction around it commits, and at once where there is none. */
export const onceCommitted = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(CommitHooks, (committing) =>
    committing === undefined ? effect : Effect.sync(() => void committing.push(effect))
  )

/**
 * Carries a change of the process's own state out, at once, and remembers how to take it back should the
 * transaction around it not commit. Every memory adapter whose verbs may be part of a write changes its state
 * by it.
 */
export const change = <Value>(
  apply: () => { readonly value: Value; readonly undo: () => void }
): Effect.Effect<Value> =>
  Effect.map(UndoLog, (undoing) => {
    const { value, undo } = apply()
    undoing?.push(undo)
    return value
  })
