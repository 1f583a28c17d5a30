import type { IsoDate } from "./date.ts"
import { dayAfter, dayBefore } from "./date.ts"
import type { PolicyStatus } from "./Policy.ts"

/** What a reading needs to know of a version. */
export interface DatedVersion {
  readonly version: number
  /** The document's own flag. */
  readonly status: PolicyStatus
  readonly effectiveDate: IsoDate | null
  readonly retireDate: IsoDate | null
}

/** The version that answers for a date, and where it stands on that date. */
export interface VersionOnDate<V extends DatedVersion> {
  readonly version: V
  readonly status: PolicyStatus
}

/** A closed run of days on which one version is in force; null: from the beginning, or without end. */
export interface InForce<V extends DatedVersion> {
  readonly version: V
  readonly from: IsoDate | null
  readonly until: IsoDate | null
}

/**
 * The statuses of a version in force: a list of what is active shows them all (contract §2, GET /policies).
 */
export const inForceStatuses: ReadonlyArray<PolicyStatus> = ["active", "unknown"]

export const isInForce = (status: PolicyStatus): boolean => inForceStatuses.includes(status)

/**
 * The version in force on the date: among those that are not proposed and whose days hold the date, the one
 * with the greatest (effective date, version) (coverage-domain §2). Where none is in force: the latest that
 * has ended, else the nearest to come, else one that never was in force (retired), else a proposed one.
 * Undefined only without versions.
 *
 * A version's days end where it says, and also where a later version says that the policy ended: an edition
 * kept before the retirement was known must not outlive it. A document flagged retired that names no last day
 * (28 of the real NCDs) is in force on no day and ends its predecessors the day before its own effective
 * date. A version of unknown status is in force as far as its dates say, and is read as `unknown`.
 */
export const readingOn = <V extends DatedVersion>(
  versions: ReadonlyArray<V>,
  date: IsoDate
): VersionOnDate<V> | undefined => {
  const spans = closed(versions)
  const active = greatest(spans.filter((span) => holds(span, date)))
  if (active !== undefined) {
    const { version } = active
    return { version, status: version.status === "unknown" ? "unknown" : "active" }
  }
  const ended = greatest(spans.filter((span) => startsBy(span, date)))
  if (ended !== undefined) return { version: ended.version, status: "retired" }
  const future = nearest(spans.filter((span) => !span.empty))
  if (future !== undefined) return { version: future.version, status: "future" }
  const never = greatest(spans)
  if (never !== undefined) return { version: never.version, status: "retired" }
  const proposed = newest(versions)
  return proposed === undefined ? undefined : { version: proposed, status: "proposed" }
}

/**
 * The same as intervals: every day on which a version is in force lies in exactly one of them, oldest first.
 * A store keeps these to answer `readingOn` by an index.
 */
export const timeline = <V extends DatedVersion>(versions: ReadonlyArray<V>): ReadonlyArray<InForce<V>> => {
  const spans = closed(versions)
  const edges: ReadonlyArray<IsoDate | null> = [null, ...boundaries(spans)]
  return edges
    .flatMap((from, index) => {
      const next = edges[index + 1]
      const until = next === undefined || next === null ? null : (dayBefore(next) ?? null)
      const active = greatest(spans.filter((span) => holds(span, from ?? until ?? beginning)))
      return active === undefined ? [] : [{ version: active.version, from, until }]
    })
    .reduce<ReadonlyArray<InForce<V>>>(joined, [])
}

/** The days on which something may change, in order. */
const boundaries = (spans: ReadonlyArray<Span<DatedVersion>>): ReadonlyArray<IsoDate> => {
  const days = spans
    .filter((span) => !span.empty)
    .flatMap((span) => [span.from, span.until === null ? null : dayAfter(span.until)])
    .filter((day) => day !== null && day !== undefined)
  return [...new Set(days)].toSorted()
}

interface Span<V extends DatedVersion> extends InForce<V> {
  /** No day belongs to it. */
  readonly empty: boolean
}

/** Before any day that a source can name; what ends here was never in force. */
const beginning = "0000-01-01" as IsoDate
const secondDay = "0000-01-02" as IsoDate

/** Every version that decides, newest first, with the days that it and later ones leave it. */
const closed = <V extends DatedVersion>(versions: ReadonlyArray<V>): ReadonlyArray<Span<V>> => {
  const decided = versions
    .filter((version) => version.status !== "proposed")
    .toSorted((a, b) => b.version - a.version)
  let cap: IsoDate | null = null
  return decided.map((version) => {
    const own = lastDay(version)
    const until = earlier(own === "never" ? null : own, cap)
    const from = version.effectiveDate
    cap = earlier(own === "never" ? before(from) : own, cap)
    const empty = own === "never" || (until !== null && until < (from ?? secondDay))
    return { version, from, until, empty }
  })
}

const lastDay = (version: DatedVersion): IsoDate | null | "never" =>
  version.status === "retired" && version.retireDate === null ? "never" : version.retireDate

const before = (day: IsoDate | null): IsoDate => (day === null ? undefined : dayBefore(day)) ?? beginning

const earlier = (a: IsoDate | null, b: IsoDate | null): IsoDate | null =>
  a === null ? b : b === null ? a : a < b ? a : b

const startsBy = (span: InForce<DatedVersion>, date: IsoDate): boolean =>
  span.from === null || span.from <= date

const holds = (span: Span<DatedVersion>, date: IsoDate): boolean =>
  !span.empty && startsBy(span, date) && (span.until === null || date <= span.until)

/** The last to begin. Spans come newest version first, so that of several on one day the newest stays. */
const greatest = <S extends InForce<DatedVersion>>(spans: ReadonlyArray<S>): S | undefined =>
  spans.reduce<S | undefined>(
    (best, span) => (best === undefined || first(span) > first(best) ? span : best),
    undefined
  )

/** The first to begin; of several on one day the newest version, as above. */
const nearest = <S extends InForce<DatedVersion>>(spans: ReadonlyArray<S>): S | undefined =>
  spans.reduce<S | undefined>(
    (best, span) => (best === undefined || first(span) < first(best) ? span : best),
    undefined
  )

/** The first day as text; no beginning sorts before every day. */
const first = (span: InForce<DatedVersion>): string => span.from ?? ""

const newest = <V extends DatedVersion>(versions: ReadonlyArray<V>): V | undefined =>
  versions.toSorted((a, b) => b.version - a.version)[0]

const joined = <V extends DatedVersion>(
  kept: ReadonlyArray<InForce<V>>,
  next: InForce<V>
): ReadonlyArray<InForce<V>> => {
  const last = kept.at(-1)
  const touches = last?.version === next.version && last.until !== null && dayAfter(last.until) === next.from
  return touches ? [...kept.slice(0, -1), { ...last, until: next.until }] : [...kept, next]
}
