import type { CodeGroup, CodeGroupEntry } from "../Policy.ts"
import { readOnce } from "./readOnce.ts"

/**
 * The entries of a group whose codes are wanted, by code. Real groups hold thousands of codes in order, and a
 * question names a few: they are looked up by halving. A group that is not in order is read through, so that
 * order decides nothing but the time.
 */
export const entriesAmong = (
  group: CodeGroup,
  wanted: ReadonlyArray<string>
): ReadonlyArray<CodeGroupEntry> => {
  const { codes } = group
  if (wanted.length === 0) return []
  if (codes.length < halvingMin || !isOrdered(codes)) {
    return codes
      .filter((entry) => wanted.includes(entry.code))
      .toSorted((a, b) =>
        a.code === b.code ? Number(a.asterisk) - Number(b.asterisk) : a.code < b.code ? -1 : 1
      )
  }
  return wanted.toSorted().flatMap((code) => lookedUp(codes, code) ?? [])
}

/** Below this, reading through is as fast. */
const halvingMin = 64

const isOrdered = readOnce((codes: CodeGroup["codes"]): boolean =>
  codes.every((entry, index) => index === 0 || (codes[index - 1]?.code ?? "") < entry.code)
)

const lookedUp = (codes: CodeGroup["codes"], code: string): CodeGroupEntry | undefined => {
  let [low, high] = [0, codes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((codes[middle]?.code ?? "") < code) low = middle + 1
    else high = middle
  }
  const entry = codes[low]
  return entry?.code === code ? entry : undefined
}
