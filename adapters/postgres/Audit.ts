import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { AuditAction, AuditActor, AuditEntry } from "../../core/audit/AuditEntry.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Audit, AuditUnavailable } from "../../core/port/Audit.ts"
import { unavailable } from "./Database.ts"
import { plainText } from "./library/plainText.ts"

/** The audit log in PostgreSQL: one insert, which joins the transaction around it. */
export const layer = Layer.effect(
  Audit,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Audit.of({
      append: (entry) => unavailable(failed)(Effect.asVoid(insert(sql, entry))),
      list: ({ organizationId, before, limit }) =>
        unavailable(failed)(
          Effect.map(
            sql<EntryRow>`select * from audit_entry where organization_id = ${organizationId}
              and audit_id < ${before ?? newest} order by audit_id desc limit ${limit + 1}`,
            (rows) => ({
              entries: rows.slice(0, limit).map(entryOf),
              next: rows.length > limit ? Number(rows[limit - 1]?.audit_id) : null
            })
          )
        )
    })
  )
)

const failed = (fault: AuditUnavailable["fault"]) => new AuditUnavailable({ fault })

/** No entry has such an id: they count up from one. */
const newest = Number.MAX_SAFE_INTEGER

const insert = (sql: SqlClient.SqlClient, entry: AuditEntry) => {
  const { actor } = entry
  const named = "id" in actor ? { id: plainText(actor.id), label: plainText(actor.label) } : nobody
  return sql`insert into audit_entry
    (organization_id, at, actor, actor_id, actor_label, action, subject, detail)
    values (${entry.organizationId}, ${new Date(entry.at)}, ${actor.kind}, ${named.id}, ${named.label},
      ${entry.action}, ${plainText(entry.subject)}, ${entry.detail === null ? null : plainText(entry.detail)})`
}

const nobody = { id: null, label: null }

interface EntryRow {
  readonly audit_id: bigint
  readonly organization_id: OrganizationId
  readonly at: Date
  readonly actor: AuditActor["kind"]
  readonly actor_id: string | null
  readonly actor_label: string | null
  readonly action: AuditAction
  readonly subject: string
  readonly detail: string | null
}

const entryOf = (row: EntryRow): AuditEntry => ({
  organizationId: row.organization_id,
  at: row.at.toISOString() as IsoTime,
  actor: actorOf(row),
  action: row.action,
  subject: row.subject,
  detail: row.detail
})

const actorOf = ({ actor, actor_id: id, actor_label: label }: EntryRow): AuditActor => {
  switch (actor) {
    case "person":
    case "key":
      return { kind: actor, id: id ?? "", label: label ?? "" }
    case "operator":
    case "service":
      return { kind: actor }
  }
}
