import * as Effect from "effect/Effect"
import type { CodeRecord, CodeSuggestion, CodeSystem } from "../coverage/Code.ts"
import { mayHold, tableOn } from "../coverage/CodeTable.ts"
import type { CodeTableEdition } from "../coverage/CodeTable.ts"
import { canonicalCode, codeSystemsLike, displayCode, procedureSystem } from "../coverage/codeText.ts"
import type { IsoDate } from "../coverage/date.ts"
import { resolvePlace } from "../coverage/place.ts"
import type { Place } from "../coverage/place.ts"
import { refused } from "../error/Refusal.ts"
import { servedIncludes } from "../operation/includes.ts"
import type { CodePolicyView, CodeView } from "../operation/codes.ts"
import { Codes } from "../port/Codes.ts"
import type { CodeFee, CodePolicy } from "../port/Codes.ts"
import { Payers } from "../port/Payers.ts"
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
  readonly include: ReadonlySet<"rvu" | "policies">
}

/** GET /codes/lookup and POST /codes/batch (contract §2): all codes in two round trips, however many. */
export const makeCodeHandlers = Effect.gen(function* () {
  const codes = yield* Codes
  const jurisdictions = yield* Payers

  const lookup = Effect.fnUntraced(function* (asked: Lookup) {
    const { asOf, codeSystem, include, place } = asked
    const canonical = [...new Set(asked.codes.map(canonicalCode))]
    const mayHaveFee = canonical.filter((code) => include.has("rvu") || procedureSystem(code) === "CPT")
    const { fees, records, tables } = yield* Effect.all(
      {
        records: codes.find({ codes: canonical, codeSystem, asOf }),
        fees: mayHaveFee.length === 0 ? Effect.succeed([]) : codes.fees({ codes: mayHaveFee, asOf }),
        tables: codes.tables
      },
      { concurrency: 3 }
    )
    const known = new Set(records.map((record) => record.code))
    // A code that no table holds is known when a policy in force lists it.
    const unknown = canonical.filter((code) => !known.has(code))
    const listed = include.has("policies") ? canonical : unknown
    const { descriptions, policies } = yield* Effect.all(
      {
        policies:
          listed.length === 0
            ? Effect.succeed(new Map<string, ReadonlyArray<CodePolicy>>())
            : codes.policies({ codes: listed, place, asOf, limit: policiesMax }),
        descriptions:
          unknown.length === 0
            ? Effect.succeed(new Map<string, string>())
            : codes.descriptions({ codes: unknown, asOf })
      },
      { concurrency: 2 }
    )
    const library = { ...asked, records, fees, tables, policies, descriptions }
    return new Map(asked.codes.map((text) => [text, viewOf(text, library)]))
  })

  const lookupCode: Handler<"lookupCode"> = ({ query }, context) =>
    Effect.gen(function* () {
      const place =
        query.jurisdiction === undefined
          ? null
          : resolvePlace(query.jurisdiction, yield* jurisdictions.jurisdictions)
      if (place === undefined) return refused("RESOURCE_JURISDICTION_NOT_FOUND")
      const text = query.code.trim()
      const codeSystem = query.code_system ?? null
      const asOf = query.as_of ?? context.today
      const include = servedIncludes(query.include)
      const found = (yield* lookup({ codes: [text], codeSystem, place, asOf, include })).get(text)
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
        include: new Set(include)
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

/** What the library holds of all the codes of a call. */
interface Found extends Lookup {
  readonly records: ReadonlyArray<CodeRecord>
  readonly fees: ReadonlyArray<CodeFee>
  readonly tables: ReadonlyArray<CodeTableEdition>
  readonly policies: ReadonlyMap<string, ReadonlyArray<CodePolicy>>
  readonly descriptions: ReadonlyMap<string, string>
}

const viewOf = (text: string, found: Found): CodeView | undefined => {
  const code = canonicalCode(text)
  const policies = found.policies.get(code) ?? []
  const fee = found.fees.find((one) => one.code === code)
  const included = {
    ...(found.include.has("rvu") ? { rvu: fee === undefined ? null : rvuView(fee) } : {}),
    ...(found.include.has("policies") ? { policies: policies.map(policyView) } : {})
  }
  const record = preferred(
    text,
    found.records.filter((candidate) => candidate.code === code)
  )
  if (record !== undefined) return { ...recordView(record, { ...found, fee }), ...included }
  const codeSystem = policies
    .map((policy) => policy.codeSystem)
    .find((system) => found.codeSystem === null || found.codeSystem === system)
  if (codeSystem === undefined) return undefined
  return {
    ...absentView(displayCode({ codeSystem, code })),
    code_system: codeSystem,
    found: true,
    description: found.descriptions.get(`${codeSystem} ${code}`) ?? null,
    ...included
  }
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

const recordView = (
  record: CodeRecord,
  { asOf, fee, tables }: Pick<Found, "asOf" | "tables"> & { readonly fee: CodeFee | undefined }
): CodeView => {
  const answering = tableOn(tables, { codeSystem: record.codeSystem, day: asOf })
  const holding = answering !== undefined && mayHold(answering.table, record) ? answering.table : undefined
  return {
    code: displayCode(record),
    code_system: record.codeSystem,
    found: true,
    description: record.description,
    short_description: record.shortDescription,
    category: record.category,
    betos_code: record.betosCode,
    poa_exempt: record.poaExempt,
    is_active:
      record.codeSystem === "CPT"
        ? isValued(fee)
        : isInForce(record, { asOf, judges: answering?.judges === true }),
    effective_date: record.effectiveDate,
    termination_date: record.terminationDate,
    edition: (record.codeSystem === "CPT" ? fee?.edition : holding?.name) ?? null
  }
}

/** The fee schedule of the day says whether a CPT code is in use (`D` is a deleted one); no other can. */
const isValued = (fee: CodeFee | undefined): boolean | null =>
  fee === undefined || !fee.judges ? null : fee.statusCode !== "D"

/** A code that ended stays ended; of any other nobody can say whether it is in use on a day of no table. */
const isInForce = (
  record: CodeRecord,
  { asOf, judges }: { readonly asOf: IsoDate; readonly judges: boolean }
): boolean | null => {
  if (record.terminationDate !== null && record.terminationDate < asOf) return false
  if (!judges) return null
  return record.billable && (record.effectiveDate === null || record.effectiveDate <= asOf)
}

const rvuView = (fee: CodeFee): NonNullable<CodeView["rvu"]> => ({
  work_rvu: fee.workRvu,
  non_facility_pe_rvu: fee.nonFacilityPeRvu,
  facility_pe_rvu: fee.facilityPeRvu,
  mp_rvu: fee.mpRvu,
  non_facility_total: fee.nonFacilityTotal,
  facility_total: fee.facilityTotal,
  status_code: fee.statusCode,
  global_days: fee.globalDays,
  conversion_factor: fee.conversionFactor,
  source: "Medicare physician fee schedule",
  edition: fee.edition
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
  edition: null
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
