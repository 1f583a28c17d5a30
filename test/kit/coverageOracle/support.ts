import type { DocumentTruth, GroupTruth } from "./Truth.ts"

/**
 * What a unit says of the diagnoses given: nothing at all, support, a denial by name (`named`), a denial
 * since its lists hold none of them (`omitted`), or that it cannot be told, and for which missing input.
 */
export type Finding =
  | { readonly _tag: "silent" }
  /** Any one of the alternatives leaves no condition once all of it is met; soft: one may remain. */
  | { readonly _tag: "supported"; readonly alternatives: Conditions; readonly isSoft: boolean }
  | { readonly _tag: "named" }
  | { readonly _tag: "omitted" }
  | { readonly _tag: "unknown"; readonly gap: string | null }

type Conditions = ReadonlyArray<ReadonlyArray<string>>

/**
 * Every finding that the specification allows for a procedure of the unit: one where it determines it
 * (coverage-domain §2.1, rules 6 and 7). The documents are one unit's and in force.
 */
export const findingsOf = (
  documents: ReadonlyArray<DocumentTruth>,
  code: string,
  diagnoses: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const groups = documents.flatMap((document) => document.groups)
  if (groups.length === 0) return [lacksArticle(documents) ? unknown(null) : { _tag: "silent" }]
  if (diagnoses.length === 0) return [{ _tag: "unknown", gap: "diagnosis_codes" }]
  const sorted = sortGroups(groups, new Set(documents.flatMap(({ procedures }) => procedures)), code)
  if (sorted.inScope.length === 0) return [{ _tag: "unknown", gap: null }]
  const each = diagnoses.map((diagnosis) => findingsOfOne(sorted, diagnosis, diagnoses))
  return combinations(each).flatMap(together)
}

/** An LCD names articles, which list its diagnoses, and none decides: the gap `related_policy` (L2). */
export const lacksArticle = (documents: ReadonlyArray<DocumentTruth>): boolean =>
  documents.some(({ isLcd, related }) => isLcd && related.some((id) => id.startsWith("A"))) &&
  documents.every(({ isLcd }) => isLcd)

