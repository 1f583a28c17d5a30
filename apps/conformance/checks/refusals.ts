import { gates, refusalsOf } from "../../../core/admission/gates.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import type { Operation } from "../../../core/operation/Operation.ts"
import { provocations } from "../../../core/sandbox/provocations.ts"
import type { ProvokingRequest } from "../../../core/sandbox/Provocation.ts"
import { provokingPrefix } from "../../../core/sandbox/provoke.ts"
import { patiently } from "../asking.ts"
import type { Bench } from "../Bench.ts"
import { limitFaults, refusalFaults, unless, unlimitedFaults } from "../faults.ts"
import { exampleOf, kindOf, withQuery } from "../samples.ts"
import { judged } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

/** Every code that the gates and the row declare of the operation, by the sandbox's reserved value. */
export const checkRefusals = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const row = operationRow(id)
  const verdicts: Array<Verdict> = []
  for (const code of refusalsOf(row)) {
    const step = stepOf(row, code)
    // What refuses up to the limits uses nothing of them.
    const units = step > 5 ? row.credits : 0
    const key = row.requirement === null ? undefined : await bench.keyFor(kindOf(id), units)
    const example = exampleOf(id)
    const sample = { ...example, path: example.path.replaceAll(/\$[A-Z]+/g, "1") }
    const asked = withQuery(sample, { conformance: provokingPrefix + code })
    const ask = code.startsWith("RATE_") ? bench.ask : patiently(bench.ask, () => {})
    const heard = await ask({ ...asked, ...(key === undefined ? {} : { key }) })
    const isLimited = step >= 5 && (row.requirement !== null || row.perAddress === true)
    const faults = [
      ...refusalFaults(code, heard),
      ...(isLimited ? limitFaults(heard) : unlimitedFaults(heard)),
      ...(isLimited ? unless(heard.headers.get("x-credits-cost") === "0", "X-Credits-Cost is not 0") : [])
    ]
    verdicts.push(judged({ operation: id, surface: "sandbox" }, "refusals", faults, code))
  }
  return verdicts
}

const stepOf = (row: Operation, code: ErrorCode): number =>
  gates.find((gate) => gate.applies(row) && gate.codes.includes(code))?.step ?? 11

/** The documented request of every code of the table, whatever operation it meets. */
export const checkProvocations = async (bench: Bench): Promise<ReadonlyArray<Verdict>> => {
  const verdicts: Array<Verdict> = []
  for (const code of errorCodes) {
    const { first, request } = provocations[code]
    const key = await bench.keyFor("own", first === undefined ? 4 : 8)
    if (first !== undefined) await bench.ask(provoking(first, key))
    const faults = refusalFaults(code, await bench.ask(provoking(request, key)))
    verdicts.push(judged({ operation: "(documented requests)", surface: "any" }, "refusals", faults, code))
  }
  return verdicts
}

const provoking = ({ authorization, body, headers = {}, method, path }: ProvokingRequest, key: string) => ({
  method,
  path,
  headers: {
    ...headers,
    ...(authorization === "none"
      ? {}
      : { authorization: authorization.includes(" ") ? authorization : `Bearer ${key}` })
  },
  ...(body === undefined ? {} : { body })
})
