import { median } from "./load.ts"
import { measure } from "./measure.ts"
import type { Round, Sample } from "./measure.ts"
import { say } from "./say.ts"
import { rounds, warmingMs } from "./sizes.ts"

/** One load of two servers. */
export interface Pair {
  readonly ours: Round
  readonly other: Round
}

/** The rounds of both, in pairs. */
export interface Pairs {
  readonly ours: ReadonlyArray<Sample>
  readonly other: ReadonlyArray<Sample>
}

/**
 * Alternates short rounds of two servers that have been warmed. A noisy machine is noisy for both rounds of a
 * pair, so each pair is a ratio of its own; which of them is first alternates too.
 */
export const compare = async (pair: Pair): Promise<Pairs> => {
  await measure({ ...pair.other, durationMs: warmingMs })
  await measure({ ...pair.ours, durationMs: warmingMs })
  return alternate({ ours: () => measure(pair.ours), other: () => measure(pair.other) })
}

/** The rounds of two measurements, the first of which alternates. */
export const alternate = async (measurements: {
  readonly ours: () => Promise<Sample>
  readonly other: () => Promise<Sample>
}): Promise<Pairs> => {
  const [ours, other]: [Array<Sample>, Array<Sample>] = [[], []]
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) other.push(await measurements.other())
    ours.push(await measurements.ours())
    if (round % 2 === 1) other.push(await measurements.other())
  }
  return { ours, other }
}

/** A bar, and whether a figure meets it. */
export interface Bar {
  readonly atLeast?: number
  readonly atMost?: number
}

export const judge = (figure: number, { atLeast, atMost }: Bar): string => {
  if (atLeast === undefined && atMost === undefined) return ""
  const isMet = figure >= (atLeast ?? figure) && figure <= (atMost ?? figure)
  return ` [bar ${atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`}: ${isMet ? "met" : "MISSED"}]`
}

/** The median of the pairs' ratios of a figure, with the lowest and the highest. */
export const ratio = ({ ours, other }: Pairs, figure: (sample: Sample) => number, bar: Bar = {}): string => {
  const ratios = ours.map((sample, index) => figure(sample) / figure(other[index] ?? sample))
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)]
  const middle = median(ratios)
  return `${middle.toFixed(2)}x (${low.toFixed(2)} to ${high.toFixed(2)})${judge(middle, bar)}`
}

/** Medians of all that was measured of one server. */
export const figuresOf = (samples: ReadonlyArray<Sample>): string => {
  const of = (figure: (sample: Sample) => number) => median(samples.map(figure))
  const ms = (microseconds: number) => (microseconds / 1_000).toFixed(2)
  const wrong = samples.reduce((sum, { outcome }) => sum + outcome.wrong, 0)
  return (
    `${of(({ callsPerSecond }) => callsPerSecond).toFixed(0)}/s, µs Node/PostgreSQL/Redis ` +
    `${of(({ node }) => node).toFixed(0)}/${of(({ postgres }) => postgres).toFixed(0)}/` +
    `${of(({ redis }) => redis).toFixed(0)}, p50 ${ms(of(({ outcome }) => outcome.p50Microseconds))} ` +
    `p99 ${ms(of(({ outcome }) => outcome.p99Microseconds))} ms, ${wrong} not 2xx`
  )
}

/** One line of requests per second against another server, and all figures of both. */
export const sayPairs = (what: string, { pairs, bar, of }: { pairs: Pairs; bar?: Bar; of: string }): void =>
  say(
    `${what}: ${ratio(pairs, ({ callsPerSecond }) => callsPerSecond, bar)} ${of}\n` +
      `    ours  ${figuresOf(pairs.ours)}\n    other ${figuresOf(pairs.other)}`
  )
