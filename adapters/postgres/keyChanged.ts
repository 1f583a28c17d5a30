import type { SqlClient } from "effect/sql/SqlClient"
import type { KeyChange } from "../../core/key/cache.ts"
import type { KeyHash } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"

/** The channel that empties key caches everywhere; the payload is `key:<hash>` or `org:<organization id>`. */
export const keyChanged = "key_changed"

/**
 * Said inside the transaction, and so heard by every process when it commits and not at all when it does not.
 */
export const notifyKeyChanged = (sql: SqlClient, hash: KeyHash) =>
  sql`select pg_notify(${keyChanged}, ${`key:${hash}`})`

/** As `notifyKeyChanged`, for every key of an organization. */
export const notifyOrganizationChanged = (sql: SqlClient, organizationId: OrganizationId) =>
  sql`select pg_notify(${keyChanged}, ${`org:${organizationId}`})`

/** The payload as it is heard; an operator may empty all caches with any other, as `notify key_changed`. */
export const keyChangeOf = (payload: string): KeyChange => {
  const subject = payload.slice(4)
  if (payload.startsWith("key:")) return { _tag: "Key", hash: subject as KeyHash }
  if (payload.startsWith("org:")) return { _tag: "Organization", organizationId: subject as OrganizationId }
  return { _tag: "Everything" }
}
