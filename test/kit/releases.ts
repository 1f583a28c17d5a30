import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { PolicyDocument, PolicyVersion } from "../../core/coverage/Policy.ts"
import { canonicalDocument } from "../../core/coverage/revise.ts"
import { manifestOf, releaseIdOf } from "../../core/release/manifest.ts"
import type { Source } from "../../core/release/manifest.ts"
import { emptyFrontier, appendEntries, rootOf } from "../../core/release/merkle.ts"
import { decisionsOf } from "../../core/release/record.ts"
import type { Certificate, PolicyDecisions } from "../../core/release/Release.ts"
import { day, documentOf, importedAt, procedure } from "./library.ts"

/** Authored releases for the laws of their store. */

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex")

/** A first version of the document, as a store would have recorded it. */
export const versionOf = (document: PolicyDocument): PolicyVersion => ({
  ...document,
  version: 1,
  fingerprintSha256: sha256Hex(canonicalDocument(document)),
  recordedAt: importedAt
})

/** What a policy of this id decides of the codes. */
export const decisionsFor = (policyId: string, ...codes: ReadonlyArray<string>): PolicyDecisions =>
  decisionsOf(sha256Hex, versionOf(documentOf({ policyId, codeGroups: [procedure(...codes)] })))

export const mcd: Source = { kind: "mcd", source_as_of: "2026-03-05", sha256: "a".repeat(64) }

/** The certificate of these hashes; its times and signature are invented. */
export const certificateOf = (
  hashes: ReadonlyArray<string>,
  given: Partial<Pick<Certificate, "certifiedAt" | "expiresAt" | "signature">> & {
    readonly sources?: ReadonlyArray<Source>
  } = {}
): Certificate => {
  const { sources = [mcd], ...times } = given
  const tree = appendEntries(
    sha256,
    emptyFrontier,
    hashes.map((hash) => Buffer.from(hash, "hex"))
  )
  const manifest = manifestOf(sha256Hex, {
    origin: "imported",
    sourceAsOf: day("2026-03-05"),
    sources,
    datasetSha256: Buffer.from(rootOf(sha256, tree)).toString("hex"),
    decisions: hashes.length,
    policies: 1
  })
  return {
    releaseId: releaseIdOf(sha256Hex, manifest),
    manifest,
    certifiedAt: "2026-03-06T10:00:00.000Z" as IsoTime,
    expiresAt: "2027-03-06T10:00:00.001Z" as IsoTime,
    signature: "e30..c2lnbmF0dXJl",
    ...times
  }
}

/** How these policies become a release. */
export const makingOf = (
  policies: ReadonlyArray<PolicyDecisions>,
  given?: Parameters<typeof certificateOf>[1]
) => ({
  policies: Stream.fromIterable(policies),
  certificate: <E>(hashes: Stream.Stream<string, E>) =>
    Effect.map(Stream.runCollect(hashes), (all) => certificateOf(all, given))
})
