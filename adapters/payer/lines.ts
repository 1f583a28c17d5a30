import * as Result from "effect/Result"
import type { IsoDate } from "../../core/coverage/date.ts"
import { isMedicare } from "../../core/coverage/Payer.ts"
import { parsePolicyId } from "../../core/coverage/policyId.ts"
import type { Fault, LineRecord } from "./decodeRecord.ts"
import { decodeRecord } from "./decodeRecord.ts"
import type { PayerFault } from "./PayerFileMalformed.ts"
import type { PayerRecord, PolicyRecord, SourceRecord } from "./records.ts"
import { versionFaults } from "./versionFaults.ts"

/** A record and the line it stands on. */
interface Numbered<R> {
  readonly line: number
  readonly record: R
}

/** The records of a file by their kind, and what is wrong with the lines that hold none. */
export interface Lines {
  readonly sources: Array<Numbered<SourceRecord>>
  readonly payers: Array<Numbered<PayerRecord>>
  readonly policies: Array<Numbered<PolicyRecord>>
  readonly faults: Array<PayerFault>
}

/** Reads every line; blank ones are skipped. */
export const linesOf = (text: string): Lines => {
  const lines: Lines = { sources: [], payers: [], policies: [], faults: [] }
  for (const [index, each] of text.split("\n").entries()) {
    if (each.trim() === "") continue
    const line = index + 1
    const decoded = decodeRecord(each)
    if (Result.isFailure(decoded)) lines.faults.push(...at(line, decoded.failure))
    else keep(lines, line, decoded.success)
  }
  return lines
}

const keep = (lines: Lines, line: number, record: LineRecord): number => {
  switch (record.record) {
    case "source":
      return lines.sources.push({ line, record })
    case "payer":
      return lines.payers.push({ line, record })
    case "policy":
      return lines.policies.push({ line, record })
  }
}

/** Everything that is wrong with the file, by line. */
export const faultsOf = (lines: Lines, today: IsoDate | undefined): ReadonlyArray<PayerFault> =>
  [
    ...lines.faults,
    ...sourceFaults(lines.sources),
    ...lines.sources.flatMap(({ line, record }) =>
      today !== undefined && record.as_of > today
        ? at(line, [{ pointer: "/as_of", reason: "it is a day to come" }])
        : []
    ),
    ...payerFaults(lines.payers),
    ...lines.policies.flatMap((one) => policyFaults(one, lines))
  ].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))

const at = (line: number, faults: ReadonlyArray<Fault>): ReadonlyArray<PayerFault> =>
  faults.map((fault) => ({ line, ...fault }))

const sourceFaults = (sources: Lines["sources"]): ReadonlyArray<PayerFault> =>
  sources.slice(1).flatMap(({ line }) => at(line, [{ pointer: "/record", reason: "a source stands before" }]))

const payerFaults = (payers: Lines["payers"]): ReadonlyArray<PayerFault> =>
  payers.flatMap(({ line, record }, index) => {
    if (isMedicare(record.code)) return at(line, [{ pointer: "/code", reason: "it names Medicare" }])
    return payers.findIndex((other) => other.record.code === record.code) < index
      ? at(line, [{ pointer: "/code", reason: "its payer stands in the file before" }])
      : []
  })

const policyFaults = (
  { line, record }: Numbered<PolicyRecord>,
  { payers, policies }: Pick<Lines, "payers" | "policies">
): ReadonlyArray<PayerFault> => {
  const payer = payers.find((one) => one.record.code === record.payer_code)?.record
  const isSecond = policies.some((other) => other.line < line && other.record.policy_id === record.policy_id)
  return at(line, [
    ...idFaults(record.policy_id),
    ...(isSecond ? [{ pointer: "/policy_id", reason: "its policy stands in the file before" }] : []),
    ...(payer === undefined
      ? [{ pointer: "/payer_code", reason: "no payer of the file has this code" }]
      : []),
    ...(payer !== undefined &&
    record.line_of_business != null &&
    !payer.lines_of_business.includes(record.line_of_business)
      ? [{ pointer: "/line_of_business", reason: "it is none of the payer's lines_of_business" }]
      : []),
    ...orderFaults(record),
    ...record.versions.flatMap((version, index) => versionFaults(version, `/versions/${index}`))
  ])
}

/** Medicare's own ids never name a payer's policy, however they are written (contract §2). */
const idFaults = (text: string): ReadonlyArray<Fault> =>
  /^(D?[LA]\d{4,6}|NCD .*)$/.test(parsePolicyId(text) ?? "")
    ? [{ pointer: "/policy_id", reason: "it looks like an id of Medicare's" }]
    : []

const orderFaults = ({ versions }: PolicyRecord): ReadonlyArray<Fault> =>
  versions.flatMap((version, index) => {
    const before = versions[index - 1]
    const isLater = before === undefined || before.effective_date < version.effective_date
    const pointer = `/versions/${index}/effective_date`
    return isLater ? [] : [{ pointer, reason: "it is not after the one of the version before" }]
  })
