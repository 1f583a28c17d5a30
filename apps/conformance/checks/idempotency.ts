import { randomUUID } from "node:crypto"
import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { at, unless } from "../request.ts"
import type { CheckResponse } from "../request.ts"
import type { Bench } from "../Bench.ts"
import { refusalFaults } from "../faults.ts"
import { kindOf, preparingUnits, sampleFor, unitsFor, withHeaders, withQuery } from "../samples.ts"
import type { Sample } from "../samples.ts"
import { verdictOf } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

/**
 * The second request with a key is answered with the first's answer, and another request is refused
 * (§4.6.2).
 */
export const checkIdempotency = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "sandbox" } as const
  const { credits, method, requirement } = operationRow(id)
  if (method === "GET" || requirement === null) return []
  const key = await bench.keyFor(kindOf(id), unitsFor(id, credits * 4 + preparingUnits))
  const named = randomUUID()
  const sample = withHeaders(await sampleFor(bench, id, key), { "x-idempotency-key": named })
  const send = (asked: Sample) => bench.ask({ ...asked, key })
  const [first, second] = [await send(sample), await send(sample)]
  // An unknown name of the query changes nothing but what was asked.
  const other = await send(withQuery(sample, { conformance: "other" }))
  const long = await send(withHeaders(sample, { "x-idempotency-key": "x".repeat(256) }))
  return [
    verdictOf(subject, "idempotency", [
      ...unless(first.status === 200, `the first request answers ${first.status}`),
      ...unless(!first.headers.has("idempotent-replayed"), "the first answer says that it is a replay"),
      ...replayFaults(first, second, named),
      ...refusalFaults("REQUEST_IDEMPOTENCY_CONFLICT", other).map((fault) => `another request: ${fault}`),
      ...refusalFaults("VALIDATION_OUT_OF_RANGE", long).map((fault) => `a key of 256 characters: ${fault}`)
    ])
  ]
}

const replayFaults = (first: CheckResponse, second: CheckResponse, named: string): ReadonlyArray<string> => [
  ...unless(second.status === first.status, `the repeat answers ${second.status}`),
  ...unless(
    second.headers.get("idempotent-replayed") === "true",
    "the repeat has no Idempotent-Replayed: true"
  ),
  ...unless(dataOf(second) === dataOf(first), "the repeat has other data: it ran again"),
  ...unless(at(second.json, "meta", "cached") === true, "the repeat's meta.cached is not true"),
  ...unless(at(second.json, "meta", "idempotency_key") === named, "meta.idempotency_key is not the key"),
  ...unless(
    at(second.json, "meta", "request_id") !== at(first.json, "meta", "request_id"),
    "the repeat has the first one's request_id"
  )
]

const dataOf = ({ json }: CheckResponse): string => JSON.stringify(at(json, "data"))
