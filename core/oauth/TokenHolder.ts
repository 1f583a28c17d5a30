import type * as Brand from "effect/Brand"
import type { IsoTime } from "../coverage/date.ts"
import type { KeyHolder } from "../key/state.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PersonId } from "../person/Person.ts"

/** SHA-256 (hex) of an access token, which itself is kept nowhere. */
export type TokenHash = string & Brand.Brand<"TokenHash">

/** What a person consents to, and all that a token of ours can carry (§5, MCP authentication). */
export const oauthScopes = ["service:mcp", "read"] as const

/** An access token lives for one hour (§8). */
export const accessTokenSeconds = 3_600
/** From the consent; refreshing does not move it (§8). */
export const refreshWindowSeconds = 30 * 86_400

/** A person who belongs to the organization, and the app that may ask in their name: one read. */
export interface TokenHolder extends Pick<KeyHolder, "pack" | "organizationSuspended" | "concurrentMax"> {
  readonly grantId: string
  readonly clientId: string
  readonly personId: PersonId
  readonly organizationId: OrganizationId
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: IsoTime
}
