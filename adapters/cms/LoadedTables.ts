import type { CodeDescription } from "../../core/coverage/Code.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { Contractor, Territory } from "./contractors.ts"
import type { LocalRecords } from "./LocalRecord.ts"

/** The kinds of local document; their tables are named alike. */
export type LocalKind = "lcd" | "article"

/** A row of ncd_trkg.csv. */
export interface NcdRow {
  readonly number: string
  readonly version: number
  /** The cells of `ncdColumns`. */
  readonly cells: ReadonlyArray<string>
  readonly sha256: string
}

/** A code's description, and the time at which its row was updated. */
export interface DatedDescription extends CodeDescription {
  readonly updated: string
}

/** What reading the tables fills; documents are made of it afterwards, one at a time. */
export interface LoadedTables {
  readonly local: Readonly<Record<LocalKind, LocalRecords>>
  /** Days on which documents are announced to retire, by their number. */
  readonly retires: Readonly<Record<LocalKind, Map<string, IsoDate>>>
  /** NCDs by their number, each with its versions in the order of the file. */
  readonly ncds: Map<string, Array<NcdRow>>
  readonly byKey: Map<string, Contractor>
  readonly territories: Map<string, Array<Territory>>
  readonly regions: Map<string, { readonly dme: string; readonly other: string }>
  readonly states: Map<string, string>
  /** One copy of every code: the largest table repeats 70,000 codes 431,120 times. */
  readonly codes: Map<string, string>
  /**
   * What the newest row says of each code, by system and code: a description is kept once and not with each
   * of the 431,120 entries.
   */
  readonly descriptions: Map<string, DatedDescription>
  /** Listed codes that are none, such as CMS's XX000 for "not applicable". */
  placeholders: number
}

export const emptyTables = (): LoadedTables => ({
  local: { lcd: new Map(), article: new Map() },
  retires: { lcd: new Map(), article: new Map() },
  ncds: new Map(),
  byKey: new Map(),
  territories: new Map(),
  regions: new Map(),
  states: new Map(),
  codes: new Map(),
  descriptions: new Map(),
  placeholders: 0
})
