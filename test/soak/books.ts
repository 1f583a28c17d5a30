import type { Customer } from "../http/harness.ts"
import type { CallResult } from "../faults/calling.ts"

/** A call that was made: what it would cost, and what its caller was told; status 0: no answer came. */
export interface MadeCall {
  readonly organization: number
  readonly cost: number
  readonly isKeyed: boolean
  readonly result: CallResult
}

/** What an organization's ledger may come to, by what its callers were told. */
export interface Bounds {
  /** What was acknowledged, each keyed write once. */
  readonly least: number
  /** With the reads that no answer came to: who disconnects pays as if answered (contract §1). */
  readonly most: number
}

/** Every keyed write was repeated until it was acknowledged, so its last answer is the one that counts. */
export const boundsOf = (calls: ReadonlyArray<MadeCall>, organization: number): Bounds => {
  const own = calls.filter((one) => one.organization === organization)
  const acknowledged = own.filter(({ result: { status } }) => status >= 200 && status < 300)
  const open = own.filter(
    ({ isKeyed, result: { failure, status } }) => !isKeyed && status === 0 && failure !== "ECONNREFUSED"
  )
  const sum = (all: ReadonlyArray<MadeCall>): number => all.reduce((total, { cost }) => total + cost, 0)
  return { least: sum(acknowledged), most: sum(acknowledged) + sum(open) }
}

/** Chance that can be had again: a seed's numbers, from 0 up to 1. */
export const chance = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of them, by chance. */
export const oneOf = <Item>(items: ReadonlyArray<Item>, draw: () => number): Item =>
  items[Math.floor(draw() * items.length)] as Item

export const keyOf = (customers: ReadonlyArray<Customer>, organization: number): string =>
  customers[organization]?.key ?? ""
