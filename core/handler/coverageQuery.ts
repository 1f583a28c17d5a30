import * as Effect from "effect/Effect"
import { foldCode } from "../coverage/codeShape.ts"
import { canonicalCode } from "../coverage/codeText.ts"
import type { AgeCategory, Sex } from "../coverage/Criterion.ts"
import type { IsoDate } from "../coverage/date.ts"
import type { CoverageFacts, CoverageQuery } from "../coverage/CoverageDecision.ts"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import { payerScope } from "../coverage/payerScope.ts"
import type { PlanType } from "../coverage/payerScope.ts"
import { resolvePlace } from "../coverage/place.ts"
import { canonicalSite } from "../coverage/site.ts"
import { refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { Codes } from "../port/Codes.ts"
import { Payers } from "../port/Payers.ts"
import { NcdCodes } from "../port/NcdCodes.ts"
import { Policies } from "../port/Policies.ts"
import { PriorAuthLists } from "../port/PriorAuthLists.ts"
import type { CallContext, Unavailable } from "./Handler.ts"

/** What bodies that ask about coverage may say; what is absent was not said. */
export interface CoverageBody {
  readonly procedure_codes: ReadonlyArray<string>
  readonly diagnosis_codes?: ReadonlyArray<string>
  readonly modifiers?: ReadonlyArray<string>
  readonly payer?: string
  readonly plan_type?: PlanType
  readonly line_of_business?: string
  readonly provider_specialty?: string
  readonly state?: string
  readonly date_of_service?: IsoDate
  readonly site_of_service?: string
  readonly age_category?: AgeCategory
  readonly sex_when_policy_relevant?: Sex
  readonly attested_conditions?: ReadonlyArray<string>
}

/** A body understood, and all that the library holds that may bear on it. */
export interface CoverageQuestion {
  readonly query: CoverageQuery
  readonly facts: CoverageFacts
  /** False: a payer was named whom nobody knows. */
  readonly payerKnown: boolean
  readonly jurisdictions: ReadonlyArray<Jurisdiction>
}

/** Reads a body as a question of the kernel's, in one step of independent reads. */
export const makeCoverageQuery = Effect.gen(function* () {
  const policies = yield* Policies
  const codes = yield* Codes
  const jurisdictions = yield* Payers
  const payers = yield* Payers
  const priorAuthLists = yield* PriorAuthLists
  const ncdCodes = yield* NcdCodes

  const factsFor = (query: CoverageQuery) =>
    Effect.all(
      {
        policies: policies.candidates({
          codes: query.procedureCodes,
          asOf: query.dateOfService
        }),
        codes: codes.find({
          codes: [...new Set([...query.procedureCodes, ...query.diagnosisCodes])],
          codeSystem: null,
          asOf: query.dateOfService
        }),
        listed: priorAuthLists.among({ codes: query.procedureCodes }),
        ncdCodes: ncdCodes.among({ codes: query.procedureCodes }),
        codeTables: codes.tables
      },
      { concurrency: 5 }
    ).pipe(
      Effect.map(
        ({ listed, ...found }): CoverageFacts => ({
          ...found,
          priorAuthRules: listed.rules,
          priorAuthLists: listed.lists
        })
      )
    )

  return (
    body: CoverageBody,
    { today }: CallContext
  ): Effect.Effect<CoverageQuestion | Refusal, Unavailable> =>
    Effect.gen(function* () {
      const known = yield* jurisdictions.jurisdictions
      const place = body.state === undefined ? null : resolvePlace(body.state, known)
      if (place === undefined) return refused("RESOURCE_JURISDICTION_NOT_FOUND")
      const { payerKnown, scope } = payerScope(
        {
          payer: body.payer ?? null,
          planType: body.plan_type ?? null,
          lineOfBusiness: body.line_of_business ?? null
        },
        yield* payers.list
      )
      const query = { ...wordsOf(body), dateOfService: body.date_of_service ?? today, scope, place }
      return {
        query,
        facts: yield* factsFor(query),
        payerKnown,
        jurisdictions: known
      }
    })
})

const wordsOf = (body: CoverageBody) => ({
  procedureCodes: canonical(body.procedure_codes),
  diagnosisCodes: canonical(body.diagnosis_codes ?? []),
  modifiers: [...new Set((body.modifiers ?? []).map(foldCode))],
  siteOfService: body.site_of_service === undefined ? null : (canonicalSite(body.site_of_service) ?? null),
  ageCategory: body.age_category ?? null,
  sex: body.sex_when_policy_relevant ?? null,
  providerSpecialty: body.provider_specialty ?? null,
  attestedConditions: body.attested_conditions ?? []
})

/** Sorted, so that the order of the request cannot show anywhere. */
const canonical = (codes: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(codes.map(canonicalCode))].toSorted()
