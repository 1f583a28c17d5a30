import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { Payer } from "../../core/coverage/Payer.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import type { PolicyContents, PolicySource, SourcePolicy } from "../../core/import/PolicySource.ts"
import type { Lines } from "./lines.ts"
import { faultsOf, linesOf } from "./lines.ts"
import { payerDocument } from "./payerDocument.ts"
import { PayerFileMalformed } from "./PayerFileMalformed.ts"
import type { PayerRecord, PolicyRecord } from "./records.ts"

/**
 * Policies of payers, one JSON object a line (docs/payer-policies.md). Every line is checked before any is
 * kept, and every fault is told at once. A file that speaks of a day after `today` is refused, and what a
 * version says of days to come is no day of the file; without `today` any day will do.
 */
export const readPolicies = (
  path: string,
  today?: IsoDate
): Effect.Effect<PolicySource<PayerFileMalformed>, PayerFileMalformed> =>
  Effect.map(textOf(path), ({ sha256, text }) => {
    const snapshotId = createHash("sha256").update(`payer_policies ${sha256}\n`).digest("hex")
    const read = Effect.suspend(() =>
      Effect.fromResult(contentsOf({ snapshotId, file: basename(path), text, today }))
    )
    return { snapshotId, kind: "payer_policies", read }
  })

/** A file of policies is held in memory; a payer with 5,000 policies has about 50 MB. */
const fileBytesMax = 200_000_000

const textOf = (path: string) =>
  Effect.tryPromise({
    try: async () => {
      const { size } = await stat(path)
      if (size > fileBytesMax)
        throw malformed(basename(path), "it is larger than 200 MB: make several files of it")
      const bytes = await readFile(path)
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
      return { text, sha256: createHash("sha256").update(bytes).digest("hex") }
    },
    catch: (cause) =>
      cause instanceof PayerFileMalformed ? cause : malformed(basename(path), reasonOf(cause))
  })

const malformed = (file: string, reason: string): PayerFileMalformed =>
  new PayerFileMalformed({ file, faults: [{ line: null, pointer: "", reason }] })

const reasonOf = (cause: unknown): string => {
  if (cause instanceof TypeError) return "it is not UTF-8"
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return reasons[code] ?? `it cannot be read (${code})`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "it may not be read",
  EISDIR: "it is a folder"
}

const contentsOf = (source: {
  readonly snapshotId: string
  readonly file: string
  readonly text: string
  readonly today: IsoDate | undefined
}): Result.Result<PolicyContents, PayerFileMalformed> => {
  const lines = linesOf(source.text)
  const { payers, policies, sources } = lines
  const faults = faultsOf(lines, source.today)
  if (faults.length > 0) return Result.fail(new PayerFileMalformed({ file: source.file, faults }))
  if (payers.length === 0) return Result.fail(malformed(source.file, "it holds no payer"))
  const sourceAsOf = sources[0]?.record.as_of ?? newestDay(policies, source.today)
  if (sourceAsOf === undefined) return Result.fail(malformed(source.file, noDay))
  return Result.succeed({
    snapshot: { snapshotId: source.snapshotId, kind: "payer_policies", sourceAsOf },
    policies: policies.map(({ record }) => sourcePolicy(record)).toSorted(byId),
    payers: payers.map(({ record }) => payerOf(record)),
    jurisdictions: [],
    gaps: []
  })
}

const noDay = "no line says of which day it is: begin it with a source record"

/** Without a source record: the newest day of review, else the newest on which a version begins. */
const newestDay = (policies: Lines["policies"], today: IsoDate | undefined): IsoDate | undefined => {
  const versions = policies.flatMap(({ record }) => record.versions)
  const reviewed = versions.flatMap((version) => version.last_reviewed_date ?? [])
  const begun = versions.map((version) => version.effective_date)
  const days = (reviewed.length > 0 ? reviewed : begun).toSorted()
  return days.findLast((each) => today === undefined || each <= today)
}

const sourcePolicy = (record: PolicyRecord): SourcePolicy => ({
  policyId: record.policy_id as PolicyId,
  versions: record.versions.map((version) => () => payerDocument(record, version))
})

const byId = (a: SourcePolicy, b: SourcePolicy): number => (a.policyId < b.policyId ? -1 : 1)

const payerOf = (record: PayerRecord): Payer => ({
  code: record.code,
  name: record.name,
  type: record.type,
  linesOfBusiness: record.lines_of_business
})
