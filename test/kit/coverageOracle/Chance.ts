/** Draws from one seed; the same seed draws the same values. */
export interface Chance {
  readonly happens: (probability: number) => boolean
  /** A whole number, both ends included. */
  readonly between: (least: number, most: number) => number
  readonly pick: <A>(from: ReadonlyArray<A>) => A
  /** So many different members, in any order. */
  readonly some: <A>(from: ReadonlyArray<A>, least: number, most: number) => ReadonlyArray<A>
  readonly shuffle: <A>(from: ReadonlyArray<A>) => ReadonlyArray<A>
}

/**
 * Mulberry32: a case is then a number in a failure's message. Arbitraries of fast-check would shrink it, and
 * take ten times as long for values as deep as these.
 */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const shuffle = <A>(from: ReadonlyArray<A>): ReadonlyArray<A> => {
    const left = [...from]
    return from.flatMap(() => left.splice(between(0, left.length - 1), 1))
  }
  return {
    happens: (probability) => next() < probability,
    between,
    pick: (from) => {
      const picked = from[between(0, from.length - 1)]
      if (picked === undefined) throw new Error("nothing to pick from")
      return picked
    },
    some: (from, least, most) => shuffle(from).slice(0, between(least, Math.min(most, from.length))),
    shuffle
  }
}
