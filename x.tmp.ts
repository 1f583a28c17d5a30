import { caseOf } from "./test/kit/coverageOracle/Case.ts"
import { decide } from "./core/coverage/decide/decide.ts"
for (const n of process.argv.slice(2).map(Number)) {
  const c: any = caseOf(n)
  const d: any = decide(c.facts, c.query)
  for (const k of d.codes) console.log(k.code, k.status, k.diagnosisSupport, k.knownGaps, k.reasons)
}