/** Every way to take one of each. */
export const combinations = <A>(each: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<ReadonlyArray<A>> =>
  each.reduce<ReadonlyArray<ReadonlyArray<A>>>(
    (taken, next) => taken.flatMap((some) => next.map((one) => [...some, one])),
    [[]]
  )

interface SortedGroups {
  readonly inScope: ReadonlyArray<GroupTruth>
  /** Nobody can say what they are about. */
  readonly unscoped: ReadonlyArray<GroupTruth>
  /** About codes that the unit does not list. */
  readonly foreign: ReadonlyArray<GroupTruth>
}

const sortGroups = (
  groups: ReadonlyArray<GroupTruth>,
  procedures: ReadonlySet<string>,
  code: string
): SortedGroups => {
  const scoped = groups.map((group) => ({ group, scope: scopeOf(group, groups, procedures) }))
  const having = (wants: (scope: Scope) => boolean) =>
    scoped.flatMap(({ group, scope }) => (wants(scope) ? [group] : []))
  return {
    inScope: having((scope) => scope === "all" || (Array.isArray(scope) && scope.includes(code))),
    unscoped: having((scope) => scope === "unknown"),
    foreign: having((scope) => scope === "foreign")
  }
}

type Scope = "all" | "unknown" | "foreign" | ReadonlyArray<string>

const scopeOf = (
  group: GroupTruth,
  groups: ReadonlyArray<GroupTruth>,
  procedures: ReadonlySet<string>
): Scope => {
  if (group.reading === "unreadable") return "unknown"
  if (group.names !== null) {
    const ours = group.names.filter((name) => procedures.has(name))
    return ours.length > 0 ? ours : "foreign"
  }
  const isOnly = groups.filter(({ table }) => table === group.table).length === 1
  return group.stated || isOnly ? "all" : "unknown"
}

const findingsOfOne = (
  { inScope, unscoped, foreign }: SortedGroups,
  diagnosis: string,
  given: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const lists = (group: GroupTruth): boolean => group.diagnoses.includes(diagnosis)
  const covering = inScope.filter(({ table, reading }) => table === "covered" && reading === "listing")
  const excluding = inScope.filter(({ reading }) => reading === "all_except")
  const hasPrimary = covering.some(
    ({ role, diagnoses }) => role === "primary" && given.some((each) => diagnoses.includes(each))
  )
  const isFirm = ({ role }: GroupTruth): boolean => role !== "secondary" || hasPrimary
  const affirming = [...covering.filter(lists), ...excluding.filter((group) => !lists(group))]
  const isDenied = [...inScope.filter(({ table }) => table === "noncovered"), ...excluding].some(lists)
  if (affirming.length > 0) {
    if (isDenied) return [unknown(null)]
    const firm = affirming.filter(isFirm)
    if (firm.length === 0) return [unknown("primary_diagnosis")]
    const found = supportedBy(firm, { diagnosis, beside: [...inScope, ...unscoped] })
    // A list that nobody can scope may deny what this one supports: whether that is a gap is left open (L2).
    const mayDeny = unscoped.some(({ table, reading }) => table === "noncovered" || reading !== "listing")
    return [found._tag === "supported" && mayDeny ? { ...found, isSoft: true } : found]
  }
  // A covered list that nobody can scope might hold it after all: then neither answer is wrong.
  const maybe = [...unscoped, ...foreign].some(lists) || unscoped.some(isUnreadable)
  if (isDenied) return maybe ? [{ _tag: "named" }, unknown(null)] : [{ _tag: "named" }]
  if (covering.length === 0) return [unknown(null)]
  const isHeld = unscoped.some(
    (group) => lists(group) && group.table === "covered" && group.reading === "listing"
  )
  if (isHeld) return [unknown("group_scope")]
  return maybe ? [{ _tag: "omitted" }, unknown(null)] : [{ _tag: "omitted" }]
}

const unknown = (gap: string | null): Finding => ({ _tag: "unknown", gap })

const isUnreadable = ({ reading }: GroupTruth): boolean => reading === "unreadable"

/**
 * One group without a condition suffices. Whether another group's condition remains beside it is not
 * specified; nor is it for a role, which no order of the codes can show.
 */
const supportedBy = (
  groups: ReadonlyArray<GroupTruth>,
  { diagnosis, beside }: { readonly diagnosis: string; readonly beside: ReadonlyArray<GroupTruth> }
): Finding => ({
  _tag: "supported",
  alternatives: groups.map(({ condition, asterisk, marked }) => [
    ...(condition === null ? [] : [condition]),
    ...(asterisk !== null && marked.includes(diagnosis) ? [asterisk] : [])
  ]),
  isSoft: beside.some(
    ({ role, hasRemark, asterisk, condition, reading }) =>
      role !== "any" || hasRemark || asterisk !== null || condition !== null || reading === "unreadable"
  )
})

/** One supporting diagnosis suffices; a denial is one by name only when it is of every diagnosis. */
const together = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> => {
  const supporting = findings.filter((finding) => finding._tag === "supported")
  if (supporting.length > 0) {
    return [
      {
        _tag: "supported",
        alternatives: supporting.flatMap(({ alternatives }) => alternatives),
        isSoft: supporting.some(({ isSoft }) => isSoft)
      }
    ]
  }
  const tags = new Set(findings.map(({ _tag }) => _tag))
  if (!tags.has("unknown")) return [...tags].map((_tag) => ({ _tag }) as Finding)
  const gaps = new Set(findings.map((finding) => (finding._tag === "unknown" ? finding.gap : null)))
  const [gap = null] = gaps.size === 1 ? gaps : []
  return tags.size === 1 ? [unknown(gap)] : [{ _tag: "omitted" }, unknown(null)]
}
