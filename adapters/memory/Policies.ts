import { admitsDiagnosis } from "../../core/coverage/diagnosisFilter.ts"
import type { DiagnosisFilter } from "../../core/coverage/diagnosisFilter.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PolicyDocument, PolicyId, PolicyVersion } from "../../core/coverage/Policy.ts"
import type { VersionOnDate } from "../../core/coverage/reading.ts"
import { isInForce, readingOn } from "../../core/coverage/reading.ts"
import { policyCodes } from "../../core/coverage/view.ts"
import { listingOf } from "../../core/port/listing.ts"
import type { CandidatesQuery, PolicyPosition, PolicyQuery, PolicyOnDate } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { changesPage } from "./changesPage.ts"
import { criteriaPage } from "./criteria.ts"
import { byId, isIn } from "./documents.ts"
import { Library } from "./Library.ts"
import { rowsAmong } from "./NcdCodes.ts"
import { foundBy } from "./search.ts"

/** Policies in the process; a text finds by its words (search.ts), as PostgreSQL does. */
export const layer = Layer.effect(
  Policies,
  Effect.map(Library, (library) => {
    const { changes, ncdCodes, policies } = library
    return Policies.of({
      find: ({ asOf, policyId }) =>
        Effect.sync(() => {
          const versions = policies.get(policyId) ?? []
          const reading = readingOn(versions, asOf)
          return reading && readOf(reading, versions, policies)
        }),
      search: (query) =>
        Effect.sync(() => {
          const admitted = [...policies.values()]
            .flatMap((versions) => readingOn(versions, query.asOf) ?? [])
            .filter(admitting(library, query))
          const { didYouMean, found } = foundBy(library, query, admitted)
          const rows = found
            .map((row) => ({ ...row, policyId: row.reading.version.policy.policyId }))
            .filter((row) => query.after === null || inOrder(query.after, row) < 0)
            .toSorted(inOrder)
          const page = rows.slice(0, query.limit)
          const last = page.at(-1)
          return {
            listings: page.map(({ match, reading }) => ({
              ...listingOf(reading.version, { ...reading, include: query.include }),
              match
            })),
            next:
              last === undefined || rows.length <= query.limit
                ? null
                : { relevance: last.relevance, policyId: last.policyId },
            didYouMean
          }
        }),
      history: (policyId) => Effect.sync(() => changes.filter((change) => change.policyId === policyId)),
      changes: (query) => Effect.sync(() => changesPage(library, query)),
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
  })
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
  reading: VersionOnDate<PolicyVersion>,
  versions: ReadonlyArray<PolicyVersion>,
  policies: ReadonlyMap<PolicyId, ReadonlyArray<PolicyVersion>>
): PolicyOnDate => {
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

/** A procedure admits by a document's own rows, or by the table of NCD codes: NCDs hold none themselves. */
const admitting = (library: Pick<typeof Library.Service, "ncdCodes">, query: PolicyQuery) => {
  const { procedureCode } = query
  if (procedureCode === null) return (reading: VersionOnDate<PolicyVersion>) => admits(query, reading)
  const named = new Set(rowsAmong(library, [procedureCode]).map((row) => row.policyId))
  return (reading: VersionOnDate<PolicyVersion>) =>
    admits(query, reading) &&
    (named.has(reading.version.policy.policyId) || lists(reading.version, procedureCode, procedureSystems))
}

const admits = (query: PolicyQuery, { status, version }: VersionOnDate<PolicyVersion>): boolean =>
  (query.status === "all" || (query.status === "active" ? isInForce(status) : status === query.status)) &&
  (query.policyType === null || version.policy.policyType === query.policyType) &&
  (query.payerCode === null || version.policy.payerCode === query.payerCode) &&
  isIn(version, query.place) &&
  (query.diagnosis === null || listsDiagnosis(version, query.diagnosis))

const listsDiagnosis = (document: PolicyDocument, filter: DiagnosisFilter): boolean =>
  policyCodes(document).some((each) => each.codeSystem === "ICD10CM" && admitsDiagnosis(filter, each.code))

const lists = (document: PolicyDocument, code: string, systems: ReadonlyArray<string>): boolean =>
  policyCodes(document).some((each) => each.code === code && systems.includes(each.codeSystem))

const inOrder = (a: PolicyPosition, b: PolicyPosition): number =>
  b.relevance - a.relevance || (a.policyId < b.policyId ? -1 : a.policyId > b.policyId ? 1 : 0)
