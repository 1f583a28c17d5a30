import * as Effect from "effect/Effect"
import type { CodeRecord, CodeSuggestion, CodeSystem } from "../coverage/Code.ts"
import { canonicalCode, codeSystemsLike, displayCode, procedureSystem } from "../coverage/codeText.ts"
import type { IsoDate } from "../coverage/date.ts"
import { resolvePlace } from "../coverage/place.ts"
import type { Place } from "../coverage/place.ts"
import { refused } from "../error/Refusal.ts"
import { servedIncludes } from "../operation/includes.ts"
import type { CodePolicyView, CodeView } from "../operation/wire/Code.ts"
import { Codes } from "../port/Codes.ts"
import type { CodePolicy } from "../port/Codes.ts"
import { Jurisdictions } from "../port/Jurisdictions.ts"
import type { CallContext, Handler } from "./Handler.ts"

/** At most this many policies are shown with a code; GET /policies lists them all. */
const policiesMax = 50
const suggestionsMax = 5

interface Lookup {
  /** As the caller wrote them, trimmed. */
  readonly codes: ReadonlyArray<string>
  readonly codeSystem: CodeSystem | null
  readonly place: Place | null
  readonly asOf: IsoDate
  readonly withPolicies: boolean
}

/** GET /codes/lookup and POST /codes/batch (contract §2): all codes in two round trips, however many. */
export const makeCodeHandlers = Effect.gen(function* () {
  const codes = yield* Codes
  const jurisdictions = yield* Jurisdictions

  const lookup = Effect.fnUntraced(function* ({
    codes: written,
    codeSystem,
    place,
    asOf,
    withPolicies
  }: Lookup) {
    const canonical = [...new Set(written.map(canonicalCode))]
    const records = yield* codes.find({ codes: canonical, codeSystem, asOf })
    const known = new Set(records.map((record) => record.code))
    // CPT has no table here (its descriptors are the AMA's): such a code is known when a policy lists it.
    const listedOnly = canonical.filter((code) => !known.has(code) && procedureSystem(code) !== undefined)
    const asked = withPolicies ? canonical : listedOnly
    const policies =
      asked.length === 0
        ? new Map<string, ReadonlyArray<CodePolicy>>()
        : yield* codes.policies({ codes: asked, place, asOf, limit: policiesMax })
    return new Map(
      written.map((text) => [
        text,
        viewOf({
          text,
          codeSystem,
          asOf,
          withPolicies,
          records,
          policies: policies.get(canonicalCode(text)) ?? []
        })
      ])
    )
  })

  const lookupCode: Handler<"lookupCode"> = ({ query }, context) =>
    Effect.gen(function* () {
      const place =
        query.jurisdiction === undefined ? null : resolvePlace(query.jurisdiction, yield* jurisdictions.list)
      if (place === undefined) return refused("RESOURCE_JURISDICTION_NOT_FOUND")
      const text = query.code.trim()
      const codeSystem = query.code_system ?? null
      const asOf = query.as_of ?? context.today
      const withPolicies = query.include?.includes("policies") === true
      const found = (yield* lookup({ codes: [text], codeSystem, place, asOf, withPolicies })).get(text)
      if (found !== undefined) return { _tag: "Data", data: found }
      const suggestions = (yield* codes.suggest({ text, codeSystem, limit: suggestionsMax })).map(
        suggestionView
      )
      return query.fuzzy === "true"
        ? { _tag: "Data", data: { ...absentView(text), suggestions } }
        : refused("RESOURCE_CODE_NOT_FOUND", { suggestions })
    })

  const batchCodes: Handler<"batchCodes"> = ({ body }, context: CallContext) =>
    Effect.gen(function* () {
      const written = body.codes.map((code) => code.trim())
      const unique = [...new Set(written)]
      const include = [...servedIncludes(body.include)]
      const found = yield* lookup({
        codes: unique,
        codeSystem: body.code_system ?? null,
        place: null,
        asOf: context.today,
        withPolicies: include.includes("policies")
      })
      const results = Object.fromEntries(unique.map((text) => [text, found.get(text) ?? absentView(text)]))
      return {
        _tag: "Data",
        data: { results },
        meta: { total_codes: written.length, unique_codes: unique.length, includes: include }
      }
    })

  return { lookupCode, batchCodes } as const
})

const viewOf = (input: {
  readonly text: string
  readonly codeSystem: CodeSystem | null
  readonly asOf: IsoDate
  readonly withPolicies: boolean
  readonly records: ReadonlyArray<CodeRecord>
  readonly policies: ReadonlyArray<CodePolicy>
}): CodeView | undefined => {
  const code = canonicalCode(input.text)
  const record = preferred(
    input.text,
    input.records.filter((candidate) => candidate.code === code)
  )
  const policies = input.withPolicies ? { policies: input.policies.map(policyView) } : {}
  if (record !== undefined) return { ...recordView(record, input.asOf), ...policies }
  const system = procedureSystem(code)
  const listed =
    input.policies.length > 0 &&
    system !== undefined &&
    (input.codeSystem === null || input.codeSystem === system)
  return listed ? { ...absentView(code), code_system: system, found: true, ...policies } : undefined
}

/**
 * One writing may name codes of several systems: the likeliest by its shape, where a dot speaks for ICD-10.
 */
const preferred = (text: string, records: ReadonlyArray<CodeRecord>): CodeRecord | undefined => {
  const order = codeSystemsLike(text)
  const rank = (record: CodeRecord): number => {
    const index = order.indexOf(record.codeSystem)
    return index === -1 ? order.length : index
  }
  return records.toSorted((a, b) => rank(a) - rank(b))[0]
}

const recordView = (record: CodeRecord, asOf: IsoDate): CodeView => ({
  code: displayCode(record),
  code_system: record.codeSystem,
  found: true,
  description: record.description,
  short_description: record.shortDescription,
  category: record.category,
  betos_code: record.betosCode,
  poa_exempt: record.poaExempt,
  is_active:
    record.billable &&
    (record.effectiveDate === null || record.effectiveDate <= asOf) &&
    (record.terminationDate === null || asOf <= record.terminationDate),
  effective_date: record.effectiveDate,
  termination_date: record.terminationDate,
  rvu: null
})

const absentView = (code: string): CodeView => ({
  code,
  code_system: "UNKNOWN",
  found: false,
  description: null,
  short_description: null,
  category: null,
  betos_code: null,
  poa_exempt: null,
  is_active: null,
  effective_date: null,
  termination_date: null,
  rvu: null
})

const policyView = ({ listing, disposition, source }: CodePolicy): CodePolicyView => ({
  policy_id: listing.policy.policyId,
  title: listing.title,
  policy_type: listing.policy.policyType,
  disposition,
  source,
  jurisdiction: listing.jurisdictions.length === 0 ? null : listing.jurisdictions.join(", "),
  effective_date: listing.effectiveDate,
  source_url: listing.sourceUrl
})

const suggestionView = (suggestion: CodeSuggestion) => ({
  code: displayCode(suggestion),
  code_system: suggestion.codeSystem,
  description: suggestion.description,
  score: suggestion.score,
  match_type: suggestion.matchType
})
