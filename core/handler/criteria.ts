import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIsoDate } from "../coverage/date.ts"
import { everyWord } from "../coverage/search.ts"
import { resolvePlace } from "../coverage/place.ts"
import { refused } from "../error/Refusal.ts"
import { pageLimit } from "../operation/field.ts"
import type { FoundCriterionView } from "../operation/criteria.ts"
import { Payers } from "../port/Payers.ts"
import { Policies } from "../port/Policies.ts"
import type { CriteriaQuery, FoundCriterion } from "../port/Policies.ts"
import type { CallContext, Handler } from "./Handler.ts"
import { SearchSynonyms, withSearchTimeout } from "./withSearchTimeout.ts"

/** GET /coverage/criteria (contract §2): the passages of policies in force today, by their words. */
export const makeCriteriaHandlers = Effect.gen(function* () {
  const policies = yield* Policies
  const jurisdictions = yield* Payers
  const synonyms = yield* SearchSynonyms

  const search: Handler<"searchCriteria"> = ({ query }, context) =>
    Effect.gen(function* () {
      const place =
        query.jurisdiction === undefined
          ? null
          : resolvePlace(query.jurisdiction, yield* jurisdictions.jurisdictions)
      if (place === undefined) return refused("RESOURCE_JURISDICTION_NOT_FOUND")
      const start = startOf(context)
      if (start === undefined) return refused("REQUEST_INVALID_CURSOR")
      const limit = query.limit ?? pageLimit.standard
      const { found, next } = yield* policies.criteria({
        words: everyWord(query.q, synonyms),
        section: query.section ?? null,
        policyType: query.policy_type ?? null,
        place,
        ...start,
        limit
      })
      return {
        _tag: "Data",
        data: found.map(foundView),
        page: { next: next === null ? null : { ...next, asOf: start.asOf }, limit }
      }
    })

  const searchCriteria: Handler<"searchCriteria"> = (input, context) =>
    withSearchTimeout(search(input, context))

  return { searchCriteria } as const
})

const Position = Schema.Struct({
  relevance: Schema.Number,
  policyId: Schema.String,
  ordinal: Schema.Int,
  asOf: Schema.String
})
const decodePosition = Schema.decodeUnknownResult(Position)

/** Every page of a search looks at the same day, also past midnight. */
const startOf = ({ position, today }: CallContext): Pick<CriteriaQuery, "after" | "asOf"> | undefined => {
  if (position === null) return { after: null, asOf: today }
  const decoded = decodePosition(position)
  if (Result.isFailure(decoded) || !isIsoDate(decoded.success.asOf)) return undefined
  const { asOf, ...after } = decoded.success
  return { after, asOf }
}

const foundView = ({ block, ...found }: FoundCriterion): FoundCriterionView => ({
  criteria_id: `${found.policy.policyId}#${block.blockId}`,
  policy_id: found.policy.policyId,
  policy_title: found.title,
  policy_type: found.policy.policyType,
  jurisdiction: found.jurisdictions.length === 0 ? null : found.jurisdictions.join(", "),
  effective_date: found.effectiveDate,
  section: block.section,
  text: block.text,
  tags: block.tags,
  requires_manual_review: block.requiresManualReview,
  confidence_score: block.confidenceScore
})
