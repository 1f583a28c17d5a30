import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import { patiently, unless } from "../request.ts"
import type { CheckResponse } from "../request.ts"
import type { Bench } from "../Bench.ts"
import { documentedFaults } from "../documented.ts"
import { answerFaults, limitFaults, unlimitedFaults } from "../faults.ts"
import { particularFaults } from "../particulars.ts"
import { kindOf, preparingUnits, sampleFor, unitsFor } from "../samples.ts"
import { headFaults } from "./head.ts"
import { verdictOf } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

/**
 * The example is answered as the row says, with its headers, and uses what it costs of the limit (§8.1.2).
 */
export const checkAnswer = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const row = operationRow(id)
  const subject = { operation: id, surface: "sandbox" } as const
  if (row.requirement === null) return unkeyed(bench, id)
  const key = await bench.keyFor(kindOf(id), unitsFor(id, row.credits * 2 + preparingUnits + 1))
  const sample = await sampleFor(bench, id, key)
  const probe = await bench.ask({ method: "GET", path: `${surfacePrefix.sandbox}/jurisdictions`, key })
  const response = await bench.ask({ ...sample, key })
  const used = remaining(probe.headers) - remaining(response.headers)
  return [
    verdictOf(subject, "answer", exampleFaults(id, sample.path, response)),
    verdictOf(subject, "headers", [
      ...limitFaults(response),
      ...unless(response.headers.get("x-credits-cost") === "0", "X-Credits-Cost is not 0 in the sandbox")
    ]),
    verdictOf(
      subject,
      "limits",
      unless(used === row.credits, `a call costing ${row.credits} used ${used} of X-RateLimit-Remaining`)
    ),
    ...(row.method === "GET"
      ? [verdictOf(subject, "method", await headFaults(bench.ask, { ...sample, key }, response))]
      : [])
  ]
}

const exampleFaults = (id: OperationId, path: string, response: CheckResponse): ReadonlyArray<string> => [
  ...answerFaults(operationRow(id), { path }, response),
  ...documentedFaults(id, response),
  ...particularFaults(id, response)
]

const remaining = (headers: Headers): number => Number(headers.get("x-ratelimit-remaining") ?? Number.NaN)

/** What takes no key is limited by the caller's address or not at all. */
const unkeyed = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const row = operationRow(id)
  const subject = { operation: id, surface: "sandbox" } as const
  const asked = { method: row.method, path: surfacePrefix.sandbox + row.path }
  const response = await patiently(bench.ask, () => {})(asked)
  const isLimited = row.perAddress === true
  const again = isLimited ? await bench.ask(asked) : response
  const used = remaining(response.headers) - remaining(again.headers)
  return [
    verdictOf(subject, "answer", exampleFaults(id, asked.path, response)),
    verdictOf(subject, "headers", isLimited ? limitFaults(response) : unlimitedFaults(response)),
    ...(isLimited
      ? [verdictOf(subject, "limits", unless(used >= 1, "a call used nothing of the address's limit"))]
      : [])
  ]
}
