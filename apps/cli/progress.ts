import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { ImportProgress, OnProgress } from "../../core/import/ImportReport.ts"
import { Terminal } from "./Terminal.ts"
import { withThousands } from "./table.ts"

/** A bar moves ten times a second; a log or a pipe gets a line a second. */
const barEveryMs = 100
const lineEveryMs = 1_000
const barWidthMax = 40

/**
 * Runs an import and tells stderr how far it is: a bar on a terminal, plain lines elsewhere. It looks at the
 * clock rather than at each step, so that a long reading of files is seen to go on.
 */
export const withProgress = <A, E, R>(run: (onProgress: OnProgress) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { stderr } = yield* Terminal
      const isTerminal = stderr.isTTY === true
      const startedMs = yield* Clock.currentTimeMillis
      let latest: ImportProgress = { stage: "reading", done: 0, total: 0 }
      const tell = Effect.map(Clock.currentTimeMillis, (nowMs) => {
        const seconds = Math.floor((nowMs - startedMs) / 1_000)
        stderr.write(
          isTerminal
            ? `\r\u001b[K${bar(latest, stderr.columns)}, ${seconds} s`
            : `${line(latest)}, ${seconds} s\n`
        )
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => isTerminal && stderr.write("\r\u001b[K")))
      const everyMs = isTerminal ? barEveryMs : lineEveryMs
      yield* Effect.forkScoped(Effect.delay(Effect.repeat(tell, Schedule.spaced(everyMs)), everyMs))
      return yield* run((progress) =>
        Effect.sync(() => {
          latest = progress
        })
      )
    })
  )

/** Runs an import and tells nobody. */
export const withoutProgress = <A, E, R>(run: (onProgress: OnProgress) => Effect.Effect<A, E, R>) =>
  run(() => Effect.void)

const line = ({ done, stage, total }: ImportProgress): string =>
  total > 0
    ? `${stage}: ${withThousands(done)} of ${withThousands(total)}`
    : done > 0
      ? `${stage}: ${withThousands(done)}`
      : stage

const bar = (progress: ImportProgress, columns: number | undefined): string => {
  const width = Math.min(barWidthMax, (columns || 80) - 45)
  if (progress.total === 0 || width < 5) return line(progress)
  const full = Math.floor((width * progress.done) / progress.total)
  return `[${"#".repeat(full)}${".".repeat(width - full)}] ${line(progress)}`
}
