import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { canonicalCode } from "../../core/coverage/codeText.ts"
import type { PolicyDocument, PolicyId, PolicyVersion } from "../../core/coverage/Policy.ts"
import { parsePolicyId } from "../../core/coverage/policyId.ts"
import type { Reading } from "../../core/coverage/reading.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { policyCodes, searchTextOf, summaryOf } from "../../core/coverage/view.ts"
import { listingOf } from "../../core/port/listing.ts"
import type { CandidatesQuery, PolicyPosition, PolicyQuery, PolicyReading } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { criteriaPage } from "./criteria.ts"
import { byId, isIn } from "./documents.ts"
import { Library } from "./Library.ts"
import { rowsAmong } from "./NcdCodes.ts"
import { askedWords, holdsAll, wordsOf } from "./words.ts"

/** Policies in the process; a text is found by its words (words.ts), which PostgreSQL answers alike. */
export const layer = Layer.effect(
  Policies,
  Effect.map(Library, ({ changes, ncdCodes, policies }) =>
    Policies.of({
      find: ({ asOf, policyId }) =>
        Effect.sync(() => {
          const versions = policies.get(policyId) ?? []
          const reading = readingOn(versions, asOf)
          return reading && readOf(reading, versions, policies)
        }),
      search: (query) =>
        Effect.sync(() => {
          const found = [...policies.values()]
            .flatMap((versions) => readingOn(versions, query.asOf) ?? [])
            .filter((reading) => admits(query, reading))
            .flatMap((reading) => {
              const relevance = relevanceOf(query.text, reading.version)
              return relevance === undefined
                ? []
                : [{ reading, relevance, policyId: reading.version.policy.policyId }]
            })
            .filter((row) => query.after === null || inOrder(query.after, row) < 0)
            .toSorted(inOrder)
          const page = found.slice(0, query.limit)
          const last = page.at(-1)
          return {
            listings: page.map(({ reading }) =>
              listingOf(reading.version, { ...reading, include: query.include })
            ),
            next:
              last === undefined || found.length <= query.limit
                ? null
                : { relevance: last.relevance, policyId: last.policyId }
          }
        }),
      history: (policyId) => Effect.sync(() => changes.filter((change) => change.policyId === policyId)),
      candidates: (query) => Effect.sync(() => candidatesOf({ ncdCodes, policies }, query)),
      criteria: (query) => Effect.sync(() => criteriaPage(policies, query)),
      inForce: ({ after, asOf, limit }) =>
        Effect.sync(() =>
          [...policies.values()]
            .flatMap((versions) => readingOn(versions, asOf) ?? [])
            .filter(({ status, version }) => isInForce(status) && version.policy.policyId > (after ?? ""))
            .map(({ version }) => version)
            .toSorted(byId)
            .slice(0, limit)
        )
    })
  )
)

const candidatesOf = (
  { ncdCodes, policies }: Pick<typeof Library.Service, "ncdCodes" | "policies">,
  query: CandidatesQuery
): ReadonlyArray<PolicyVersion> => {
  const inForce = [...policies.values()]
    .flatMap((versions) => readingOn(versions, query.asOf) ?? [])
    .flatMap(({ status, version }) => (isInForce(status) ? [version] : []))
  const listing = inForce.filter((version) =>
    query.codes.some((code) => lists(version, code, procedureSystems))
  )
  const near = withRelated(listing)
  const wanted = new Set([
    ...rowsAmong({ ncdCodes }, query.codes).map((row) => row.policyId),
    ...withRelated(inForce.filter((version) => near.has(version.policy.policyId)))
  ])
  return inForce.filter((version) => wanted.has(version.policy.policyId)).toSorted(byId)
}

const withRelated = (versions: ReadonlyArray<PolicyVersion>): ReadonlySet<PolicyId> =>
  new Set(versions.flatMap(({ policy, related }) => [policy.policyId, ...related.map((one) => one.policyId)]))

const procedureSystems = ["CPT", "HCPCS"]

const readOf = (
  reading: Reading<PolicyVersion>,
  versions: ReadonlyArray<PolicyVersion>,
  policies: ReadonlyMap<PolicyId, ReadonlyArray<PolicyVersion>>
): PolicyReading => {
  const titles = reading.version.related.flatMap(({ policyId }) => {
    const newest = policies.get(policyId)?.at(-1)
    return newest === undefined ? [] : [[policyId, newest.title] as const]
  })
  const { recordedAt } = reading.version
  return {
    version: reading.version,
    status: reading.status,
    createdAt: versions[0]?.recordedAt ?? recordedAt,
    updatedAt: versions.at(-1)?.recordedAt ?? recordedAt,
    relatedTitles: new Map(titles)
  }
}

const admits = (query: PolicyQuery, { status, version }: Reading<PolicyVersion>): boolean =>
  (query.status === "all" || (query.status === "active" ? isInForce(status) : status === query.status)) &&
  (query.policyType === null || version.policy.policyType === query.policyType) &&
  (query.payerCode === null || version.policy.payerCode === query.payerCode) &&
  isIn(version, query.place) &&
  (query.diagnosisCode === null || lists(version, query.diagnosisCode, ["ICD10CM"])) &&
  (query.procedureCode === null || lists(version, query.procedureCode, procedureSystems))

const lists = (document: PolicyDocument, code: string, systems: ReadonlyArray<string> | null): boolean =>
  policyCodes(document).some(
    (each) => each.code === code && (systems === null || systems.includes(each.codeSystem))
  )

/** Undefined: not found by the text. */
const relevanceOf = (text: string | null, document: PolicyDocument): number | undefined => {
  if (text === null || text.trim() === "") return 0
  if (document.policy.policyId === parsePolicyId(text)) return 3
  if (lists(document, canonicalCode(text), null)) return 2
  const asked = askedWords(text)
  const { body, keywords, title } = searchTextOf(document)
  if (asked.length === 0) return beginsOrHolds(document, text.trim().toLowerCase()) ? 0 : undefined
  const heading = wordsOf(`${title} ${keywords}`)
  const all = wordsOf(`${title} ${keywords} ${summaryOf(document) ?? ""} ${body}`)
  return holdsAll(all, asked) ? asked.filter((word) => heading.has(word)).length / asked.length : undefined
}

const beginsOrHolds = (document: PolicyDocument, text: string): boolean =>
  document.policy.policyId.toLowerCase().startsWith(text) || document.title.toLowerCase().includes(text)

const inOrder = (a: PolicyPosition, b: PolicyPosition): number =>
  b.relevance - a.relevance || (a.policyId < b.policyId ? -1 : a.policyId > b.policyId ? 1 : 0)
