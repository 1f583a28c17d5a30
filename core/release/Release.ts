import type { CodeSystem } from "../coverage/Code.ts"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import type { Disposition, PolicyId } from "../coverage/Policy.ts"
import type { Manifest } from "./manifest.ts"
import type { ReleaseId, Sha256 } from "./ReleaseId.ts"

/** The version of a policy that a release's decisions were derived from. */
export interface CertifiedPolicy {
  readonly policyId: PolicyId
  readonly policyVersion: number
  readonly fingerprintSha256: string
  readonly sourceDocumentSha256: string
  readonly payerCode: string
  readonly lineOfBusiness: string
  readonly effectiveDate: IsoDate
  readonly retireDate: IsoDate | null
}

/** What a policy decides of one code. */
export interface CertifiedCode {
  readonly codeSystem: CodeSystem
  readonly code: string
  readonly disposition: Disposition
  readonly recordSha256: Sha256
}

/** A policy and all that a release says of its codes; one code and system stands once. */
export interface PolicyDecisions {
  readonly policy: CertifiedPolicy
  readonly codes: ReadonlyArray<CertifiedCode>
}

/** One decision of a release. */
export interface CertifiedDecision {
  readonly policy: CertifiedPolicy
  readonly code: CertifiedCode
}

/** How a release ceased to be available; neither is ever taken back. */
export const endingKinds = ["expired", "revoked"] as const
export interface ReleaseEnd {
  readonly kind: (typeof endingKinds)[number]
  readonly reason: string | null
  readonly at: IsoTime
}

/** What was certified, and by whom. */
export interface Certificate {
  readonly releaseId: ReleaseId
  readonly manifest: Manifest
  readonly certifiedAt: IsoTime
  readonly expiresAt: IsoTime
  /** Detached JWS over the canonical manifest; its protected header holds both times. */
  readonly signature: string
}

/** A release as it is kept: but for its endings nothing of it ever changes (§4.5). */
export interface Release extends Certificate {
  /** At most one of each kind. */
  readonly endings: ReadonlyArray<ReleaseEnd>
}

export type ReleaseState = "available" | ReleaseEnd["kind"]

/** Whether the release may be read at this instant; to be revoked outweighs to have expired. */
export const releaseState = (release: Release, now: IsoTime): ReleaseState => {
  if (release.endings.some(({ kind }) => kind === "revoked")) return "revoked"
  return release.expiresAt <= now || release.endings.length > 0 ? "expired" : "available"
}

/** A release is good for so many days from its certification unless the operator says otherwise. */
export const releaseDays = 365
