import type { IsoDate } from "../../core/coverage/date.ts"
import type { PolicyId, RelatedPolicy } from "../../core/coverage/Policy.ts"
import { articleId, lcdId } from "../../core/coverage/policyId.ts"
import type { PolicyContents, SourcePolicy } from "../../core/import/PolicySource.ts"
import type { Contractors } from "./contractors.ts"
import { jurisdictionsFrom } from "./contractors.ts"
import type { LoadedTables, LocalKind } from "./LoadedTables.ts"
import type { LocalRecord } from "./LocalRecord.ts"
import { localDocument, localPolicyId } from "./localDocument.ts"
import { ncdDocument, ncdPolicyId } from "./ncdDocument.ts"

/** What reading every table came to. */
export interface FileContents {
  readonly snapshotId: string
  readonly sourceAsOf: IsoDate
  readonly gathered: LoadedTables
  /** Names of the tables that were there. */
  readonly tables: ReadonlySet<string>
  readonly gaps: ReadonlyArray<string>
}

/** The gathered rows as policies: national ones, LCDs, then Articles, each by its number. */
export const contentsOf = (reading: FileContents): PolicyContents => {
  const { gathered, sourceAsOf } = reading
  const contractors: Contractors = gathered
  const links = linksOf(gathered)
  return {
    snapshot: { snapshotId: reading.snapshotId, kind: "mcd", sourceAsOf },
    policies: [
      ...nationalPolicies(gathered),
      ...localPolicies(reading, "lcd", contractors, links),
      ...localPolicies(reading, "article", contractors, links)
    ],
    descriptions: [...gathered.descriptions.values()].map(({ updated: _, ...described }) => described),
    jurisdictions: contractors.byKey.size === 0 ? [] : jurisdictionsFrom(contractors, sourceAsOf),
    gaps: [...reading.gaps, ...gapsOf(reading)]
  }
}

const nationalPolicies = (gathered: LoadedTables): ReadonlyArray<SourcePolicy> => {
  const rows = [...gathered.ncds.values()].flat()
  return [...Map.groupBy(rows, ncdPolicyId)]
    .map(([policyId, versions]) => ({
      policyId,
      versions: versions.toSorted((a, b) => a.version - b.version).map((row) => () => ncdDocument(row))
    }))
    .toSorted(byId)
}

const localPolicies = (
  { gathered, sourceAsOf, tables }: FileContents,
  kind: LocalKind,
  contractors: Contractors,
  links: Links
): ReadonlyArray<SourcePolicy> =>
  [...gathered.local[kind].values()]
    .map((record) => ({
      policyId: localPolicyId(kind, record),
      versions: [
        () =>
          localDocument(kind, record, {
            contractors,
            asOf: sourceAsOf,
            hasMainTable: tables.has(kind),
            retires: gathered.retires[kind].get(record.number),
            related: links(kind, record)
          })
      ]
    }))
    .toSorted(byId)

const byId = (a: SourcePolicy, b: SourcePolicy): number => (a.policyId < b.policyId ? -1 : 1)

type Links = (kind: LocalKind, record: LocalRecord) => ReadonlyArray<RelatedPolicy>

/**
 * Related policies, sorted by id. LCDs and Articles name each other, and where only one does, both are
 * linked. An NCD is linked from the documents that name it and not back: it would change whenever any of them
 * does.
 */
const linksOf = (gathered: LoadedTables): Links => {
  const sections = new Map(
    [...gathered.ncds].flatMap(([number, [row]]) =>
      row === undefined ? [] : [[number, ncdPolicyId(row)] as const]
    )
  )
  const reverse = reverseLinks(gathered)
  return (kind, record) => {
    const related = new Map<PolicyId, RelatedPolicy["policyType"]>()
    for (const number of record.lcdNumbers) related.set(idOf(gathered, "lcd", number), "LCD")
    for (const number of record.articleNumbers) related.set(idOf(gathered, "article", number), "Article")
    for (const number of record.ncdNumbers) {
      const policyId = sections.get(number)
      if (policyId !== undefined) related.set(policyId, "NCD")
    }
    const other: LocalKind = kind === "lcd" ? "article" : "lcd"
    for (const number of reverse[kind].get(record.number) ?? []) {
      related.set(idOf(gathered, other, number), other === "lcd" ? "LCD" : "Article")
    }
    related.delete(localPolicyId(kind, record))
    return [...related]
      .map(([policyId, policyType]) => ({ policyId, policyType }))
      .toSorted((a, b) => (a.policyId < b.policyId ? -1 : 1))
  }
}

const idOf = (gathered: LoadedTables, kind: LocalKind, number: string): PolicyId => {
  const record = gathered.local[kind].get(number)
  if (record !== undefined) return localPolicyId(kind, record)
  return kind === "lcd" ? lcdId({ number, proposed: false }) : articleId({ number, proposed: false })
}

type NumbersByNumber = ReadonlyMap<string, ReadonlyArray<string>>

/** For each document the numbers of those of the other kind that name it. */
const reverseLinks = (gathered: LoadedTables): Readonly<Record<LocalKind, NumbersByNumber>> => {
  const turned = (records: Iterable<LocalRecord>, named: (record: LocalRecord) => Iterable<string>) => {
    const links = new Map<string, Array<string>>()
    for (const record of records) {
      for (const number of named(record)) links.set(number, [...(links.get(number) ?? []), record.number])
    }
    return links
  }
  return {
    article: turned(gathered.local.lcd.values(), (record) => record.articleNumbers),
    lcd: turned(gathered.local.article.values(), (record) => record.lcdNumbers)
  }
}

const bareMeans = "(no title, dates or text; never more than conditional)"

/** What the operator should know is missing, in sentences; counts of zero say nothing. */
const gapsOf = ({ gathered, tables }: FileContents): ReadonlyArray<string> => {
  const records = { lcd: [...gathered.local.lcd.values()], article: [...gathered.local.article.values()] }
  const all = [...records.lcd, ...records.article]
  const named = new Set(all.flatMap((record) => [...record.ncdNumbers]))
  const unnamed = [...named].filter((number) => !gathered.ncds.has(number))
  const bare = (kind: LocalKind): number => records[kind].filter((record) => record.main === undefined).length
  const said: ReadonlyArray<readonly [number, string]> = [
    [bare("lcd"), `LCDs without a row of lcd.csv ${bareMeans}`],
    [bare("article"), `Articles without a row of article.csv ${bareMeans}`],
    [tables.has("article") ? 0 : 1, "article.csv is not in the snapshot: no diagnosis lists."],
    [tables.has("ncd_trkg") ? 0 : 1, "ncd_trkg.csv is not in the snapshot: no national determinations."],
    [
      all.filter((record) => record.contractorKeys.size === 0).length,
      "Local documents that name no contractor"
    ],
    [unnamed.length, "NCDs that are referred to and not in ncd_trkg.csv"],
    [gathered.placeholders, "Listed codes that are placeholders and were left out"]
  ]
  return said.flatMap(([count, words]) =>
    count === 0 ? [] : [/^[a-z_]+\.csv/.test(words) ? words : `${words}: ${count}.`]
  )
}
