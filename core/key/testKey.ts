import type { OrganizationId } from "../organization/Organization.ts"
import type { KeyHolder, KeyId, KeyRecord } from "./state.ts"

/**
 * A test key is an organization of its own (contract §3): its writes are nobody else's and vanish with it.
 * The organization has the key's id and no row: it holds no credits, no members and no ledger.
 */
export const ownOrganization = (keyId: KeyId): OrganizationId =>
  `org_${keyId.slice(keyPrefix.length)}` as OrganizationId

/** The only key that such an organization could have. */
export const ownKeyId = (organizationId: OrganizationId): KeyId =>
  `${keyPrefix}${organizationId.slice(organizationPrefix.length)}` as KeyId

/** Whether the key needs no organization but itself; live keys always do. */
export const isOwnOrganization = (key: Pick<KeyRecord, "mode" | "keyId" | "organizationId">): boolean =>
  key.mode === "test" && key.organizationId === ownOrganization(key.keyId)

/** What a call learns of such a key: the features of Scale, and no one who could suspend its organization. */
export const ownHolder = (key: KeyRecord): KeyHolder => ({
  key,
  pack: "scale",
  organizationSuspended: false,
  concurrentMax: null
})

const keyPrefix = "key_"
const organizationPrefix = "org_"
