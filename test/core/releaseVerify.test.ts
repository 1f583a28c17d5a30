import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decisionLine, headerLine } from "../../core/release/exported.ts"
import type { Manifest } from "../../core/release/manifest.ts"
import { releaseIdOf } from "../../core/release/manifest.ts"
import type { Verification } from "../../core/release/verify.ts"
import { exportFault, readHeader, readRecord } from "../../core/release/verify.ts"
import { canonicalJson } from "../../core/json/canonicalJson.ts"
import { certificateOf, decisionsFor, sha256, sha256Hex } from "../kit/releases.ts"

const hash = { text: sha256Hex, bytes: sha256 }
const publicKey = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" } as const

const { codes, policy } = decisionsFor("L33831", "E0601", "K0001", "A7030", "E0470")
const decisions = codes.toSorted((one, other) => (one.recordSha256 < other.recordSha256 ? -1 : 1))
const records = decisions.map((code) => decisionLine({ policy, code }))
const certificate = certificateOf(decisions.map(({ recordSha256 }) => recordSha256))

/** The head of the release with these members of its manifest changed, under the id that this gives. */
const headOf = (changed: Partial<Manifest> = {}, releaseId?: string): string => {
  const manifest = { ...certificate.manifest, ...changed }
  return headerLine(
    {
      ...certificate,
      manifest,
      releaseId: (releaseId as never) ?? releaseIdOf(sha256Hex, manifest)
    } as never,
    publicKey
  )
}

/** What is wrong with the lines of an export, as its line and words; undefined: nothing. */
const faultOf = ([head = "", ...rest]: ReadonlyArray<string>) => {
  const read = rest.reduce<Result.Result<Verification, { line: number | null; says: string }>>(
    (before, line) => Result.flatMap(before, (verification) => readRecord(hash, verification, line)),
    readHeader(hash, head)
  )
  const fault = Result.isFailure(read) ? read.failure : exportFault(hash, read.success)
  return fault === undefined ? undefined : [fault.line, fault.says]
}

/** A record with a member changed, and its hash and id made anew where asked. */
const changedRecord = (changed: Record<string, unknown>, isHashed: boolean): string => {
  const {
    decision_id: _,
    record_sha256: __,
    ...record
  } = JSON.parse(records[0] ?? "") as Record<string, unknown>
  const sha = sha256Hex(`decision.v1\0${canonicalJson({ ...record, ...changed })}`)
  return isHashed
    ? canonicalJson({ ...record, ...changed, decision_id: `dec_${sha}`, record_sha256: sha })
    : canonicalJson({ ...JSON.parse(records[0] ?? ""), ...changed })
}

const spaced = (line: string): string => line.replace('":', '": ')

describe("contract §2 an exported release is verified from its text alone", () => {
  it("is right as it was written", () => expect(faultOf([headOf(), ...records])).toBeUndefined())

  it.each<[says: string, lines: ReadonlyArray<string>, line: number | null, words: string]>([
    ["a record changed", [headOf(), changedRecord({ code: "E0602" }, false)], 2, "not what its hash says"],
    [
      "a record under another's id",
      [headOf(), changedRecord({ decision_id: `dec_${"0".repeat(64)}` }, false)],
      2,
      "the decision id is not that of its record"
    ],
    ["a record twice", [headOf(), ...records.slice(0, 1), ...records], 3, "stands there twice"],
    ["two records exchanged", [headOf(), ...records.toReversed()], 3, "not in its place"],
    [
      "its last record gone",
      [headOf(), ...records.slice(0, -1)],
      5,
      "3 records are there and the manifest counts 4"
    ],
    ["a record more", [headOf({ decision_count: 3 }), ...records], 5, "the manifest counts 3 records"],
    [
      "a record hashed anew",
      [headOf(), ...[changedRecord({ code: "E0602" }, true), ...records.slice(1)].toSorted(byHash)],
      null,
      "together they are not those of the manifest"
    ],
    [
      "another root",
      [headOf({ dataset_sha256: "0".repeat(64) }), ...records],
      null,
      "not those of the manifest"
    ],
    [
      "another release's id",
      [headOf({}, `rel_${"0".repeat(64)}`), ...records],
      1,
      "not the hash of its manifest"
    ],
    ["other sources", [headOf({ sources: [] }), ...records], 1, "the hash of the sources"],
    ["a head with a space more", [spaced(headOf()), ...records], 1, "it was written anew"],
    ["a record with a space more", [headOf(), spaced(records[0] ?? "")], 2, "it was written anew"],
    ["no JSON", [headOf(), "{"], 2, "it is no JSON"],
    ["a list", [headOf(), "[]"], 2, "it is no record"],
    ["no head", [records[0] ?? "", ...records], 1, "it is not the head of a release"]
  ])("with %s it is not right", (_, lines, line, words) => {
    expect(faultOf(lines)).toEqual([line, expect.stringContaining(words)])
  })
})

function byHash(one: string, other: string): number {
  const hashOf = (line: string) => String((JSON.parse(line) as { record_sha256: string }).record_sha256)
  return hashOf(one) < hashOf(other) ? -1 : 1
}
