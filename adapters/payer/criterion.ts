import { canonicalCode, codeSystemsLike } from "../../core/coverage/codeText.ts"
import type { Criterion } from "../../core/coverage/Criterion.ts"
import { sites } from "../../core/coverage/site.ts"
import type { Fault } from "./decodeRecord.ts"

/** What a criterion of the right shape may still say that nobody can judge. */
export const criterionFaults = (criterion: Criterion, pointer: string): ReadonlyArray<Fault> => {
  switch (criterion.op) {
    case "all":
    case "any":
      return [
        ...noneFaults(criterion.criteria, `${pointer}/criteria`),
        ...criterion.criteria.flatMap((inner, index) =>
          criterionFaults(inner, `${pointer}/criteria/${index}`)
        )
      ]
    case "not":
      return criterionFaults(criterion.criterion, `${pointer}/criterion`)
    case "cmp":
      return comparisonFaults(criterion, pointer)
    case "has_code":
      return anyOfFaults(criterion, pointer, {
        isKnown: (code) => codeSystemsLike(code).some((system) => system === criterion.system),
        reason: "it is no code of the system"
      })
    case "age":
      return ageFaults(criterion, pointer)
    case "site":
      return anyOfFaults(criterion, pointer, {
        isKnown: (site) => sites.some((known) => known === site),
        reason: "it is no site of service"
      })
    case "sex":
    case "modifier":
    case "specialty":
      return noneFaults(criterion.any_of, `${pointer}/any_of`)
    case "within":
      return criterion.count > 0 && criterion.days > 0
        ? []
        : [{ pointer, reason: "its count and its days must be above 0" }]
  }
}

/** The criterion with its codes and modifiers as the kernel compares them. */
export const canonicalCriterion = (criterion: Criterion): Criterion => {
  switch (criterion.op) {
    case "all":
    case "any":
      return { ...criterion, criteria: criterion.criteria.map(canonicalCriterion) }
    case "not":
      return { ...criterion, criterion: canonicalCriterion(criterion.criterion) }
    case "has_code":
    case "modifier":
      return { ...criterion, any_of: criterion.any_of.map(canonicalCode) }
    case "cmp":
    case "age":
    case "sex":
    case "site":
    case "specialty":
    case "within":
      return criterion
  }
}

const noneFaults = (list: ReadonlyArray<unknown>, pointer: string): ReadonlyArray<Fault> =>
  list.length === 0 ? [{ pointer, reason: "it is empty" }] : []

const anyOfFaults = (
  { any_of }: { readonly any_of: ReadonlyArray<string> },
  pointer: string,
  word: { readonly isKnown: (text: string) => boolean; readonly reason: string }
): ReadonlyArray<Fault> => [
  ...noneFaults(any_of, `${pointer}/any_of`),
  ...any_of.flatMap((text, index) =>
    word.isKnown(text) ? [] : [{ pointer: `${pointer}/any_of/${index}`, reason: word.reason }]
  )
]

const comparisonFaults = (
  criterion: Extract<Criterion, { readonly op: "cmp" }>,
  pointer: string
): ReadonlyArray<Fault> => {
  const isList = Array.isArray(criterion.value)
  if (criterion.comparison === "in") {
    return isList ? [] : [{ pointer: `${pointer}/value`, reason: "with in it must be a list" }]
  }
  return isList ? [{ pointer: `${pointer}/value`, reason: "only with in it may be a list" }] : []
}

const ageFaults = (
  { max, min }: Extract<Criterion, { readonly op: "age" }>,
  pointer: string
): ReadonlyArray<Fault> => {
  if (min === undefined && max === undefined) return [{ pointer, reason: "it names neither min nor max" }]
  const isOrdered = (min ?? 0) >= 0 && (max ?? 150) <= 150 && (min ?? 0) <= (max ?? 150)
  return isOrdered
    ? []
    : [{ pointer, reason: "its ages must be whole years from 0 to 150, min not above max" }]
}
