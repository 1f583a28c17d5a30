import type { Hit } from "./hits.ts"

/**
 * Whether the other diagnoses that a group's role asks for are there, from the same unit's lists: for a
 * secondary one any of a group that is not secondary itself, for a pair one of each group that is named.
 */
export const isPaired = (one: Hit, covered: ReadonlyArray<Hit>): boolean => {
  const { role, together } = one.group
  if (role === "any" || role === "primary") return true
  const partners = partnersOf(one, covered)
  const wanted = together.filter((number) => number !== one.group.group.group)
  return (
    partners.length > 0 &&
    (role === "secondary" ||
      wanted.every((number) => partners.some(({ group }) => group.group.group === number)))
  )
}

/** The lists that hold another of the diagnoses and may stand beside this one. */
export const partnersOf = (one: Hit, covered: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const { role } = one.group
  if (role === "any" || role === "primary") return []
  return covered
    .filter((other) => other.group !== one.group)
    .filter((other) => role === "both_required" || other.group.role !== "secondary")
    .filter((other) => other.entries.some((theirs) => one.entries.some((ours) => ours.code !== theirs.code)))
}
