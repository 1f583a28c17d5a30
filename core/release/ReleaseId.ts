import type * as Brand from "effect/Brand"

/** `rel_` and the SHA-256 (hex) of the release's manifest: the id is the content (coverage-domain §2.2). */
export type ReleaseId = string & Brand.Brand<"ReleaseId">

/** SHA-256 in lower-case hex. */
export type Sha256 = string & Brand.Brand<"Sha256">

/** The release id that the text is, or undefined. */
export const parseReleaseId = (text: string): ReleaseId | undefined =>
  /^rel_[0-9a-f]{64}$/.test(text) ? (text as ReleaseId) : undefined
