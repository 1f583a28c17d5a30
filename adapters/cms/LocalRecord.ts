import type { Hash } from "node:crypto"
import { createHash } from "node:crypto"
import type { CodeGroupKind, CodeSystemOfPolicy } from "../../core/coverage/Policy.ts"

/** What a group says of one of its codes. */
export interface CodeRow {
  readonly codeSystem: CodeSystemOfPolicy
  readonly asterisk: boolean
}

/** The rows of one numbered group of codes, as they are gathered. */
export interface GroupRows {
  readonly group: number
  readonly kind: CodeGroupKind
  paragraph: string
  asteriskText: string
  /** Code to whether it carries an asterisk. */
  readonly codes: Map<string, CodeRow>
}

/** Everything that the tables say of one LCD or Article in its newest version. */
export interface LocalRecord {
  readonly number: string
  readonly version: number
  /** Its row of lcd.csv or article.csv, in the order of the columns asked for; undefined without one. */
  main: ReadonlyArray<string> | undefined
  readonly contractorKeys: Set<string>
  readonly stateIds: Set<string>
  readonly groups: Map<string, GroupRows>
  readonly articleNumbers: Set<string>
  readonly lcdNumbers: Set<string>
  readonly ncdNumbers: Set<string>
  readonly hash: Hash
}

/** The LCDs or the Articles of a snapshot, by their number. */
export type LocalRecords = Map<string, LocalRecord>

/**
 * The record that a row of this version belongs to. Tables may hold several versions of one document: only
 * the newest counts, so a newer row begins the record anew and an older one belongs nowhere (undefined). The
 * main table is read first and settles the version.
 */
export const recordFor = (
  records: LocalRecords,
  { number, version }: { readonly number: string; readonly version: number }
): LocalRecord | undefined => {
  const kept = records.get(number)
  if (kept !== undefined && kept.version === version) return kept
  if (kept !== undefined && (kept.version > version || kept.main !== undefined)) return undefined
  return begin(records, { number, version })
}

/** The record of a row of the main table: the newest row wins, and nothing but such a row begins it anew. */
export const mainRecordFor = (
  records: LocalRecords,
  { number, version }: { readonly number: string; readonly version: number }
): LocalRecord | undefined => {
  const kept = records.get(number)
  return kept !== undefined && kept.version >= version ? undefined : begin(records, { number, version })
}

/** The group of that kind and number, begun when there is none. */
export const groupFor = (
  record: LocalRecord,
  { kind, group }: { readonly kind: CodeGroupKind; readonly group: number }
): GroupRows => {
  const key = `${kind} ${group}`
  const kept = record.groups.get(key)
  if (kept !== undefined) return kept
  const rows: GroupRows = { group, kind, paragraph: "", asteriskText: "", codes: new Map() }
  record.groups.set(key, rows)
  return rows
}

const begin = (
  records: LocalRecords,
  { number, version }: { readonly number: string; readonly version: number }
): LocalRecord => {
  const record: LocalRecord = {
    number,
    version,
    main: undefined,
    contractorKeys: new Set(),
    stateIds: new Set(),
    groups: new Map(),
    articleNumbers: new Set(),
    lcdNumbers: new Set(),
    ncdNumbers: new Set(),
    hash: createHash("sha256")
  }
  records.set(number, record)
  return record
}
