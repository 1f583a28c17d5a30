import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import type { CodeRecord } from "../../core/coverage/Code.ts"
import type { CodeTableEdition } from "../../core/coverage/CodeTable.ts"
import { canonicalCode, procedureSystem } from "../../core/coverage/codeText.ts"
import type { Criterion } from "../../core/coverage/Criterion.ts"
import type { NcdCode } from "../../core/coverage/NcdCode.ts"
import type { CodeGroup, CriteriaBlock, PolicyVersion } from "../../core/coverage/Policy.ts"
import type { PriorAuthList, PriorAuthRule } from "../../core/coverage/PriorAuthRule.ts"
import { day, documentOf, id, recordOf, time } from "../kit/library.ts"

/** The tables of the worked cases, as README.md describes them; every cell is text. */
export type Row = Readonly<Record<string, string>>

const read = (name: string): ReadonlyArray<Row> =>
  parse(readFileSync(join(import.meta.dirname, `${name}.csv`), "utf8"), { columns: true })

/** A cell of the row; a column that the table does not have is a mistake of this file. */
export const cell = (row: Row, column: string): string => {
  const text = row[column]
  if (text === undefined) throw new Error(`no column ${column}`)
  return text
}

/** The parts of a cell that holds several values. */
export const parts = (text: string): ReadonlyArray<string> => text.split("|").filter((part) => part !== "")

export const questions = read("questions")

const orNull = (text: string): string | null => (text === "" ? null : text)
const dayOrNull = (text: string) => (text === "" ? null : day(text))

const places = new Map(read("places").map((row) => [cell(row, "jurisdiction"), row] as const))
const groupRows = Map.groupBy(read("groups"), (row) => cell(row, "document"))
const blockRows = Map.groupBy(read("blocks"), (row) => cell(row, "document"))

const systemOf = (kind: string, code: string) =>
  kind === "procedure" ? (procedureSystem(code) ?? "HCPCS") : "ICD10CM"

const entryOf =
  (kind: string) =>
  (text: string): CodeGroup["codes"][number] => {
    const code = canonicalCode(text.replace("*", ""))
    return { code, codeSystem: systemOf(kind, code), asterisk: text.endsWith("*"), source: "document" }
  }

const groupOf = (row: Row): CodeGroup => {
  const kind = cell(row, "kind")
  const disposition = orNull(cell(row, "disposition")) as CodeGroup["disposition"] | null
  return {
    group: Number(cell(row, "group")),
    kind: kind as CodeGroup["kind"],
    paragraph: orNull(cell(row, "paragraph")),
    asteriskText: orNull(cell(row, "asterisk_text")),
    codes: cell(row, "codes")
      .split(" ")
      .filter((code) => code !== "")
      .map(entryOf(kind))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    ...(disposition === null || disposition === undefined ? {} : { disposition })
  }
}

const blockOf = (row: Row, index: number): CriteriaBlock => {
  const logic = cell(row, "logic")
  return {
    blockId: `b${index + 1}`,
    section: cell(row, "section") as CriteriaBlock["section"],
    text: cell(row, "text"),
    logicAst: logic === "" ? null : (JSON.parse(logic) as Criterion),
    tags: null,
    requiresManualReview: logic === "",
    confidenceScore: null
  }
}

const typeOf = (policyId: string) =>
  policyId.startsWith("NCD") ? "NCD" : /^D?A/.test(policyId) ? "Article" : "LCD"

