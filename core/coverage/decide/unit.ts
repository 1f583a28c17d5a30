import type { PolicyId, PolicyType, PolicyVersion } from "../Policy.ts"
import { procedureCodes } from "./groups.ts"

/** Documents that are weighed as one: an LCD and the articles that say how to bill it (rule 5). */
export interface Unit {
  /** The LCD first, its articles by id. */
  readonly documents: ReadonlyArray<PolicyVersion>
  /** Every procedure that any of them lists. */
  readonly procedures: ReadonlySet<string>
  /** A document of the unit names an LCD that is not among the candidates. */
  readonly lacksRelated: boolean
  /** The LCD names articles, which list its diagnoses, and the unit has none. */
  readonly lacksArticle: boolean
}

/**
 * Groups documents into units: each article joins every LCD that it relates to, whichever of the two says so;
 * whatever else is there stands alone. In the order of the documents.
 */
export const unitsOf = (documents: ReadonlyArray<PolicyVersion>): ReadonlyArray<Unit> => {
  const articles = documents.filter((one) => isA(one, "Article"))
  const joined = new Set<PolicyVersion>()
  const units = documents
    .filter((one) => !isA(one, "Article"))
    .map((one) => {
      const its = isA(one, "LCD") ? articles.filter((article) => isRelated(one, article)) : []
      for (const article of its) joined.add(article)
      return unitOf([one, ...its], documents)
    })
  const alone = articles.filter((one) => !joined.has(one)).map((one) => unitOf([one], documents))
  return [...units, ...alone].toSorted((a, b) => (unitName(a) < unitName(b) ? -1 : 1))
}

/** Whichever of the two says so. */
export const isRelated = (a: PolicyVersion, b: PolicyVersion): boolean => names(a, b) || names(b, a)

export const unitName = ({ documents }: Unit): string =>
  documents.map(({ policy }) => policy.policyId).join(" + ")

const unitOf = (documents: ReadonlyArray<PolicyVersion>, all: ReadonlyArray<PolicyVersion>): Unit => ({
  documents,
  procedures: new Set(documents.flatMap((one) => [...procedureCodes(one)])),
  lacksRelated: documents.some((one) => isA(one, "Article") && lacksLcd(one, all)),
  lacksArticle: !documents.some((one) => isA(one, "Article")) && documents.some(namesArticle)
})

/** The conditions of an article's LCD count (L1), so an absent LCD is a gap. */
const lacksLcd = (article: PolicyVersion, all: ReadonlyArray<PolicyVersion>): boolean => {
  const wanted = article.related.filter((one) => one.policyType === "LCD").map((one) => one.policyId)
  return wanted.length > 0 && !wanted.some((id) => all.some((one) => idOf(one) === id))
}

const namesArticle = ({ related }: PolicyVersion): boolean =>
  related.some((one) => one.policyType === "Article")

const idOf = ({ policy }: PolicyVersion): PolicyId => policy.policyId

const isA = ({ policy }: PolicyVersion, type: PolicyType): boolean => policy.policyType === type

const names = ({ related }: PolicyVersion, other: PolicyVersion): boolean =>
  related.some((one) => one.policyId === idOf(other))
