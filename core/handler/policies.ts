import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { canonicalCode } from "../coverage/codeText.ts"
import { isIsoDate } from "../coverage/date.ts"
import { diagnosisFilter } from "../coverage/diagnosisFilter.ts"
import type { DiagnosisFilter } from "../coverage/diagnosisFilter.ts"
import type { IsoDate } from "../coverage/date.ts"
import type { Payer } from "../coverage/Payer.ts"
import { payerNamed } from "../coverage/payerNamed.ts"
import { resolvePlace } from "../coverage/place.ts"
import type { Synonyms } from "../coverage/search.ts"
import { searchWords } from "../coverage/search.ts"
import { parsePolicyId } from "../coverage/policyId.ts"
import { policyCodes } from "../coverage/view.ts"
import { refused } from "../error/Refusal.ts"
import { pageLimit } from "../operation/field.ts"
import { Codes } from "../port/Codes.ts"
import { servedIncludes } from "../operation/includes.ts"
import { Payers } from "../port/Payers.ts"
import { Policies } from "../port/Policies.ts"
import type { PolicyPage, PolicyPosition, PolicyQuery } from "../port/Policies.ts"
import type { CallContext, Handler, InputOf } from "./Handler.ts"
import { policyCsv } from "./policyCsv.ts"
import { policyItem, policyView } from "./policyView.ts"
import { SearchSynonyms, withSearchTimeout } from "./withSearchTimeout.ts"

/** GET /policies and /policies/{id} (contract §2). */
export const makePolicyHandlers = Effect.gen(function* () {
  const policies = yield* Policies
  const codes = yield* Codes
  const jurisdictions = yield* Payers
  const payers = yield* Payers
  const synonyms = yield* SearchSynonyms

  const list: Handler<"listPolicies"> = ({ query }, context) =>
    Effect.gen(function* () {
      const place =
        query.jurisdiction === undefined
          ? null
          : resolvePlace(query.jurisdiction, yield* jurisdictions.jurisdictions)
      if (place === undefined) return refused("RESOURCE_JURISDICTION_NOT_FOUND")
      const payer = query.payer === undefined ? null : payerNamed(query.payer, yield* payers.list)
      if (payer === undefined) return refused("RESOURCE_PAYER_NOT_FOUND")
      const page = pageStart(query.as_of, context)
      if (page === undefined) return refused("REQUEST_INVALID_CURSOR")
      const asked = askedOf(query, { place, payer, page, synonyms })
      const found = yield* policies.search(asked)
      const next = found.next === null ? null : { ...found.next, asOf: asked.asOf }
      const paging = { next, limit: asked.limit }
      if (query.format === "csv") {
        const text = policyCsv(found.listings, asked)
        return { _tag: "Text", contentType: "text/csv; charset=utf-8", text, page: paging }
      }
      const meta: Record<string, unknown> = { filters: filtersView(query, asked) }
      if (asked.text !== null) meta["search"] = searchView(asked.text, query.mode, found)
      return {
        _tag: "Data",
        data: found.listings.map((listing) => policyItem(listing, asked.include)),
        page: paging,
        meta
      }
    })

  const listPolicies: Handler<"listPolicies"> = (input, context) => withSearchTimeout(list(input, context))

  const getPolicy: Handler<"getPolicy"> = ({ params, query }, context) =>
    Effect.gen(function* () {
      const policyId = parsePolicyId(params.id)
      const reading =
        policyId === undefined
          ? undefined
          : yield* policies.find({ policyId, asOf: query.as_of ?? context.today })
      if (policyId === undefined || reading === undefined) return refused("RESOURCE_POLICY_NOT_FOUND")
      const include = servedIncludes(query.include)
      const history = include.has("versions") ? yield* policies.history(policyId) : null
      const listed = include.has("codes") ? policyCodes(reading.version) : []
      const asked = {
        codes: [...new Set(listed.map(({ code }) => code))],
        asOf: query.as_of ?? context.today
      }
      const descriptions = listed.length > 0 ? yield* codes.descriptions(asked) : new Map<string, string>()
      return {
        _tag: "Data",
        data: policyView({
          reading,
          include,
          history,
          descriptions,
          jurisdictions: yield* jurisdictions.jurisdictions,
          payers: yield* payers.list
        })
      }
    })

  return { listPolicies, getPolicy } as const
})

type ListQuery = InputOf<"listPolicies">["query"]

interface PageStart {
  readonly after: PolicyPosition | null
  /** Every page of a list looks at the same day, also past midnight. */
  readonly asOf: IsoDate
}

const Position = Schema.Struct({
  relevance: Schema.Number,
  policyId: Schema.String,
  trail: Schema.optional(Schema.String),
  asOf: Schema.String
})
const decodePosition = Schema.decodeUnknownResult(Position)

const pageStart = (asOf: IsoDate | undefined, { position, today }: CallContext): PageStart | undefined => {
  if (position === null) return { after: null, asOf: asOf ?? today }
  const decoded = decodePosition(position)
  if (Result.isFailure(decoded) || !isIsoDate(decoded.success.asOf)) return undefined
  const { asOf: day, ...after } = decoded.success
  return { after, asOf: day }
}

interface Resolved {
  readonly place: PolicyQuery["place"]
  readonly payer: Payer | null
  readonly page: PageStart
  readonly synonyms: Synonyms
}

const askedOf = (query: ListQuery, { page, payer, place, synonyms }: Resolved): PolicyQuery => ({
  text: query.q === undefined || query.q.trim() === "" ? null : query.q.trim(),
  words: searchWords(query.q ?? "", synonyms),
  policyType: query.policy_type ?? null,
  place,
  payerCode: payer?.code ?? null,
  diagnosis: query.icd10 === undefined ? null : diagnosisFilter(query.icd10),
  procedureCode: query.procedure_code === undefined ? null : canonicalCode(query.procedure_code),
  status: query.status ?? "active",
  asOf: page.asOf,
  include: servedIncludes(query.include),
  after: page.after,
  limit: query.limit ?? pageLimit.standard
})

/**
 * How the search went. There is no search by meaning: `semantic` gets the widest search by words, which is
 * every search, and says so. `match` is the best of the page; an empty one was looked for to the last.
 */
const searchView = (text: string, mode: ListQuery["mode"], { didYouMean, listings }: PolicyPage) => ({
  query: text,
  mode: "keyword",
  fallback: mode === "semantic",
  results: listings.length,
  match: listings[0]?.match ?? "near",
  did_you_mean: didYouMean
})

const diagnosisText = (filter: DiagnosisFilter): string =>
  filter._tag === "Code" ? filter.code : filter.category

/** The filters as they were understood, so that a caller sees what was asked. */
const filtersView = (query: ListQuery, asked: PolicyQuery) => ({
  policy_type: asked.policyType,
  jurisdiction: query.jurisdiction ?? null,
  payer: asked.payerCode,
  icd10: asked.diagnosis === null ? null : diagnosisText(asked.diagnosis),
  procedure_code: asked.procedureCode,
  status: asked.status,
  as_of: asked.asOf
})
