/** A lease outlives the 10 s deadline of every call, so that only a process that died lets one run out. */
export const leaseMs = 15_000

/** A refused call may try again after a second: nobody knows when a call in flight ends (contract §1). */
export const slotRetryMs = 1_000

/** One call in flight, by its request id; it ends at `expiresMs` even if its process never says so. */
export interface Lease {
  readonly requestId: string
  readonly expiresMs: number
}

/** What is asked: the instant, the call, and how many may be in flight. */
export interface SlotAsk {
  readonly nowMs: number
  readonly requestId: string
  readonly concurrent: number
}

/** The leases with the call's own added, or undefined when all slots are taken (RATE_CONCURRENT_EXCEEDED). */
export const occupy = (leases: readonly Lease[], ask: SlotAsk): readonly Lease[] | undefined => {
  const live = leases.filter((lease) => lease.expiresMs > ask.nowMs)
  if (live.length >= ask.concurrent) return undefined
  return [...vacate(live, ask.requestId), { requestId: ask.requestId, expiresMs: ask.nowMs + leaseMs }]
}

/** A lease that is not there changes nothing, so a slot is given back once however often it is said. */
export const vacate = (leases: readonly Lease[], requestId: string): readonly Lease[] =>
  leases.filter((lease) => lease.requestId !== requestId)
