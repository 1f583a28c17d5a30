import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { rulesAmong } from "../coverage/priorAuth/rules.ts"
import type { PriorAuthAmong } from "../coverage/priorAuth/rules.ts"
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
 * Saves a list that is shipped with the service if none is stored, or one of an earlier day, or one of the
 * same day and rows from before rows had `withCodes`. Any other list that an operator imported stays. Costs
 * one read if there is nothing to do.
 */
export const keepShippedPriorAuth = (
  source: PriorAuthSource
): Effect.Effect<void, PriorAuthListsUnavailable, PriorAuthLists> =>
  Effect.gen(function* () {
    const lists = yield* PriorAuthLists
    const { contents } = source
    const { program, listAsOf } = contents
    const among = yield* lists.among({ codes: [...new Set(contents.rows.map((row) => row.code))] })
    const kept = among.lists.find((list) => list.program === program)
    const isSuperseded =
      kept === undefined ||
      kept.listAsOf < listAsOf ||
      (kept.listAsOf === listAsOf && lacksWithCodes(contents, among))
    if (isSuperseded) yield* lists.save(source)
  })

/** Whether the stored rules are the list's own except for `withCodes`, which none of them has. */
const lacksWithCodes = (contents: PriorAuthContents, { rules }: PriorAuthAmong): boolean => {
  const stored = rules.filter((rule) => rule.program === contents.program)
  if (stored.some((rule) => rule.withCodes !== undefined)) return false
  if (!contents.rows.some((row) => row.withCodes !== undefined)) return false
  const codes = contents.rows.map((row) => row.code)
  const bare = contents.rows.map(({ withCodes: _, ...row }) => row)
  return JSON.stringify(rulesAmong([{ ...contents, rows: bare }], codes).rules) === JSON.stringify(stored)
}
