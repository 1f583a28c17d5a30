import type { SqlClient } from "effect/sql/SqlClient"
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
