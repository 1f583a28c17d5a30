import * as Schema from "effect/Schema"
import { canonicalJson } from "../json/canonicalJson.ts"
import { Manifest } from "./manifest.ts"
import { decisionView } from "./record.ts"
import type { CertifiedDecision, Release } from "./Release.ts"

/** A public key of Ed25519 as RFC 8037 writes it, its required members alone. */
export const PublicKey = Schema.Struct({
  crv: Schema.Literal("Ed25519"),
  kty: Schema.Literal("OKP"),
  x: Schema.String
})
export type PublicKey = typeof PublicKey.Type

/** The first line of an exported release; the records follow, one a line, by their hashes. */
export const ExportHeader = Schema.Struct({
  certified_at: Schema.String,
  expires_at: Schema.String,
  manifest: Manifest,
  public_key: PublicKey,
  release_id: Schema.String,
  signature: Schema.String
})
export type ExportHeader = typeof ExportHeader.Type

/** The first line, without its end. */
export const headerLine = (release: Release, publicKey: PublicKey): string => {
  const header: ExportHeader = {
    certified_at: release.certifiedAt,
    expires_at: release.expiresAt,
    manifest: release.manifest,
    public_key: { crv: publicKey.crv, kty: publicKey.kty, x: publicKey.x },
    release_id: release.releaseId,
    signature: release.signature
  }
  return canonicalJson(header)
}

/** The line of a decision, without its end. */
export const decisionLine = (decision: CertifiedDecision): string => canonicalJson(decisionView(decision))
