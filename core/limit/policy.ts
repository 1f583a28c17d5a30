import * as Record from "effect/Record"
import type { Surface } from "../operation/Operation.ts"
import type { PackName } from "../organization/pack.ts"
import { packs, sandboxLimits } from "../organization/pack.ts"

/**
 * The limits in force for a subject: the pack's row, or the sandbox's, halved while the shared store is down.
 */
export interface LimitPolicy {
  /** Cost units in a sliding minute (§8.1). */
  readonly perMinute: number
  /** Cost units in a UTC day; null: no quota (the sandbox). */
  readonly perDay: number | null
  /** Calls in flight. */
  readonly concurrent: number
}

export type LimitKind = "minute" | "day" | "concurrent"

/** What the limits say of a call, with the figures its headers show (§8.2). */
export type LimitDecision =
  | { readonly _tag: "Admitted"; readonly figures: LimitFigures }
  | {
      readonly _tag: "Refused"
      readonly by: LimitKind
      /** At least 1; when the same call becomes possible for a lone client. */
      readonly retryAfterMs: number
      /** How long every such call is refused with these figures, whatever else is called; 0: not at all. */
      readonly standsMs: number
      readonly figures: LimitFigures
    }

/**
 * The figures of the minute; a refusal by the day's quota shows the day's `remaining` and `resetMs` instead.
 */
export interface LimitFigures {
  /** The per-minute limit in force, whichever limit refused: §8.2 defines X-RateLimit-Limit so. */
  readonly limit: number
  /** The day's quota in force; null: none. */
  readonly perDay: number | null
  readonly remaining: number
  /** When the whole limit is free again if nothing more is sent, Unix ms. */
  readonly resetMs: number
  /** The instant of the decision by the clock that decided, Unix ms. */
  readonly atMs: number
}

/**
 * The limits of an organization: its pack's row, and the operator's own bound on calls in flight where it is
 * lower.
 */
export const policyFor = (pack: PackName, concurrentMax: number | null): LimitPolicy => {
  const usual = usualPolicies[pack]
  return concurrentMax === null || concurrentMax >= usual.concurrent
    ? usual
    : { ...usual, concurrent: concurrentMax }
}

/** Made once, since nearly every call asks for one of them. */
const usualPolicies: Readonly<Record<PackName, LimitPolicy>> = Record.map(packs, (row) => ({
  perMinute: row.requestsPerMinute,
  perDay: row.requestsPerDay,
  concurrent: row.concurrentCalls
}))

/** The sandbox gives every test key the same limits, without a quota (§8.1.4); elsewhere the pack decides. */
export const limitPolicyOf = (
  surface: Surface,
  holder: { readonly pack: PackName; readonly concurrentMax: number | null }
): LimitPolicy => (surface === "sandbox" ? sandboxLimits : policyFor(holder.pack, holder.concurrentMax))

/**
 * However many share it, the limit is never below this (§8.1.3): the dearest call costs 8 and must stay
 * possible.
 */
export const degradedPerMinuteMin = 10

/**
 * The limits while the shared store is down (§8.1.3): half a minute's limit, divided among the processes
 * behind one address since each then counts for itself; a limit that is below the least one already stays
 * what it is. The day's quota and the calls in flight keep their bounds.
 */
export const degradedPolicy = (policy: LimitPolicy, nodes: number): LimitPolicy => {
  const half = Math.max(degradedPerMinuteMin, Math.floor(policy.perMinute / 2))
  const share = Math.max(degradedPerMinuteMin, Math.floor(half / nodes))
  return { ...policy, perMinute: Math.min(policy.perMinute, share) }
}
