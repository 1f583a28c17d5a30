import { surfacePrefix } from "../../../core/operation/Operation.ts"
import type { Ask } from "../request.ts"
import { refusalFaults } from "../faults.ts"
import { verdictOf } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

/** Paths that nobody has, and the code that each answers (contract §1). */
const paths = [
  [`${surfacePrefix.live}/nothing`, "RESOURCE_NOT_FOUND"],
  [`${surfacePrefix.sandbox}/nothing`, "RESOURCE_NOT_FOUND"],
  [`${surfacePrefix.live}//health`, "RESOURCE_NOT_FOUND"],
  [`${surfacePrefix.live}/health/`, "RESOURCE_NOT_FOUND"],
  ["/API/v1/health", "RESOURCE_NOT_FOUND"],
  ["/api/public/v1/codes/lookup", "COMMERCIAL_SURFACE_UNAVAILABLE"]
] as const

/** What is no operation is refused in the envelope of every other error. */
export const checkElsewhere = async (ask: Ask): Promise<ReadonlyArray<Verdict>> => {
  const verdicts: Array<Verdict> = []
  for (const [path, code] of paths) {
    const faults = refusalFaults(code, await ask({ method: "GET", path })).map((fault) => `${path}: ${fault}`)
    verdicts.push(verdictOf({ operation: "(no operation)", surface: "any" }, "refusals", faults, code))
  }
  return verdicts
}
