import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class AuditUnavailable extends Schema.TaggedError<AuditUnavailable>()("AuditUnavailable", {
  fault: StoreFault
}) {}

/**
 * The audit log of each organization.
 *
 * 1. `list` gives what was appended for the organization, newest first, at most `limit`; `next` is the place
 *    of the last one when more follow, and paging by it gives each that existed throughout once.
 * 2. What was appended is never changed or deleted.
 * 3. `append` joins the write around it.
 * 4. Organizations do not see each other's.
 * 5. An unavailable store fails with AuditUnavailable.
 */
export class Audit extends Context.Service<
  Audit,
  {
    readonly append: (entry: AuditEntry) => Effect.Effect<void, AuditUnavailable>
    readonly list: (query: {
      readonly organizationId: OrganizationId
      /** Entries before this place; null: from the newest. */
      readonly before: number | null
      readonly limit: number
    }) => Effect.Effect<
      { readonly entries: ReadonlyArray<AuditEntry>; readonly next: number | null },
      AuditUnavailable
    >
  }
>()("coverage/core/port/Audit") {}
