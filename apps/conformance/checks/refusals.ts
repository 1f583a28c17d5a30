import { gates, refusalsOf } from "../../../core/admission/gates.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import type { Operation } from "../../../core/operation/Operation.ts"
import { reservedInputs } from "../../../core/sandbox/reservedInputs.ts"
import type { ReservedRequest } from "../../../core/sandbox/reservedInputs.ts"
import { reservedPrefix } from "../../../core/sandbox/injectFault.ts"
import { patiently, unless } from "../request.ts"
import type { CheckResponse } from "../request.ts"
import type { Bench } from "../Bench.ts"
import { limitFaults, refusalFaults, unlimitedFaults } from "../faults.ts"
import { exampleOf, kindOf, withQuery } from "../samples.ts"
import { verdictOf } from "../Verdict.ts"
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
    const value = code === "PHI_NOT_ALLOWED" ? specimen : reservedPrefix + code
    const asked = withQuery(sample, { conformance: value })
    const ask = code.startsWith("RATE_") ? bench.ask : patiently(bench.ask, () => {})
    const response = await ask({ ...asked, ...(key === undefined ? {} : { key }) })
    const isLimited = step >= 5 && (row.requirement !== null || row.perAddress === true)
    const faults = [
      ...refusalFaults(code, response, row),
      ...unless(!response.text.includes(value), "the answer repeats what was sent"),
      ...(isLimited ? limitFaults(response) : unlimitedFaults(response)),
      ...(isLimited ? unless(response.headers.get("x-credits-cost") === "0", "X-Credits-Cost is not 0") : [])
    ]
    verdicts.push(verdictOf({ operation: id, surface: "sandbox" }, "refusals", faults, code))
  }
  return verdicts
}

/**
 * The Medicare number that CMS prints on its own specimen card: nobody's, and the sandbox's reserved value
 * would show no more than that the error can be told.
 */
const specimen = "1EG4-TE5-MK73"

const stepOf = (row: Operation, code: ErrorCode): number =>
  gates.find((gate) => gate.applies(row) && gate.codes.includes(code))?.step ?? 11

/** The documented request of every code of the table, whatever operation it meets. */
export const checkReservedInputs = async (bench: Bench): Promise<ReadonlyArray<Verdict>> => {
  const verdicts: Array<Verdict> = []
  for (const code of errorCodes) {
    const { first, request } = reservedInputs[code]
    const key = await bench.keyFor("own", first === undefined ? 4 : 8)
    if (first !== undefined) await bench.ask(sendReserved(first, key))
    const response = await bench.ask(sendReserved(request, key))
    const faults = [
      ...refusalFaults(code, response, rowAt(request)),
      ...(code === "PHI_NOT_ALLOWED" ? echoFaults(request, response) : [])
    ]
    verdicts.push(verdictOf({ operation: "(documented requests)", surface: "any" }, "refusals", faults, code))
  }
  return verdicts
}

/** The row of the operation that a request is for; undefined: it is for none. */
const rowAt = ({ method, path }: ReservedRequest): Operation | undefined => {
  const [asked = ""] = path.split("?")
  return operationIds.map(operationRow).find((row) => {
    const pattern = row.path.replaceAll(/\{\w+\}/g, "[^/]+")
    return row.method === method && new RegExp(`^${surfacePrefix.sandbox}${pattern}$`).test(asked)
  })
}

/** Nothing of a query that was refused for what it says is said again. */
const echoFaults = ({ path }: ReservedRequest, { text }: CheckResponse): ReadonlyArray<string> => {
  const values = [...new URLSearchParams(path.split("?")[1]).values()]
  return unless(!values.some((value) => text.includes(value)), "the answer repeats what was sent")
}

const sendReserved = ({ authorization, body, headers = {}, method, path }: ReservedRequest, key: string) => ({
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
