import { join } from "node:path"
import * as Effect from "effect/Effect"
import { readPriorAuth } from "../../adapters/cms/readPriorAuth.ts"
import { listsFolder, shippedLists } from "../../apps/lists/shippedLists.ts"
import type { CoverageFacts } from "../../core/coverage/CoverageDecision.ts"
import { rulesAmong } from "../../core/coverage/priorAuth/rules.ts"
import type { PolicyVersion } from "../../core/coverage/Policy.ts"
import { procedureSystem } from "../../core/coverage/codeText.ts"
import { factsOf } from "./coverageQueryOf.ts"
import { recordOf } from "./library.ts"

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

/** A table that holds every listed code, a wheelchair and an ambulance that no list names. */
const codes = [...everyListedCode, "K0001", "A0427"].map((code) =>
  recordOf({ code, codeSystem: procedureSystem(code) ?? "HCPCS" })
)

/** The facts of a library with these policies, every shipped list and the codes that these name. */
export const listedFacts = (...policies: ReadonlyArray<PolicyVersion>): CoverageFacts => {
  const { lists, rules } = rulesAmong(shippedPriorAuth, everyListedCode)
  return { ...factsOf(...policies), codes, priorAuthRules: rules, priorAuthLists: lists }
}
