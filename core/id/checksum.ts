/** Crockford's base32 in lower case: no i, l, o, u. A character's index is its value in GF(32). */
export const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** x^5 + x^2 + 1 */
const fieldPolynomial = 0b100101

/** What a test key's parity is XORed with. */
const testMask = [1, 14, 29, 10] as const

const powers: ReadonlyArray<number> = Array.from({ length: 30 }).reduce<ReadonlyArray<number>>(
  (known) => {
    const doubled = (known.at(-1) ?? 1) << 1
    return [...known, doubled & 32 ? doubled ^ fieldPolynomial : doubled]
  },
  [1]
)

const logarithms = new Map(powers.map((value, exponent) => [value, exponent]))

const multiply = (a: number, b: number): number => {
  const [left, right] = [logarithms.get(a), logarithms.get(b)]
  return left === undefined || right === undefined ? 0 : (powers[(left + right) % 31] ?? 0)
}

/** The product of (x - α^i) for i = 1..4, high power first, without its leading 1. */
const generator: ReadonlyArray<number> = [1, 2, 3, 4]
  .reduce<ReadonlyArray<number>>(
    (product, exponent) => {
      const root = powers[exponent] ?? 0
      const shifted = [...product, 0]
      return shifted.map(
        (coefficient, index) => coefficient ^ multiply(root, index === 0 ? 0 : (product[index - 1] ?? 0))
      )
    },
    [1]
  )
  .slice(1)

const parity = (values: ReadonlyArray<number>): ReadonlyArray<number> =>
  values.reduce<ReadonlyArray<number>>(
    (register, value) => {
      const feedback = value ^ (register[0] ?? 0)
      return generator.map(
        (coefficient, index) => (register[index + 1] ?? 0) ^ multiply(feedback, coefficient)
      )
    },
    [0, 0, 0, 0]
  )

/**
 * The four checksum characters of 27 characters of the alphabet (contract §1, Keys): the Reed–Solomon (31,27)
 * parity over GF(32), with the mode folded in. Its distance is 5, so every change of up to four characters,
 * any swap and any live/test mix-up is refused before any I/O.
 */
export const checksum = (input: { readonly mode: "live" | "test"; readonly random: string }): string =>
  parity([...input.random].map((character) => alphabet.indexOf(character)))
    .map((value, index) => alphabet[input.mode === "test" ? value ^ (testMask[index] ?? 0) : value])
    .join("")
