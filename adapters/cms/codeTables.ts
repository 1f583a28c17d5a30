import {
  canonicalCode,
  codeSystemsLike,
  isDescriptorLicensed,
  procedureSystem
} from "../../core/coverage/codeText.ts"
import type { CodeGroupKind, CodeSystemOfPolicy } from "../../core/coverage/Policy.ts"
import { isNumber, line, sortableTime } from "./cell.ts"
import { documentTable } from "./documentTable.ts"
import type { DatedDescription, LoadedTables, LocalKind } from "./LoadedTables.ts"
import type { CodeRow } from "./LocalRecord.ts"
import { groupFor } from "./LocalRecord.ts"
import type { TableReader } from "./readTable.ts"

/** The tables of LCDs or of Articles that list codes or tell of groups of them, by name. */
export const codeTables = (
  gathered: LoadedTables,
  kind: LocalKind
): ReadonlyArray<readonly [string, TableReader]> => [
  ...lists[kind].map((table) => [`${kind}_x_${table.name}`, codeTable(gathered, kind, table)] as const),
  ...groups[kind].map(
    (table) => [`${kind}_x_${table.name}_group`, groupTable(gathered, kind, table)] as const
  )
]

interface CodeTable {
  readonly name: string
  readonly kind: CodeGroupKind
  readonly code: string
  /** Null: the table knows no groups, and all its codes are group 1. */
  readonly group: string | null
  readonly asterisk?: string
  /** The long description; it is kept of HCPCS level II and ICD-10-CM alone. */
  readonly description?: string
}

const procedures: CodeTable = {
  name: "hcpc_code",
  kind: "procedure",
  code: "hcpc_code_id",
  group: "hcpc_code_group",
  description: "long_description"
}

/** One row per table that lists codes. */
const lists: Readonly<Record<LocalKind, ReadonlyArray<CodeTable>>> = {
  lcd: [procedures],
  article: [
    procedures,
    {
      name: "icd10_covered",
      kind: "dx_covered",
      code: "icd10_code_id",
      group: "icd10_covered_group",
      asterisk: "asterisk",
      description: "description"
    },
    {
      name: "icd10_noncovered",
      kind: "dx_noncovered",
      code: "icd10_code_id",
      group: "icd10_noncovered_group",
      description: "description"
    },
    { name: "hcpc_modifier", kind: "modifier", code: "hcpc_modifier_code_id", group: "hcpc_modifier_group" },
    { name: "icd10_pcs_code", kind: "pcs", code: "icd10_pcs_code_id", group: "icd10_pcs_code_group" },
    { name: "bill_code", kind: "bill_type", code: "bill_code_id", group: null },
    { name: "revenue_code", kind: "revenue", code: "revenue_code_id", group: null }
  ]
}

interface GroupTable {
  readonly name: string
  readonly kind: CodeGroupKind
  readonly group: string
  readonly asteriskText?: string
}

const procedureGroups: GroupTable = { name: "hcpc_code", kind: "procedure", group: "hcpc_code_group" }

/** One row per table of paragraphs about groups of codes. */
const groups: Readonly<Record<LocalKind, ReadonlyArray<GroupTable>>> = {
  lcd: [procedureGroups],
  article: [
    procedureGroups,
    {
      name: "icd10_covered",
      kind: "dx_covered",
      group: "icd10_covered_group",
      asteriskText: "icd10_covered_ast"
    },
    { name: "icd10_noncovered", kind: "dx_noncovered", group: "icd10_noncovered_group" },
    { name: "hcpc_modifier", kind: "modifier", group: "hcpc_modifier_group" },
    { name: "icd10_pcs_code", kind: "pcs", group: "icd10_pcs_code_group" }
  ]
}

const codeTable = (gathered: LoadedTables, kind: LocalKind, table: CodeTable): TableReader => {
  const described = table.description === undefined ? [] : [table.description]
  const optional = [table.group, table.asterisk ?? null].filter((name) => name !== null)
  return documentTable(gathered, {
    kind,
    columns: [table.code, "last_updated", ...described, ...optional],
    keep: (record, [, , code = "", updated = "", ...rest]) => {
      const [group = "1", asterisk = ""] = rest.slice(described.length)
      if (!isNumber(group)) return `${table.group} must be a number`
      if (code.trim() === "") return `${table.code} is empty`
      const written = canonicalCode(code)
      const canonical = gathered.codes.get(written) ?? written
      gathered.codes.set(canonical, canonical)
      const codeSystem = systemOf(table.kind, canonical)
      if (codeSystem === undefined) {
        gathered.placeholders += 1
        return undefined
      }
      if (described.length > 0)
        describe(gathered, {
          code: canonical,
          codeSystem,
          description: rest[0] ?? "",
          updated: sortableTime(updated)
        })
      const { codes } = groupFor(record, { kind: table.kind, group: Number(group) })
      const marked = /^(Y|\*|1|T|true)$/i.test(asterisk.trim()) || codes.get(canonical)?.asterisk === true
      codes.set(canonical, marked ? { codeSystem, asterisk: true } : plain[codeSystem])
      return undefined
    }
  })
}

/** The newest row's description of the code counts, whichever document it is of; of one time the first. */
const describe = (
  gathered: LoadedTables,
  said: Omit<DatedDescription, "codeSystem"> & { codeSystem: CodeSystemOfPolicy }
) => {
  const { code, codeSystem } = said
  if (codeSystem !== "ICD10CM" && (codeSystem !== "HCPCS" || isDescriptorLicensed(code))) return
  const key = `${codeSystem} ${code}`
  const kept = gathered.descriptions.get(key)
  if (kept !== undefined && kept.updated >= said.updated) return
  const description = line(said.description)
  if (description !== "")
    gathered.descriptions.set(key, { code, codeSystem, description, updated: said.updated })
}

/** Nearly every entry carries no asterisk: they share one value per system. */
const plain: Readonly<Record<CodeSystemOfPolicy, CodeRow>> = {
  CPT: { codeSystem: "CPT", asterisk: false },
  HCPCS: { codeSystem: "HCPCS", asterisk: false },
  ICD10CM: { codeSystem: "ICD10CM", asterisk: false },
  ICD10PCS: { codeSystem: "ICD10PCS", asterisk: false },
  MODIFIER: { codeSystem: "MODIFIER", asterisk: false },
  BILL_TYPE: { codeSystem: "BILL_TYPE", asterisk: false },
  REVENUE: { codeSystem: "REVENUE", asterisk: false }
}

const systemOf = (kind: CodeGroupKind, code: string): CodeSystemOfPolicy | undefined => {
  switch (kind) {
    case "procedure":
      return procedureSystem(code)
    case "dx_covered":
    case "dx_noncovered":
      return codeSystemsLike(code).includes("ICD10CM") ? "ICD10CM" : undefined
    case "pcs":
      return codeSystemsLike(code).includes("ICD10PCS") ? "ICD10PCS" : undefined
    case "modifier":
      return "MODIFIER"
    case "bill_type":
      return "BILL_TYPE"
    case "revenue":
      return "REVENUE"
  }
}

const groupTable = (gathered: LoadedTables, kind: LocalKind, table: GroupTable): TableReader =>
  documentTable(gathered, {
    kind,
    columns: [table.group, "paragraph", ...(table.asteriskText === undefined ? [] : [table.asteriskText])],
    keep: (record, [, , group = "", paragraph = "", asteriskText = ""]) => {
      if (!isNumber(group)) return `${table.group} must be a number`
      const rows = groupFor(record, { kind: table.kind, group: Number(group) })
      rows.paragraph = paragraph
      rows.asteriskText = asteriskText
      return undefined
    }
  })
