import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rulesAmong } from "../../core/coverage/priorAuth/rules.ts"
import { PriorAuthLists } from "../../core/port/PriorAuthLists.ts"
import { Library } from "./Library.ts"

/** Prior authorization lists, kept in the process. */
export const layer = Layer.effect(
  PriorAuthLists,
  Effect.map(Library, ({ generation, priorAuthLists }) =>
    PriorAuthLists.of({
      among: ({ codes }) =>
        Effect.sync(() =>
          rulesAmong(
            [...priorAuthLists.values()].map(({ contents }) => contents),
            codes
          )
        ),
      save: ({ contents, snapshotId }) =>
        Effect.sync(() => {
          const kept = priorAuthLists.get(contents.program)
          if (kept?.snapshotId === snapshotId) return { _tag: "Unchanged" }
          if (kept !== undefined && kept.contents.listAsOf > contents.listAsOf) {
            return { _tag: "Older", knownAsOf: kept.contents.listAsOf }
          }
          generation.count += 1
          priorAuthLists.set(contents.program, { contents, snapshotId })
          return { _tag: "Saved" }
        })
    })
  )
)
