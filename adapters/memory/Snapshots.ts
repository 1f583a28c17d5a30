import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import { editionText, endedBefore } from "../../core/coverage/edition.ts"
import type { CodeRecord, CodeSystem } from "../../core/coverage/Code.ts"
import { pairKey, unitKey } from "../../core/coverage/editsAmong.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { FeeScheduleRow } from "../../core/coverage/FeeScheduleRow.ts"
import type { Jurisdiction } from "../../core/coverage/Jurisdiction.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { canonicalDocument, revise } from "../../core/coverage/revise.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import type { SaveResult, Snapshot, SnapshotPart } from "../../core/port/Snapshots.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { Library } from "./Library.ts"

/** Imported source data, kept in the process. */
export const layer = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const library = yield* Library
    const crypto = yield* Crypto
    return Snapshots.of({
      isComplete: (snapshotId) => Effect.sync(() => library.snapshots.has(snapshotId)),
      saveHistory: ({ at, documents }) =>
        Effect.sync(() => {
          const isKnown = documents.some((document) => library.policies.has(document.policy.policyId))
          return (isKnown ? documents.slice(-1) : documents).map((document) =>
            keepPolicy(library, crypto, { document, at })
          )
        }),
      save: (input) => Effect.sync(() => savePart(library, input)),
      complete: ({ edition = null, snapshot }) =>
        Effect.sync(() => {
          library.generation.count += 1
          if (library.snapshots.has(snapshot.snapshotId)) return
          library.snapshots.set(snapshot.snapshotId, snapshot)
          if (edition !== null) library.editions.set(snapshot.snapshotId, edition)
        }),
      current: Effect.sync(() => [...newestOfEachKind([...library.snapshots.values()])]),
      completed: Effect.sync(() => [...library.snapshots.values()].toSorted(byKindAndId)),
      generation: Effect.sync(() => library.generation.count)
    })
  })
)

type DocumentMap = typeof Library.Service

const savePart = (
  library: DocumentMap,
  input: SnapshotPart & { readonly snapshot: Snapshot }
): { readonly written: number } => {
  switch (input._tag) {
    case "Codes":
      return { written: write(library, input.codes) }
    case "UnlistedCodes":
      return { written: write(library, endedCodes(library, input)) }
    case "Jurisdictions":
      return replaceJurisdictions(library, input.jurisdictions)
    case "Payers":
      return keep(library, { kept: library.payers, given: input.payers, key: ({ code }) => [code] })
    case "Edits": {
      const ofPairs = keep(library, { kept: library.pairs, given: input.pairs, key: pairKey })
      const ofUnits = keep(library, { kept: library.units, given: input.units, key: unitKey })
      return { written: ofPairs.written + ofUnits.written }
    }
    case "Fees": {
      const kept = library.fees.get(input.snapshot.snapshotId) ?? new Map<string, FeeScheduleRow>()
      library.fees.set(input.snapshot.snapshotId, kept)
      const added = input.fees.filter(({ code, modifier }) => !kept.has(`${code} ${modifier}`))
      return keep(library, { kept, given: added, key: ({ code, modifier }) => [`${code} ${modifier}`] })
    }
    case "Descriptions":
      return keep(library, {
        kept: library.descriptions,
        given: input.descriptions,
        key: ({ code, codeSystem }) => [`${codeSystem} ${code}`]
      })
  }
}

const endedCodes = (
  library: DocumentMap,
  input: {
    readonly codeSystem: CodeSystem
    readonly listed: ReadonlySet<string>
    readonly snapshot: Snapshot
  }
): ReadonlyArray<CodeRecord> =>
  newestEditions(library, input.codeSystem)
    .filter((record) => !input.listed.has(record.code))
    .flatMap((record) => endedBefore(record, input.snapshot.sourceAsOf) ?? [])

const replaceJurisdictions = (library: DocumentMap, jurisdictions: ReadonlyArray<Jurisdiction>) => {
  library.generation.count += 1
  const before = library.jurisdictions
  const kept = new Map(jurisdictions.map((one) => [one.jurisdictionCode, one]))
  const written = [...kept].filter(
    ([code, one]) => JSON.stringify(before.get(code)) !== JSON.stringify(one)
  ).length
  before.clear()
  for (const [code, one] of kept) before.set(code, one)
  return { written }
}

const byKindAndId = (a: Snapshot, b: Snapshot): number =>
  `${a.kind} ${a.snapshotId}` < `${b.kind} ${b.snapshotId}` ? -1 : 1

const keepPolicy = (
  library: DocumentMap,
  crypto: typeof Crypto.Service,
  { at, document }: { readonly document: PolicyDocument; readonly at: IsoTime }
): SaveResult => {
  const id = document.policy.policyId
  const versions = library.policies.get(id) ?? []
  const previous = versions.at(-1)
  const fingerprint = crypto.sha256Hex(canonicalDocument(document))
  const revision = revise({ previous, document, fingerprint, at })
  if (revision._tag === "Unchanged") return revision
  library.generation.count += 1
  const { change, version } = revision
  library.policies.set(id, [...versions, version])
  if (change !== null) {
    library.changes.push({
      ...change,
      diffId: library.changes.length + 1,
      policyId: id,
      oldVersion: previous?.version ?? null,
      newVersion: version.version,
      changedAt: at
    })
  }
  return { _tag: "Recorded", version: version.version, changed: change !== null }
}

const write = (library: DocumentMap, codes: ReadonlyArray<CodeRecord>): number => {
  library.generation.count += 1
  const last = new Map(codes.map((record) => [`${record.codeSystem} ${record.code}`, record]))
  return [...last.values()].filter((record) => {
    const systems = library.codes.get(record.code) ?? new Map<CodeSystem, Array<CodeRecord>>()
    const editions = systems.get(record.codeSystem) ?? []
    const newest = editions.at(-1)
    if (newest !== undefined && editionText(newest) === editionText(record)) return false
    library.codes.set(record.code, systems.set(record.codeSystem, [...editions, record]))
    return true
  }).length
}

/** Keeps what is new or differs, the last of several with one key. */
const keep = <A>(
  library: DocumentMap,
  {
    given,
    kept,
    key
  }: {
    readonly kept: Map<string, A>
    readonly given: ReadonlyArray<A>
    readonly key: (each: A) => ReadonlyArray<string>
  }
): { readonly written: number } => {
  library.generation.count += 1
  const last = new Map(given.map((each) => [key(each).join("\0"), each]))
  const written = [...last].filter(([name, each]) => !Equal.equals(kept.get(name), each))
  for (const [name, each] of written) kept.set(name, each)
  return { written: written.length }
}

const newestEditions = (library: DocumentMap, codeSystem: CodeSystem): ReadonlyArray<CodeRecord> =>
  [...library.codes.values()].flatMap((systems) => systems.get(codeSystem)?.at(-1) ?? [])

/** By the day the source speaks of, then by the order of completion; one of each kind, by kind. */
const newestOfEachKind = (snapshots: ReadonlyArray<Snapshot>): Iterable<Snapshot> => {
  const newest = new Map<string, Snapshot>()
  for (const snapshot of snapshots) {
    const other = newest.get(snapshot.kind)
    if (other === undefined || other.sourceAsOf <= snapshot.sourceAsOf) newest.set(snapshot.kind, snapshot)
  }
  return [...newest.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
}
