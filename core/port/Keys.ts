import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IsoTime } from "../coverage/date.ts"
import type { ReleaseAssignment, Retirement } from "../key/change.ts"
import type { KeyAction, KeyHash, KeyHolder, KeyId, KeyRecord } from "../key/state.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { ReleaseId } from "../release/ReleaseId.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class KeysUnavailable extends Schema.TaggedError<KeysUnavailable>()("KeysUnavailable", {
  fault: StoreFault
}) {}

/**
 * API keys by their hash (§2.5, §3.2).
 *
 * 1. An issued key is found by its hash, with its organization's pack, for good: revoked and expired rows
 *    are kept.
 * 2. `change` folds the kernel's `keyTransitions`; an unknown id is undefined.
 * 3. A hash is issued once: issuing it again is `taken`.
 * 4. The next `find` through the same layer sees a change, and every `find` of any process within a second;
 *    without a cache, every `find` sees it at once.
 * 5. `assign` folds the kernel's `assignRelease`; an unknown id is undefined. Seen like a change.
 * 6. `retire` folds the kernel's `retireKey`; an unknown id is undefined. Seen like a change. Of
 *    concurrent calls that set the same end, exactly one returns `isNews`.
 * 7. A test key is an organization of its own (key/testKey.ts) with the Scale pack; it needs no other.
 */
export class Keys extends Context.Service<
  Keys,
  {
    readonly find: (hash: KeyHash) => Effect.Effect<KeyHolder | undefined, KeysUnavailable>
    readonly issue: (key: KeyRecord) => Effect.Effect<"issued" | "taken" | "no_organization", KeysUnavailable>
    readonly change: (input: {
      readonly keyId: KeyId
      readonly action: KeyAction
      readonly reason: string | null
    }) => Effect.Effect<KeyRecord | undefined, KeysUnavailable>
    readonly assign: (input: {
      readonly keyId: KeyId
      readonly releaseId: ReleaseId
    }) => Effect.Effect<ReleaseAssignment | undefined, KeysUnavailable>
    readonly retire: (input: {
      readonly keyId: KeyId
      readonly until: IsoTime
    }) => Effect.Effect<Retirement | undefined, KeysUnavailable>
    readonly list: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<KeyRecord>, KeysUnavailable>
  }
>()("coverage/core/port/Keys") {}
