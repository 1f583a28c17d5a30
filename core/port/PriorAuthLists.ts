import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PriorAuthAmong } from "../coverage/priorAuth/rules.ts"
import type { PriorAuthContents } from "../coverage/PriorAuthRule.ts"
import type { IsoDate } from "../coverage/date.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class PriorAuthListsUnavailable extends Schema.TaggedError<PriorAuthListsUnavailable>()(
  "PriorAuthListsUnavailable",
  { fault: StoreFault }
) {}

/** What saving a list did. */
export type SavedList =
  | { readonly _tag: "Saved" }
  /** The very file that is kept. */
  | { readonly _tag: "Unchanged" }
  /** One of a later day is kept, and stays. */
  | { readonly _tag: "Older"; readonly knownAsOf: IsoDate }

/**
 * Prior authorization lists, one a program (coverage-domain §2.1, rule 11).
 *
 * 1. `among` is the kernel's `rulesAmong` of the lists that are kept.
 * 2. `save` replaces the program's list whole, if its day is the same or later; other programs stay. However
 *    saves race, the list of the latest day is kept, and never parts of two.
 * 3. What was saved shows at once in its process, and within a second in every other; it makes the library's
 *    generation grow (Snapshots, 8).
 * 4. An unavailable store fails with PriorAuthListsUnavailable.
 */
export class PriorAuthLists extends Context.Service<
  PriorAuthLists,
  {
    readonly among: (query: {
      readonly codes: ReadonlyArray<string>
    }) => Effect.Effect<PriorAuthAmong, PriorAuthListsUnavailable>
    readonly save: (input: {
      /** SHA-256 (hex) of the file. */
      readonly snapshotId: string
      readonly contents: PriorAuthContents
    }) => Effect.Effect<SavedList, PriorAuthListsUnavailable>
  }
>()("coverage/core/port/PriorAuthLists") {}
