import { join } from "node:path"
import * as Effect from "effect/Effect"
import { readPriorAuth } from "../../adapters/cms/readPriorAuth.ts"
import { listsFolder, shippedLists } from "../../apps/lists/shippedLists.ts"
import type { CoverageFacts } from "../../core/coverage/CoverageDecision.ts"
import { rulesAmong } from "../../core/coverage/priorAuth/rules.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { factsOf } from "./coverageQueryOf.ts"

/** The prior authorization lists as they come with the service. */
export const shippedPriorAuth = await Effect.runPromise(
  Effect.forEach(
    shippedLists.filter(({ file }) => file.startsWith("prior-auth/")),
    ({ file }) => Effect.map(readPriorAuth(join(listsFolder, file)), ({ contents }) => contents)
  )
)

export const everyListedCode: ReadonlyArray<string> = [
  ...new Set(shippedPriorAuth.flatMap(({ rows }) => rows.map((row) => row.code)))
]

/** The facts of a library with these policies and every shipped list. */
export const listedFacts = (...policies: ReadonlyArray<PolicyVersion>): CoverageFacts => {
  const { lists, rules } = rulesAmong(shippedPriorAuth, everyListedCode)
  return { ...factsOf(...policies), priorAuthRules: rules, priorAuthLists: lists }
}
