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
 * 1. What was issued is found by its hash, with its organization's pack, until the end: revoked and expired
 *    rows stay.
 * 2. `change` folds the kernel's `keyTransitions`; an unknown id is undefined.
 * 3. A hash is issued once: issuing it again is `taken`.
 * 4. A change is seen by the next `find` through the same layer, and by every `find` anywhere within a
 *    second; an adapter that remembers nothing shows it to the very next one anywhere.
 * 5. `assign` folds the kernel's `assignRelease`; an unknown id is undefined. It is seen as a change is.
 * 6. `retire` folds the kernel's `retireKey`; an unknown id is undefined. It is seen as a change is. Of many
 *    that give one key one end, one alone is told that it did.
 * 7. A test key that is an organization of its own (key/testKey.ts) needs no other: it has the Scale pack.
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
