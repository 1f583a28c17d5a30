import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PriorAuthContents } from "../coverage/PriorAuthRule.ts"
import type { PriorAuthListsUnavailable } from "../port/PriorAuthLists.ts"
import { PriorAuthLists } from "../port/PriorAuthLists.ts"
import type { ImportReport } from "./ImportReport.ts"
import { secondsSince, unchangedReport } from "./importPolicies.ts"
import { SnapshotOlder } from "./SnapshotOlder.ts"

/** A prior authorization list that was checked from its first line to its last. */
export interface PriorAuthSource {
  /** SHA-256 (hex) of the file. */
  readonly snapshotId: string
  readonly contents: PriorAuthContents
}

/**
 * Imports a program's list (coverage-domain §2.1, rule 11): it replaces the one that is kept, unless that is
 * of a later day.
 */
export const importPriorAuth = ({
  contents,
  snapshotId
}: PriorAuthSource): Effect.Effect<ImportReport, SnapshotOlder | PriorAuthListsUnavailable, PriorAuthLists> =>
  Effect.gen(function* () {
    const startedMs = yield* Clock.currentTimeMillis
    const saved = yield* (yield* PriorAuthLists).save({ contents, snapshotId })
    switch (saved._tag) {
      case "Older":
        return yield* new SnapshotOlder({ sourceAsOf: contents.listAsOf, knownAsOf: saved.knownAsOf })
      case "Unchanged":
        return yield* unchangedReport(snapshotId, startedMs)
      case "Saved":
        return {
          snapshot: snapshotId,
          policies: 0,
          versions: 0,
          codes: new Set(contents.rows.map((row) => row.code)).size,
          changes: 0,
          unchanged: false,
          seconds: yield* secondsSince(startedMs),
          gaps: []
        }
    }
  })

/**
 * Keeps a list that came with the service, where none is kept or one of an earlier day: what an operator has
 * imported stays. Costs one read where there is nothing to do.
 */
export const keepShippedPriorAuth = (
  source: PriorAuthSource
): Effect.Effect<void, PriorAuthListsUnavailable, PriorAuthLists> =>
  Effect.gen(function* () {
    const lists = yield* PriorAuthLists
    const kept = (yield* lists.among({ codes: [] })).lists.find(
      (list) => list.program === source.contents.program
    )
    if (kept === undefined || kept.listAsOf < source.contents.listAsOf) yield* lists.save(source)
  })
