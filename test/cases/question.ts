import { emptyFacts } from "../../core/coverage/CoverageDecision.ts"
import type { CodeDecision, CoverageFacts, CoverageQuery } from "../../core/coverage/CoverageDecision.ts"
import { canonicalCode } from "../../core/coverage/codeText.ts"
import { decide } from "../../core/coverage/decide/decide.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import type { Place } from "../../core/coverage/place.ts"
import { foldState } from "../../core/coverage/place.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { readingOn } from "../../core/coverage/reading.ts"
import { day } from "../kit/library.ts"
import type { Row } from "./tables.ts"
import { cell, codesOf, codeTables, documents, ncdCodes, parts } from "./tables.ts"
import { priorAuthLists, priorAuthRules } from "./tables.ts"

const plan: Payer = {
  code: "northern-plan",
  name: "Northern Plan",
  type: "commercial",
  linesOfBusiness: ["commercial", "medicare_advantage"]
}

const scopes: Readonly<Record<string, CoverageQuery["scope"]>> = {
  "": { _tag: "Medicare" },
  unknown: { _tag: "Unknown" },
  medicare_advantage: { _tag: "MedicareAdvantage", payer: null },
  "northern-plan": { _tag: "Payer", payer: plan, lineOfBusiness: null },
  "northern-plan commercial": { _tag: "Payer", payer: plan, lineOfBusiness: "commercial" },
  "northern-plan medicare_advantage": { _tag: "MedicareAdvantage", payer: plan }
}

const given = <Text extends string>(text: string): Text | null => (text === "" ? null : (text as Text))

/** The place of a state as the service resolves it; `places.csv` says which jurisdictions serve it. */
const placeOf = (state: string): Place | null =>
  state === "" ? null : { states: [foldState(state) ?? state], jurisdictions: [] }

/** The question of a row, with these conditions attested. */
export const queryOf = (row: Row, attestedConditions: ReadonlyArray<string>): CoverageQuery => {
  const scope = scopes[cell(row, "payer")]
  if (scope === undefined) throw new Error(`no payer ${cell(row, "payer")}`)
  return {
    procedureCodes: parts(cell(row, "procedure")).map(canonicalCode),
    diagnosisCodes: parts(cell(row, "diagnoses")).map(canonicalCode),
    modifiers: parts(cell(row, "modifiers")),
    dateOfService: day(cell(row, "date")),
    scope,
    place: placeOf(cell(row, "state")),
    siteOfService: given(cell(row, "site")),
    ageCategory: given(cell(row, "age")),
    sex: given(cell(row, "sex")),
    providerSpecialty: null,
    attestedConditions
  }
}

/** The documents that the row puts into the library. */
export const documentsOf = (row: Row): ReadonlyArray<PolicyVersion> =>
  parts(cell(row, "documents")).map((key) => {
    const document = documents.get(key)
    if (document === undefined) throw new Error(`no document ${key}`)
    return document
  })

/**
 * What a store would give the kernel: the versions in force on the day. Proposed documents are handed over
 * too, so that the kernel itself has to leave them out.
 */
export const factsOf = (row: Row): CoverageFacts => {
  const date = day(cell(row, "date"))
  const procedures = parts(cell(row, "procedure")).map(canonicalCode)
  const [code] = procedures
  const asked = new Set([...procedures, ...parts(cell(row, "diagnoses")).map(canonicalCode)])
  const library = documentsOf(row)
  const policies = [...Map.groupBy(library, ({ policy }) => policy.policyId).values()].flatMap((versions) => {
    const reading = readingOn(versions, date)
    const mayBear = reading !== undefined && ["active", "unknown", "proposed"].includes(reading.status)
    return mayBear ? [reading.version] : []
  })
  const held = new Set<string>(library.map(({ policy }) => policy.policyId))
  const tables = parts(cell(row, "tables"))
  const lists = cell(row, "prior_auth_lists") !== ""
  return {
    ...emptyFacts,
    policies,
    codes: tables.flatMap(codesOf).filter((record) => asked.has(record.code)),
    codeTables: tables.flatMap((table) => codeTables.get(table) ?? []),
    ncdCodes: ncdCodes.filter((one) => one.code === code && held.has(one.policyId)),
    priorAuthRules: lists ? priorAuthRules.filter((rule) => rule.codes.includes(code ?? "")) : [],
    priorAuthLists: lists ? priorAuthLists : []
  }
}

/**
 * Answers about the first of the row's procedures; the others are billed with it. `all`, or words: the
 * conditions of the first answer that contain them are attested in the second. */
export const answerOf = (row: Row): { readonly decision: CodeDecision; readonly query: CoverageQuery } => {
  const facts = factsOf(row)
  const first = queryOf(row, [])
  const words = cell(row, "attested")
  const codeOf = (codes: ReadonlyArray<CodeDecision>) => decisionOf(first.procedureCodes[0], codes)
  const attested = codeOf(decide(facts, first).codes)
    .conditions.filter((one) => words === "all" || (words !== "" && one.text.includes(words)))
    .map((one) => one.conditionId)
  const query = words === "" ? first : queryOf(row, attested)
  const { codes, issues, knownGaps } = decide(facts, query)
  // What is wrong with a diagnosis stands on the whole, not on a procedure.
  return { decision: { ...codeOf(codes), issues, knownGaps }, query }
}

const decisionOf = (code: string | undefined, codes: ReadonlyArray<CodeDecision>): CodeDecision => {
  const decision = codes.find((one) => one.code === code)
  if (decision === undefined) throw new Error("no decision")
  return decision
}

/** The row as somebody would ask it, and what the table says of it. */
export const inWords = (row: Row): string => {
  const asked = [
    `${cell(row, "case")}: is ${cell(row, "procedure")} covered`,
    ...["diagnoses", "state", "site", "payer", "modifiers", "age", "sex", "attested"].flatMap((column) =>
      cell(row, column) === "" ? [] : [`${column} ${cell(row, column)}`]
    ),
    `on ${cell(row, "date")}, with ${cell(row, "documents") || "no document"}?`
  ]
  const expected = `${cell(row, "coverage_status")}, diagnosis ${cell(row, "diagnosis_support")}`
  return `${asked.join(", ")}\nExpected: ${expected}. ${cell(row, "why")}\n"${cell(row, "deciding_sentence")}"`
}
