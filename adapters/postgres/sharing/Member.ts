import type * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import type { StoreFault } from "../../../core/port/StoreFault.ts"
import type { Finish } from "../finishWrite.ts"

/** A write that would share a transaction. */
export interface Member {
  /**
   * Whose rows it changes. Two writes of one subject never share: what one changes the other must wait for.
   */
  readonly subject: string
  /**
   * Begins its work on the connection, and answers when its first statement is on its way. What the work came
   * to is told once; undefined: anything but an answer to keep.
   */
  readonly begin: (connection: Connection, told: (finish: Finish | undefined) => void) => Effect.Effect<void>
  readonly end: (ending: Ending) => void
}

/** What became of a member of a shared transaction. */
export type Shared =
  | { readonly _tag: "Committed"; readonly available: number | undefined }
  /** Nothing of it is left. */
  | { readonly _tag: "RolledBack" }
  /** COMMIT was sent and not answered well. */
  | { readonly _tag: "Failed"; readonly fault: StoreFault; readonly available: number | undefined }

/** What a member is told. */
export type Ending =
  | Exclude<Shared, { readonly _tag: "RolledBack" }>
  /** It is to run in a transaction of its own, and to say when that is over. */
  | { readonly _tag: "Alone"; readonly done: () => void }
