import type { Criterion } from "../Criterion.ts"

/**
 * Compares what the caller said with a rule's value. Numbers compare as numbers and only with numbers, words
 * by their letters whatever the case and only for equality: anything else is unknown.
 */
export const compare = (
  rule: Extract<Criterion, { readonly op: "cmp" }>,
  given: string | number | null
): boolean | "unknown" => {
  if (given === null) return "unknown"
  const { value } = rule
  if (rule.comparison === "in") return [value].flat().some((one) => same(one, given))
  if (typeof value === "object") return "unknown"
  if (rule.comparison === "eq") return same(value, given)
  if (rule.comparison === "ne") return !same(value, given)
  const [ours, theirs] = [numberOf(value), numberOf(given)]
  if (Number.isNaN(ours) || Number.isNaN(theirs)) return "unknown"
  switch (rule.comparison) {
    case "lt":
      return theirs < ours
    case "le":
      return theirs <= ours
    case "gt":
      return theirs > ours
    case "ge":
      return theirs >= ours
  }
}

/** A blank is no number, though JavaScript takes it for 0. */
const numberOf = (one: string | number): number => (String(one).trim() === "" ? Number.NaN : Number(one))

const same = (a: string | number, b: string | number): boolean =>
  String(a).trim().toLowerCase() === String(b).trim().toLowerCase()
