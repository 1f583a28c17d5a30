import * as Effect from "effect/Effect"
import { absentCodeMessage, editionAtHand } from "../coverage/absentCode.ts"
import { isHeader, possibleChildren } from "../coverage/codeChildren.ts"
import { canonicalCode, procedureSystem } from "../coverage/codeText.ts"
import { resolvePlace } from "../coverage/place.ts"
import { refused } from "../error/Refusal.ts"
import { servedIncludes } from "../operation/includes.ts"
import { Codes } from "../port/Codes.ts"
import type { CodePolicy } from "../port/Codes.ts"
import { Payers } from "../port/Payers.ts"
import type { CallContext, Handler } from "./Handler.ts"
import { absentView, suggestionView, viewOf } from "./codeView.ts"
import type { Lookup, LookupFacts } from "./codeView.ts"

/** At most this many policies are shown with a code; GET /policies lists them all. */
const policiesMax = 50
const suggestionsMax = 5

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
    // Only a header costs this read, and it waits with the others.
    const possible = records.filter(isHeader).flatMap(({ code }) => possibleChildren(code))
    const { children, descriptions, policies } = yield* Effect.all(
      {
        children:
          possible.length === 0
            ? Effect.succeed([])
            : codes.find({ codes: possible, codeSystem: "ICD10CM", asOf }),
        policies:
          listed.length === 0
            ? Effect.succeed(new Map<string, ReadonlyArray<CodePolicy>>())
            : codes.policies({ codes: listed, place, asOf, limit: policiesMax }),
        descriptions:
          unknown.length === 0
            ? Effect.succeed(new Map<string, string>())
            : codes.descriptions({ codes: unknown, asOf })
      },
      { concurrency: 3 }
    )
    const library: LookupFacts = { ...asked, records, children, fees, tables, policies, descriptions }
    return { tables, views: new Map(asked.codes.map((text) => [text, viewOf(text, library)])) }
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
      const { tables, views } = yield* lookup({ codes: [text], codeSystem, place, asOf, include })
      const found = views.get(text)
      if (found !== undefined) return { _tag: "Data", data: found }
      const absent = { text, codeSystem, tables, asOf }
      const suggestions = (yield* codes.suggest({ text, codeSystem, limit: suggestionsMax })).map(
        suggestionView
      )
      return query.fuzzy === "true"
        ? { _tag: "Data", data: { ...absentView(text, editionAtHand(absent)), suggestions } }
        : { ...refused("RESOURCE_CODE_NOT_FOUND", { suggestions }), message: absentCodeMessage(absent) }
    })

  const batchCodes: Handler<"batchCodes"> = ({ body }, context: CallContext) =>
    Effect.gen(function* () {
      const written = body.codes.map((code) => code.trim())
      const unique = [...new Set(written)]
      const include = [...servedIncludes(body.include)]
      const codeSystem = body.code_system ?? null
      const asOf = context.today
      const { tables, views } = yield* lookup({
        codes: unique,
        codeSystem,
        place: null,
        asOf,
        include: new Set(include)
      })
      const viewFor = (text: string) =>
        views.get(text) ?? absentView(text, editionAtHand({ text, codeSystem, tables, asOf }))
      const results = Object.fromEntries(unique.map((text) => [text, viewFor(text)]))
      return {
        _tag: "Data",
        data: { results },
        meta: { total_codes: written.length, unique_codes: unique.length, includes: include }
      }
    })

  return { lookupCode, batchCodes } as const
})
