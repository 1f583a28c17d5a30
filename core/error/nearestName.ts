/**
 * Returns the known name that an unknown one most likely means, such as `procedure_codes` for
 * `procedureCode` or `codes`; undefined if none is near. Case, `_` and `-` do not count.
 */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceBetween(name, candidate) }))
    .filter(({ distance }) => distance !== undefined)
    .toSorted((one, other) => Number(one.distance) - Number(other.distance))
  return ranked[0]?.candidate
}

/** No known name is longer; the comparison takes the product of both lengths. */
const charactersMax = 64

const folded = (name: string): string =>
  name
    .slice(0, charactersMax)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")

/** Words that both names have tell nothing: `place_of_service` is not near `date_of_service`. */
const distanceBetween = (name: string, candidate: string): number | undefined => {
  const [sought, own] = [wordsOf(name), wordsOf(candidate)]
  const [left, right] = [
    sought.filter((word) => !own.includes(word)),
    own.filter((word) => !sought.includes(word))
  ]
  return left.length === 0 || right.length === 0
    ? distanceOf(folded(name), folded(candidate))
    : distanceOf(left.join(""), right.join(""))
}

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .slice(0, charactersMax)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")

/** Edits between two names; undefined if they are too many for the names to mean the same. */
const distanceOf = (one: string, other: string): number | undefined => {
  if (one === "" || other === "") return undefined
  const edits = editsBetween(one, other)
  if (edits * 3 <= Math.max(one.length, other.length)) return edits
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= containedMin && long.includes(short) ? edits : undefined
}

/** A name this long is recognized within a longer one: `codes` in `procedure_codes`. */
const containedMin = 4

/** Levenshtein's distance, one row of its table at a time. */
const editsBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
