import { renewalAfter } from "../organization/renewal.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { KeyHash, KeyHolder } from "./state.ts"

/** A key is read afresh after this long even if nothing was heard of it: a second line behind the changes. */
export const holderMsMax = 30_000

/**
 * A hash that nobody had is asked for again after a second, since it costs little and the key may be issued.
 */
export const missMsMax = 1_000

/**
 * How long after the last heartbeat was sent the cache is still believed. Half of the second within which a
 * revocation takes effect (contract §1, Keys); the other half is for the calls that are under way.
 */
export const heartbeatMsMax = 500

/** About 100 MB of keys when full; keys beyond these are read from the store. */
export const holdersMax = 100_000

/** Misses come from strangers, so they have a place of their own and push out no key. */
export const missesMax = 10_000

/** What happened to keys somewhere, as every process is told. */
export type KeyChange =
  | { readonly _tag: "Key"; readonly hash: KeyHash }
  | { readonly _tag: "Organization"; readonly organizationId: OrganizationId }
  /** News that cannot be read might concern any key. */
  | { readonly _tag: "Everything" }

/** A read of the store whose answer may be kept: what the cache knew and what time it was when it began. */
export interface StoreRead {
  /** How many changes the cache had heard of. */
  readonly generation: number
  /** By the process's own steady clock, ms. */
  readonly beganMs: number
  /** Unix ms. */
  readonly wallMs: number
}

/** The decisions of a key cache (contract §1, Keys). Clocks are steady and of one process, in ms. */
export const cacheRules = {
  /**
   * A heartbeat is heard after every change that was committed before it was sent, so a cache that heard one
   * sent less than half a second ago knows all that is older than that. Otherwise every call asks the store.
   */
  isTrusted: ({ heartbeatMs, nowMs }: { readonly heartbeatMs: number; readonly nowMs: number }): boolean =>
    nowMs - heartbeatMs < heartbeatMsMax,

  /**
   * The answer to a read is kept, and shared with calls that came later, only if no change was heard since it
   * began: it may have been read just before that change.
   */
  isCurrent: (
    reading: Pick<StoreRead, "generation">,
    { generation }: { readonly generation: number }
  ): boolean => reading.generation === generation,

  /** Until when an answer is kept; the pack it names may be another after the next renewal. */
  keptUntilMs: (holder: KeyHolder | undefined, { beganMs, wallMs }: StoreRead): number =>
    beganMs + (holder === undefined ? missMsMax : Math.min(holderMsMax, renewalAfter(wallMs) - wallMs)),

  isFresh: ({ untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number }): boolean =>
    nowMs < untilMs
} as const

export type CacheRules = typeof cacheRules
