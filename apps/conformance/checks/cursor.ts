import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { pageLimit } from "../../../core/operation/field.ts"
import { at, unless } from "../request.ts"
import type { CheckResponse } from "../request.ts"
import type { Bench } from "../Bench.ts"
import { refusalFaults } from "../faults.ts"
import { kindOf, sampleFor, unitsFor, withQuery } from "../samples.ts"
import type { Sample } from "../samples.ts"
import { verdictOf, skippedVerdict } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

/** Another filter for each list: a cursor is bound to those it was given for (contract §1, Lists). */
const otherFilters: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  listPolicies: { status: "all" },
  listPolicyChanges: { change_type: "created" },
  searchCriteria: { section: "other" },
  listUnreviewed: { change_type: "created" },
  listDeliveries: { status: "pending" },
  listReleaseDecisions: { code: "E0652" }
}

/** Filters of examples that leave but one row. */
const wide: Readonly<Record<string, undefined>> = { policy_id: undefined, change_type: undefined }

const onePage = "the fixtures fill one page only"

/** The member by which a list stands, as is promised. */
const orders: Partial<Record<OperationId, readonly [member: string, way: "rising" | "falling"]>> = {
  listPolicies: ["policy_id", "rising"],
  listPolicyChanges: ["diff_id", "falling"],
  listUnreviewed: ["diff_id", "falling"],
  listDeliveries: ["delivery_id", "falling"]
}

/** A search stands by relevance, which no row shows. */
const unsearched: Partial<Record<OperationId, Readonly<Record<string, undefined>>>> = {
  listPolicies: { q: undefined }
}

const longest = { limit: String(pageLimit.max) }

/**
 * Pages of one row, which are the rows of one long page in its order: the second is another's, and the cursor
 * opens nothing else (§4.6.1).
 */
export const checkCursor = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "sandbox" } as const
  const { credits, paged } = operationRow(id)
  if (paged !== true) return []
  const key = await bench.keyFor(kindOf(id), unitsFor(id, credits * 8 + 4))
  const listed = withQuery(await sampleFor(bench, id, key), wide)
  const sample = withQuery(listed, { limit: "1" })
  const send = (asked: Sample, by = key) => bench.ask({ ...asked, key: by })
  const first = await send(sample)
  const alone = [
    ...refused("a cursor made up", await send(withQuery(sample, { cursor: "made.up" }))),
    ...orderFaults(id, await send(withQuery(listed, { ...longest, ...unsearched[id] })))
  ]
  const cursor = at(first.json, "meta", "pagination", "cursor")
  if (typeof cursor !== "string") {
    const faults = [...alone, ...unless(first.status === 200, `limit=1 answers ${first.status}`)]
    return faults.length > 0
      ? [verdictOf(subject, "cursor", faults)]
      : [skippedVerdict(subject, "cursor", onePage)]
  }
  const next = await send(withQuery(sample, { cursor }))
  const again = await send(withQuery(sample, { cursor }))
  const others = await send(withQuery(sample, { cursor, ...otherFilters[id] }))
  const stranger = await bench.keyFor(kindOf(id), credits, "another")
  return [
    verdictOf(subject, "cursor", [
      ...alone,
      ...pageFaults([first, next], again, await send(withQuery(listed, longest))),
      ...refused("a cursor for other filters", others),
      ...refused("another key's cursor", await send(withQuery(sample, { cursor }), stranger))
    ])
  ]
}

const pageFaults = (
  [first, next]: readonly [CheckResponse, CheckResponse],
  again: CheckResponse,
  whole: CheckResponse
): ReadonlyArray<string> => [
  ...unless(next.status === 200, `the cursor answers ${next.status}`),
  ...unless(rows(first).length === 1 && rows(next).length === 1, "limit=1 does not give one row"),
  ...unless(rows(first)[0] !== rows(next)[0], "the second page repeats the first"),
  ...unless(rows(next)[0] === rows(again)[0], "a cursor leads elsewhere the second time"),
  ...unless(
    rows(whole)[0] === rows(first)[0] && rows(whole)[1] === rows(next)[0],
    "pages of one row are not the rows of one page in its order"
  )
]

const orderFaults = (id: OperationId, { json }: CheckResponse): ReadonlyArray<string> => {
  const [order, data] = [orders[id], at(json, "data")]
  if (order === undefined || !Array.isArray(data)) return []
  const [member, way] = order
  const places = data.map((row) => at(row, member))
  const sorted = places.toSorted((one, other) => {
    const rising = typeof one === "number" ? one - Number(other) : String(one) < String(other) ? -1 : 1
    return way === "rising" ? rising : -rising
  })
  return unless(
    places.every((place, index) => place === sorted[index]),
    `the rows do not stand by ${member}, ${way}`
  )
}

const refused = (what: string, heard: CheckResponse): ReadonlyArray<string> =>
  refusalFaults("REQUEST_INVALID_CURSOR", heard).map((fault) => `${what}: ${fault}`)

const rows = ({ json }: CheckResponse): ReadonlyArray<string> => {
  const data = at(json, "data")
  return Array.isArray(data) ? data.map(identityOf) : []
}

/** A row may be told otherwise the second time, as a delivery that is delivered by then; its ids stay. */
const identityOf = (row: object): string =>
  JSON.stringify(Object.entries(row).filter(([name]) => name.endsWith("_id")))
