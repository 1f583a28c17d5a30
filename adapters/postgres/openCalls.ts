import { randomUUID } from "node:crypto"
import type * as Exit from "effect/Exit"
import type { ChargeDecision } from "../../core/organization/credit.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Charge, LedgerUnavailable } from "../../core/port/Ledger.ts"

/**
 * A statement that was given up may still commit: until its server cut it off, and it was not asked for
 * longer.
 */
const settledAfterMs = 30_000

/** More refunds than a process has calls in flight: beyond, the store was unavailable and charged nothing. */
export const dueMax = 10_000

/** A charge that may be there and whose call has not answered. */
export interface OpenCall {
  readonly organizationId: OrganizationId
  readonly requestId: string
}

/** What of a process goes into its row (docs/decisions/0012): its calls that are charged and not answered. */
export interface Listing {
  readonly sessionId: string
  readonly version: number
  readonly open: string
}

interface Entry extends OpenCall {
  readonly line: string
  /** When it is surely known whether there is a charge to give back; undefined: its call still runs. */
  dueMs: number | undefined
}

/** The calls of this process between their charge and their answer. */
export const openCalls = () => {
  const sessionId = randomUUID()
  const entries = byRequestId<Entry>()
  let version = 0
  let listed = true
  let due = 0

  const close = (requestId: string): void => {
    const entry = entries.get(requestId)
    if (entry === undefined) return
    if (entry.dueMs !== undefined) due -= 1
    entries.remove(requestId)
    listed = false
  }

  const postpone = (requestId: string, dueMs: number): void => {
    const entry = entries.get(requestId)
    if (entry === undefined) return
    if (entry.dueMs === undefined) {
      if (due >= dueMax) return close(requestId)
      due += 1
    }
    entry.dueMs = dueMs
  }

  /** The row as it should be now. */
  const list = (): Listing => {
    version += 1
    listed = true
    let open = ""
    entries.forEach(({ line }) => {
      open += line
    })
    return { sessionId, version, open }
  }

  return {
    sessionId,
    list,
    /** Whether the row says something else, and whether there is anything to say. */
    state: () => ({ listed, known: version > 0, open: entries.size() }),
    /** What was listed did not arrive. */
    unlisted: (): void => {
      listed = false
    },
    /** Before a charge is asked for: from then on it may be there. */
    enter: ({ organizationId, requestId }: OpenCall): void => {
      const line = `${organizationId} ${requestId}\n`
      close(requestId)
      entries.add({ organizationId, requestId, line, dueMs: undefined })
    },
    /** What the charge came to; where nobody knows, it is given back as if its refund had failed. */
    charged: ({ requestId }: Charge, exit: Exit.Exit<ChargeDecision, LedgerUnavailable>): void => {
      switch (outcomeOf(exit)) {
        case "charged":
          return
        case "nothing":
          return close(requestId)
        case "unknown":
          return postpone(requestId, performance.now() + settledAfterMs)
      }
    },
    /** Answered or given back. */
    close,
    /** Its refund failed, and is to be tried again. */
    postpone: (requestId: string): void => postpone(requestId, 0),
    due: (): ReadonlyArray<OpenCall> => {
      const all: Array<OpenCall> = []
      entries.forEach((entry) => {
        if (entry.dueMs !== undefined) all.push(entry)
      })
      return all
    },
    /** The store was asked to give it back: over, unless its charge may still come. */
    asked: (requestId: string, refunded: boolean): void => {
      if (refunded || (entries.get(requestId)?.dueMs ?? 0) <= performance.now()) close(requestId)
    }
  }
}

export type OpenCalls = ReturnType<typeof openCalls>

/** What a row lists. */
export const readOpen = (open: string): ReadonlyArray<OpenCall> =>
  open
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [organizationId = "", requestId = ""] = line.split(" ")
      return { organizationId: organizationId as OrganizationId, requestId }
    })

const outcomeOf = (exit: Exit.Exit<ChargeDecision, LedgerUnavailable>): "charged" | "nothing" | "unknown" => {
  if (exit._tag === "Success") return exit.value._tag === "Charged" ? "charged" : "nothing"
  const told = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  return told?.error.fault === "unreachable" || told?.error.fault === "refused" ? "nothing" : "unknown"
}

/** Of a request id's random end, so many characters tell its bucket. */
const characters = 2
const bucketBits = 8

/**
 * Calls in flight by their request ids, which come and go with every call. It stands where a Map would, whose
 * tables V8 makes anew every few departures, each old one keeping what came after it (core/call/deadline.ts):
 * with a Map a call costs Node 1.14 of its CPU (docs/performance.md).
 */
export const byRequestId = <Item extends { readonly requestId: string }>() => {
  const buckets: ReadonlyArray<Array<Item>> = Array.from({ length: 1 << bucketBits }, () => [])
  let size = 0
  const bucketOf = (requestId: string): Array<Item> => {
    let bits = 0
    for (let at = requestId.length - characters; at < requestId.length; at++)
      bits = (bits << (bucketBits / characters)) ^ requestId.charCodeAt(at)
    return buckets[bits & (buckets.length - 1)] ?? []
  }
  const indexIn = (bucket: ReadonlyArray<Item>, requestId: string): number =>
    bucket.findIndex((item) => item.requestId === requestId)
  return {
    size: () => size,
    get: (requestId: string): Item | undefined => {
      const bucket = bucketOf(requestId)
      return bucket[indexIn(bucket, requestId)]
    },
    /** To be called once for an id that is there. */
    add: (item: Item): void => {
      bucketOf(item.requestId).push(item)
      size += 1
    },
    remove: (requestId: string): void => {
      const bucket = bucketOf(requestId)
      const index = indexIn(bucket, requestId)
      if (index === -1) return
      const last = bucket.pop()
      if (last !== undefined && index < bucket.length) bucket[index] = last
      size -= 1
    },
    forEach: (visit: (item: Item) => void): void => {
      for (const bucket of buckets) for (const item of bucket) visit(item)
    }
  }
}