/** `A99604/2` is version 2 of A99604. */
const versionOf = (row: Row): PolicyVersion => {
  const key = cell(row, "document")
  const [policyId = "", version = "1"] = key.split("/")
  const jurisdictions = parts(cell(row, "contractors"))
  const own = parts(cell(row, "states"))
  const served = jurisdictions.flatMap((one) => cell(places.get(one) ?? {}, "states").split(" "))
  const criteria = (blockRows.get(key) ?? []).map(blockOf)
  return {
    ...documentOf({
      policyId,
      title: cell(row, "title"),
      documentVersion: orNull(cell(row, "document_version")),
      status: cell(row, "status") as PolicyVersion["status"],
      effectiveDate: dayOrNull(cell(row, "effective")),
      retireDate: dayOrNull(cell(row, "retires")),
      coverageLevel: cell(row, "level") === "" ? null : Number(cell(row, "level")),
      contractors: jurisdictions.map((jurisdictionCode) => ({
        contractorNumber: cell(places.get(jurisdictionCode) ?? {}, "contractor"),
        name: `Contractor of ${jurisdictionCode}`,
        jurisdictionCode
      })),
      states: own.length > 0 ? own : [...new Set(served)].toSorted(),
      national: cell(row, "type") === "NCD" || cell(row, "payer") !== "",
      codeGroups: (groupRows.get(key) ?? []).map(groupOf),
      criteria,
      related: parts(cell(row, "related")).map((one) => ({ policyId: id(one), policyType: typeOf(one) })),
      sourceUrl: orNull(cell(row, "source_url")),
      sourceShape: criteria.length > 0 ? "criteria_backed" : "code_list_only"
    }),
    policy: {
      policyId: id(policyId),
      policyType: cell(row, "type") as PolicyVersion["policy"]["policyType"],
      payerCode: orNull(cell(row, "payer")) ?? "medicare",
      lineOfBusiness: orNull(cell(row, "line_of_business"))
    },
    version: Number(version),
    fingerprintSha256: key.padStart(64, "0"),
    recordedAt: time("2026-01-02T00:00:00.000Z")
  }
}

/** Every document by its name in the tables. */
export const documents: ReadonlyMap<string, PolicyVersion> = new Map(
  read("documents").map((row) => [cell(row, "document"), versionOf(row)] as const)
)

export const ncdCodes: ReadonlyArray<NcdCode> = read("curated").map((row) => ({
  policyId: id(cell(row, "policy_id")),
  code: cell(row, "code"),
  role: cell(row, "role") as NcdCode["role"],
  source: "worked cases",
  sourceUrl: null
}))

export const codeTables: ReadonlyMap<string, CodeTableEdition> = new Map(
  read("tables").map((row) => {
    const name = cell(row, "table")
    const [from, until] = [day(cell(row, "from")), dayOrNull(cell(row, "until"))]
    return [name, { codeSystem: cell(row, "code_system") as CodeRecord["codeSystem"], name, from, until }]
  })
)

/** The records of a table of codes. */
export const codesOf = (table: string): ReadonlyArray<CodeRecord> =>
  codeRows
    .filter((row) => cell(row, "table") === table)
    .map((row) =>
      recordOf({
        code: canonicalCode(cell(row, "code")),
        codeSystem: codeTables.get(table)?.codeSystem ?? "HCPCS",
        coverageCode: orNull(cell(row, "coverage_code")),
        billable: cell(row, "billable") === "yes",
        effectiveDate: dayOrNull(cell(row, "effective")),
        terminationDate: dayOrNull(cell(row, "ends"))
      })
    )

const codeRows = read("codes")
const priorAuthRows = read("prior-auth")

/** The federal lists, in the columns of the service's own import. */
export const priorAuthRules: ReadonlyArray<PriorAuthRule> = priorAuthRows.map((row, index) => ({
  ruleId: `case-${index + 1}`,
  payerCode: "medicare",
  program: cell(row, "program") as PriorAuthRule["program"],
  category: "Worked cases",
  codes: [cell(row, "code")],
  states: cell(row, "states") === "ALL" ? "all" : parts(cell(row, "states")),
  sites: cell(row, "sites") === "ALL" ? "all" : parts(cell(row, "sites")),
  effectiveDate: day(cell(row, "effective_date")),
  endDate: dayOrNull(cell(row, "end_date")),
  suspended: [],
  documentation: [],
  ...(cell(row, "with_codes") === "" ? {} : { withCodes: parts(cell(row, "with_codes")) }),
  sourceUrl: orNull(cell(row, "source_url"))
}))

export const priorAuthLists: ReadonlyArray<PriorAuthList> = [
  ...new Map(
    priorAuthRows.map((row) => [
      cell(row, "program"),
      {
        program: cell(row, "program"),
        listAsOf: day(cell(row, "list_as_of")),
        sourceUrl: orNull(cell(row, "source_url"))
      }
    ])
  ).values()
]

/** Everything that a document says, in which a quote must be found. */
export const textsOf = (document: PolicyVersion): ReadonlyArray<string> => [
  document.title,
  ...document.criteria.map((block) => block.text),
  ...document.codeGroups.flatMap((group) => [group.paragraph ?? "", group.asteriskText ?? ""])
]
