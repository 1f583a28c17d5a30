import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Policies } from "./Policies.ts"
import type { ClaimEdits } from "./ClaimEdits.ts"
import type { Codes } from "./Codes.ts"
import type { Payers } from "./Payers.ts"
import type { NcdCodes } from "./NcdCodes.ts"
import type { PriorAuthLists } from "./PriorAuthLists.ts"
import type { Reviews } from "./Reviews.ts"
import type { Releases } from "./Releases.ts"
import type { SigningKeysUnavailable } from "./SigningKeys.ts"
import type { Snapshots } from "./Snapshots.ts"

/** The ports that a library answers through; the sandbox has all of them of its own. */
export type LibraryPorts =
  | Policies
  | Codes
  | Payers
  | Payers
  | Policies
  | ClaimEdits
  | PriorAuthLists
  | NcdCodes
  | Reviews
  | Releases
  | Snapshots

/**
 * The library of synthetic fixtures that the sandbox answers from (contract §3).
 *
 * 1. What is built on one UTC day is the same in every process: the same versions, times and ETags.
 * 2. Nothing of it is shared with the live library but the pair that signs its release.
 * 3. Where that pair is not at hand the build fails, and is done by a later call.
 */
export class SandboxLibrary extends Context.Service<
  SandboxLibrary,
  {
    /** Takes a while, so it is asked for when the first call needs it and not at the start. */
    readonly build: Effect.Effect<Context.Context<LibraryPorts>, SigningKeysUnavailable>
  }
>()("coverage/core/port/SandboxLibrary") {}
