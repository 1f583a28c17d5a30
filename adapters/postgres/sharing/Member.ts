import type * as Deferred from "effect/Deferred"
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
  /** Begins its work on the connection, and answers when its first statement is on its way. */
  readonly begin: (connection: Connection) => Effect.Effect<void>
  /** What the work came to; undefined: anything but an answer to keep. */
  readonly worked: Deferred.Deferred<Finish | undefined>
  readonly ended: Deferred.Deferred<Ending>
}

/** What became of a member. */
export type Ending =
  | { readonly _tag: "Committed"; readonly available: number | undefined }
  /** Nothing of it is left: it is to run in a transaction of its own, and to say when it is done. */
  | { readonly _tag: "Alone"; readonly done: () => void }
  /** COMMIT was sent and not answered well. */
  | { readonly _tag: "Failed"; readonly fault: StoreFault; readonly available: number | undefined }
