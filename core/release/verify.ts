import * as Hex from "effect/encoding/Hex"
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import { isObject } from "../json/isObject.ts"
import { canonicalJson } from "../json/canonicalJson.ts"
import { ExportHeader } from "./exported.ts"
import type { HashText } from "./manifest.ts"
import { releaseIdOf, sourceSetSha256 } from "./manifest.ts"
import type { Frontier, HashBytes } from "./merkle.ts"
import { emptyFrontier, appendEntries, rootOf } from "./merkle.ts"

/** The hash that a verification computes by, over texts and over bytes. */
export interface HashFunctions {
  readonly text: HashText
  readonly bytes: HashBytes
}

/** What is wrong with an exported release. `line` counts from 1; null: it is no single line's fault. */
export interface ExportFault {
  readonly line: number | null
  readonly says: string
}

/** How far an export has been read and found to be right; of what came before a few hashes are kept. */
export interface Verification {
  readonly header: ExportHeader
  /** Lines that were read. */
  readonly lines: number
  readonly tree: Frontier
  readonly last: string
}

/**
 * Reads the first line. What it says of itself holds from here on: the id is the manifest's hash. Whose
 * signature it bears is not the kernel's to tell.
 */
export const readHeader = (hash: HashFunctions, line: string): Result.Result<Verification, ExportFault> => {
  const read = Result.flatMap(canonical(line), (value) =>
    Result.mapError(decodeHeader(value), () => "it is not the head of a release")
  )
  if (Result.isFailure(read)) return broken(1, read.failure)
  const header = read.success
  const { manifest } = header
  if (releaseIdOf(hash.text, manifest) !== header.release_id)
    return broken(1, "the release id is not the hash of its manifest")
  if (sourceSetSha256(hash.text, manifest.sources) !== manifest.source_set_sha256)
    return broken(1, "the hash of the sources is not that of the sources it lists")
  return Result.succeed({ header, lines: 1, tree: emptyFrontier, last: "" })
}

/** Reads the next record: it must be what its own hash says, and come after the one before. */
export const readRecord = (
  hash: HashFunctions,
  { header, last, lines, tree }: Verification,
  line: string
): Result.Result<Verification, ExportFault> => {
  const at = lines + 1
  const read = canonical(line)
  if (Result.isFailure(read)) return broken(at, read.failure)
  if (!isObject(read.success)) return broken(at, "it is no record")
  const { decision_id: id, record_sha256: stated, ...record } = read.success
  const sha256 = hash.text(`decision.v1\0${canonicalJson(record)}`)
  if (stated !== sha256) return broken(at, "the record is not what its hash says")
  if (id !== `dec_${sha256}`) return broken(at, "the decision id is not that of its record")
  if (sha256 <= last) return broken(at, "the record is not in its place, or stands there twice")
  const entry = Result.getOrElse(Hex.decode(sha256), () => new Uint8Array(0))
  return Result.succeed({ header, lines: at, tree: appendEntries(hash.bytes, tree, [entry]), last: sha256 })
}

/**
 * What is wrong with the whole, once every line was right; undefined: it is the release that it says it is.
 */
export const exportFault = (
  hash: HashFunctions,
  { header, lines, tree }: Verification
): ExportFault | undefined => {
  const { dataset_sha256: root, decision_count: count } = header.manifest
  const next = lines + 1
  if (tree.size < count)
    return { line: next, says: `${tree.size} records are there and the manifest counts ${count}` }
  if (tree.size > count)
    return { line: count + 2, says: `the manifest counts ${count} records and here is one more` }
  return Hex.encode(rootOf(hash.bytes, tree)) === root
    ? undefined
    : { line: null, says: "each record has its own hash, and together they are not those of the manifest" }
}

const broken = (line: number, says: string) => Result.fail<ExportFault>({ line, says })

const decodeHeader = SchemaParser.decodeUnknownResult(ExportHeader, { onExcessProperty: "error" })

/**
 * A line that is written in any other way than ours was touched, though it may mean the same. One that nests
 * deeper than anything can be read is no JSON of ours either.
 */
const canonical = (line: string): Result.Result<unknown, string> =>
  Result.flatMap(
    Result.try({
      try: () => {
        const value: unknown = JSON.parse(line)
        return { value, isOurs: canonicalJson(value) === line }
      },
      catch: () => "it is no JSON"
    }),
    ({ isOurs, value }) => (isOurs ? Result.succeed(value) : Result.fail("it was written anew"))
  )
