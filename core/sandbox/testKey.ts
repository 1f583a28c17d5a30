import type { IsoTime } from "../coverage/date.ts"
import type { Scope } from "../operation/scope.ts"
import { ownOrganization } from "../key/testKey.ts"
import type { KeyHash, KeyId, KeyRecord } from "../key/state.ts"

/** A test key opens the sandbox for this long (§5.6). */
export const testKeyDays = 7
export const testKeyMs = testKeyDays * 86_400_000

/** What a test key may do when nothing else is requested (contract §3). */
export const testKeyScopes = ["read", "write"] as const satisfies ReadonlyArray<Scope>

/** The certified release of the fixtures, which every certified test key is for. */
export const fixtureReleaseId = "rel_546958bbec70857f02e64bb5aea4fe8ed8eba6041747bbc3bc49ed1ec0df6a8f"

/** A test key as it is kept; of the key itself only its hash (§2.5). */
export const testKeyRecord = (drawn: {
  readonly keyId: KeyId
  readonly hash: KeyHash
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: IsoTime
  readonly expiresAt: IsoTime
}): KeyRecord => ({
  ...drawn,
  organizationId: ownOrganization(drawn.keyId),
  name: "test key",
  mode: "test",
  mark: "valid",
  reason: null,
  lastUsedAt: null,
  allowedCidrs: [],
  allowedOrigins: [],
  releaseId: drawn.scopes.includes("certified:derived_decision:read") ? fixtureReleaseId : null
})
