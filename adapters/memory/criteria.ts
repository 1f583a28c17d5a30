import type { PolicyId, PolicyVersion } from "../../core/coverage/Policy.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { jurisdictionsOf } from "../../core/coverage/view.ts"
import type {
  CriteriaPage,
  CriteriaPosition,
  CriteriaQuery,
  FoundCriterion
} from "../../core/port/Policies.ts"
import { isIn } from "./documents.ts"
import { holdsAll, singulars } from "./search.ts"

/** One page of the passages in force that hold the words of the text; all are alike in relevance. */
export const criteriaPage = (
  policies: ReadonlyMap<PolicyId, ReadonlyArray<PolicyVersion>>,
  query: CriteriaQuery
): CriteriaPage => {
  const found = [...policies.values()]
    .flatMap((versions) => readingOn(versions, query.asOf) ?? [])
    .filter(({ status, version }) => isInForce(status) && admits(query, version))
    .flatMap(({ version }) => version.criteria.map((block, ordinal) => ({ version, block, ordinal })))
    .filter(({ block }) => query.section === null || block.section === query.section)
    .filter(({ block }) => holdsAll(singulars(block.text), query.words))
    .map((row) => ({ found: foundOf(row), at: positionOf(row) }))
    .filter(({ at }) => query.after === null || inOrder(query.after, at) < 0)
    .toSorted((a, b) => inOrder(a.at, b.at))
  const page = found.slice(0, query.limit)
  return {
    found: page.map((row) => row.found),
    next: found.length > query.limit ? (page.at(-1)?.at ?? null) : null
  }
}

interface Row {
  readonly version: PolicyVersion
  readonly block: FoundCriterion["block"]
  readonly ordinal: number
}

const admits = (query: CriteriaQuery, version: PolicyVersion): boolean =>
  (query.policyType === null || version.policy.policyType === query.policyType) && isIn(version, query.place)

const foundOf = ({ block, version }: Row): FoundCriterion => ({
  policy: version.policy,
  title: version.title,
  jurisdictions: jurisdictionsOf(version),
  effectiveDate: version.effectiveDate,
  block
})

const positionOf = ({ ordinal, version }: Row): CriteriaPosition => ({
  relevance: 0,
  policyId: version.policy.policyId,
  ordinal
})

const inOrder = (a: CriteriaPosition, b: CriteriaPosition): number =>
  b.relevance - a.relevance ||
  (a.policyId < b.policyId ? -1 : a.policyId > b.policyId ? 1 : a.ordinal - b.ordinal)
