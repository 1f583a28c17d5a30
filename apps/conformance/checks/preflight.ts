import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import type { Surface } from "../../../core/operation/Operation.ts"
import { unless } from "../request.ts"
import type { Ask } from "../request.ts"
import { refusalFaults } from "../faults.ts"
import { headFaults } from "./head.ts"
import { verdictOf } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

const origin = "https://app.example"

/** A browser's question is answered without a key, and a method that nobody has is unknown (contract §1). */
export const checkPreflight = async (
  ask: Ask,
  id: OperationId,
  surface: Surface
): Promise<ReadonlyArray<Verdict>> => {
  const row = operationRow(id)
  const subject = { operation: id, surface } as const
  const path = surfacePrefix[surface] + row.path.replaceAll(/\{\w+\}/g, "1")
  const asking = { origin, "access-control-request-method": row.method }
  const { headers, status } = await ask({ method: "OPTIONS", path, headers: asking })
  const put = await ask({ method: "PUT", path })
  const allowed = (name: string) => (headers.get(`access-control-allow-${name}`) ?? "").toLowerCase()
  const missing = ["authorization", "content-type", "x-idempotency-key", "idempotency-key"].filter(
    (name) => !allowed("headers").includes(name)
  )
  return [
    verdictOf(subject, "preflight", [
      ...unless(status === 204, `OPTIONS answers ${status}, not 204`),
      ...unless(allowed("origin") === origin, "Access-Control-Allow-Origin is not the origin"),
      ...unless(allowed("methods").includes(row.method.toLowerCase()), `${row.method} is not allowed`),
      ...missing.map((name) => `the header ${name} is not allowed`)
    ]),
    verdictOf(subject, "method", [
      ...refusalFaults("RESOURCE_NOT_FOUND", put).map((fault) => `PUT: ${fault}`),
      ...(row.method === "GET"
        ? await headFaults(ask, { method: "GET", path }, await ask({ method: "GET", path }))
        : [])
    ])
  ]
}
