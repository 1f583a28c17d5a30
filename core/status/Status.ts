import { components, conditionsOf } from "./condition.ts"
import type { Component, Condition, Conditions, Observation } from "./condition.ts"

/** Since when a component is in its condition, Unix ms, as far as this process saw. */
export type Standings = {
  readonly [Name in Component]: { readonly condition: Conditions[Name]; readonly sinceMs: number }
}

/** What an outage has as its cause; calls are answered as these let them be. */
export type Cause = Exclude<Component, "api">

/** A time in which a cause was not as it should be, Unix ms; it still is while `toMs` is null. */
export interface Outage {
  readonly component: Cause
  readonly condition: "degraded" | "down"
  readonly fromMs: number
  readonly toMs: number | null
}

/** What one process knows of the service since it started: how all stands now, and what went wrong before. */
export interface Status {
  readonly startedMs: number
  readonly seen: Observation
  readonly standings: Standings
  /** Oldest first, at most `outagesMax`. */
  readonly outages: ReadonlyArray<Outage>
}

/** So many outages are kept; beyond them the oldest that ended is forgotten. */
export const outagesMax = 20

/** The status of a process that sees for the first time: what was before, it cannot know. */
export const begin = (first: Observation): Status => {
  const seen = known(first)
  const conditions = conditionsOf(seen)
  return {
    startedMs: seen.atMs,
    seen,
    standings: standingsOf((name) => ({ condition: conditions[name], sinceMs: seen.atMs })),
    outages: causes.flatMap((component) => outageFrom(component, conditions[component], seen.atMs))
  }
}

/**
 * The status after one more observation. A component's condition holds since the observation that first said
 * so. A clock that steps back moves no time before one that was told.
 */
export const observe = (status: Status, next: Observation): Status => {
  const seen = known({ ...next, atMs: Math.max(next.atMs, status.seen.atMs) })
  const conditions = conditionsOf(seen)
  const isSame = (name: Component): boolean => conditions[name] === status.standings[name].condition
  if (components.every(isSame)) return { ...status, seen }
  return {
    startedMs: status.startedMs,
    seen,
    standings: standingsOf((name) =>
      isSame(name) ? status.standings[name] : { condition: conditions[name], sinceMs: seen.atMs }
    ),
    outages: causes
      .filter((cause) => !isSame(cause))
      .reduce(
        (outages: ReadonlyArray<Outage>, cause) =>
          kept([...ended(outages, cause, seen.atMs), ...outageFrom(cause, conditions[cause], seen.atMs)]),
        status.outages
      )
  }
}

const causes = ["database", "limits", "webhooks"] as const satisfies ReadonlyArray<Cause>

/** What is said of a queue in a database that is unavailable was seen before that. */
const known = (seen: Observation): Observation =>
  seen.database.status === "down" ? { ...seen, webhookWaitSeconds: null } : seen

const standingsOf = (
  of: (name: Component) => { readonly condition: Condition; readonly sinceMs: number }
): Standings => Object.fromEntries(components.map((name) => [name, of(name)])) as unknown as Standings

/** Nothing is out that is up, or that nobody could look at. */
const outageFrom = (component: Cause, condition: Condition, fromMs: number): ReadonlyArray<Outage> =>
  condition === "up" || condition === "unknown" ? [] : [{ component, condition, fromMs, toMs: null }]

const ended = (outages: ReadonlyArray<Outage>, cause: Cause, toMs: number): ReadonlyArray<Outage> =>
  outages.map((outage) => (outage.component === cause && outage.toMs === null ? { ...outage, toMs } : outage))

/** At most one more came in than may be kept, and no more outages last than there are causes. */
const kept = (outages: ReadonlyArray<Outage>): ReadonlyArray<Outage> =>
  outages.length <= outagesMax
    ? outages
    : outages.toSpliced(
        outages.findIndex(({ toMs }) => toMs !== null),
        1
      )
