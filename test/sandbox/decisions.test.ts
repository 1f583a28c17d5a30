import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { sandboxLibrary } from "../../apps/sandbox/library.ts"
import { emptyFacts } from "../../core/coverage/CoverageDecision.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import type { CoverageQuery, CoverageStatus } from "../../core/coverage/CoverageDecision.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Policies } from "../../core/port/Policies.ts"
import { day, everyDay } from "../kit/library.ts"

const query: CoverageQuery = {
  procedureCodes: [],
  diagnosisCodes: [],
  modifiers: [],
  dateOfService: day("2026-06-01"),
  scope: { _tag: "Medicare" },
  place: null,
  siteOfService: null,
  ageCategory: null,
  sex: null,
  providerSpecialty: null,
  attestedConditions: []
}

type Given = Partial<CoverageQuery>
const asking = (procedure: string, ...diagnoses: ReadonlyArray<string>): Given => ({
  procedureCodes: [procedure],
  diagnosisCodes: diagnoses
})
const texas: Given = { place: { states: ["TX"], jurisdictions: ["JH", "DME JC"] } }
const california: Given = { place: { states: ["CA"], jurisdictions: ["JE"] } }

interface Case {
  readonly says: string
  readonly given: Given
  readonly payer?: string
  /** Every condition of the first answer is attested in the second, which counts. */
  readonly attested?: boolean
  readonly status: CoverageStatus
}

const cases: ReadonlyArray<Case> = [
  {
    says: "a listed diagnosis in Texas, whose LCD's text is left to read",
    given: { ...asking("62323", "M5416"), ...texas },
    status: "conditional"
  },
  {
    says: "one that two lists of its article contradict each other on",
    given: { ...asking("62323", "M48062"), ...texas },
    attested: true,
    status: "conditional"
  },
  {
    says: "a listed diagnosis with that text attested",
    given: { ...asking("62323", "M5416"), ...texas },
    attested: true,
    status: "covered"
  },
  {
    says: "the same in California, where it is refused",
    given: { ...asking("62323", "M48062"), ...california },
    status: "not_covered"
  },
  { says: "no diagnosis", given: { ...asking("62323"), ...texas }, status: "conditional" },
  { says: "an asterisk", given: { ...asking("64642", "G800"), ...texas }, status: "conditional" },
  {
    says: "another procedure's diagnosis",
    given: { ...asking("64615", "G245"), ...texas },
    status: "not_covered"
  },
  {
    says: "one of two required diagnoses",
    given: { ...asking("11721", "E1151"), ...texas },
    status: "conditional"
  },
  {
    says: "both, with the rest attested",
    given: { ...asking("11721", "B351", "I70203"), ...texas },
    attested: true,
    status: "covered"
  },
  { says: "a policy to come", given: { ...asking("15271"), ...texas }, status: "unknown" },
  { says: "a code of no policy", given: { ...asking("97597"), ...texas }, status: "unknown" },
  {
    says: "a payer's list of what it does not cover",
    given: { ...asking("E0720"), ...texas },
    payer: "northstar",
    status: "not_covered"
  },
  {
    says: "a payer's criterion that the site violates",
    given: { ...asking("62323", "M5416"), ...texas, siteOfService: "home" },
    payer: "northstar",
    status: "not_covered"
  },
  {
    says: "a payer's criterion that the sex violates",
    given: { ...asking("81420", "Z3481"), ...texas, sex: "male" },
    payer: "cedar-valley",
    status: "not_covered"
  },
  {
    says: "a payer's criterion that nobody can judge from what was said",
    given: { ...asking("81420", "Z3481"), ...texas },
    payer: "cedar-valley",
    status: "conditional"
  }
]

const statusOf = ({ attested, given, payer }: Case) =>
  Effect.gen(function* () {
    const found = (yield* (yield* Payers).list).find((one) => one.code === payer)
    const asked: CoverageQuery = {
      ...query,
      ...given,
      ...(found === undefined ? {} : { scope: { _tag: "Payer", payer: found, lineOfBusiness: null } })
    }
    const { dateOfService: asOf, diagnosisCodes, procedureCodes: codes } = asked
    const policies = yield* (yield* Policies).candidates({ codes, asOf })
    const records = yield* (yield* Codes).find({
      codes: [...codes, ...diagnosisCodes],
      codeSystem: null,
      asOf
    })
    const facts = { ...emptyFacts, codeTables: everyDay, policies, codes: records }
    const first = decide(facts, asked)
    const attestedConditions = first.conditions.map((one) => one.conditionId)
    return (attested === true ? decide(facts, { ...asked, attestedConditions }) : first).status
  })

describe("the sandbox's library shows every way in which coverage is decided (coverage-domain §2.1)", () => {
  it.effect("as the policies that it holds say", () =>
    Effect.gen(function* () {
      const decided = yield* Effect.forEach(cases, (one) =>
        Effect.map(statusOf(one), (status) => [one.says, status])
      )
      expect(decided).toEqual(cases.map((one) => [one.says, one.status]))
    }).pipe(Effect.provide(sandboxLibrary.pipe(Layer.provide(nodeCrypto))))
  )
})
