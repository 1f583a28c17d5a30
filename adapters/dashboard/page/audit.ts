import * as Effect from "effect/Effect"
import type { AuditAction, AuditActor, AuditEntry } from "../../../core/audit/AuditEntry.ts"
import * as managing from "../../../core/admin/audit.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { MemberRequest } from "../Page.ts"
import { notFound, showPage } from "../Page.ts"
import { card, empty, lead, pager, rows, time } from "../parts.ts"

/** Shows the audit log, the newest entries first. */
export const showAudit = Effect.fnUntraced(function* ({ actor, home, query }: MemberRequest) {
  const before = query.get("before")
  if (before !== null && !/^[1-9]\d{0,14}$/.test(before)) return notFound
  const { entries, next } = yield* managing.page(actor, before === null ? null : Number(before))
  return showPage({
    title: "Audit log",
    section: "audit",
    body: html`${lead(
      "Changes to keys, members, webhooks, plans and apps, and who made them. Entries are never deleted."
    )}
${card({
  title: before === null ? "Newest" : "Older",
  body: html`${
    entries.length === 0
      ? empty({ title: "No entries yet", says: "Changes to keys, members and webhooks appear here." })
      : rows(entries.map(entryRow))
  }${pager({
    newest: before === null ? undefined : `${home}/audit`,
    older: next === null ? undefined : `${home}/audit?before=${next}`
  })}`
})}`
  })
})

const entryRow = ({ action, actor, at, detail, subject }: AuditEntry) => ({
  title: `${actions[action]}: ${action.startsWith("webhook.") ? `endpoint ${subject}` : subject}`,
  says: html`${detail !== null && html`${detail}<br>`}${time(at)} by ${actorText(actor)}`
})

const actorText = (actor: AuditActor): string | Html => {
  switch (actor.kind) {
    case "person":
      return actor.label
    case "key":
      return html`the key ${actor.label} (<code>${actor.id}</code>)`
    case "operator":
      return "the operator"
    case "service":
      return "the service"
  }
}

const actions: Readonly<Record<AuditAction, string>> = {
  "key.created": "Key created",
  "key.revoked": "Key revoked",
  "key.rotated": "Key rotated",
  "member.invited": "Member invited",
  "member.invitation_withdrawn": "Invitation withdrawn",
  "member.joined": "Member joined",
  "member.removed": "Member removed",
  "member.role_changed": "Role changed",
  "webhook.created": "Webhook added",
  "webhook.changed": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.secret_rotated": "Webhook secret rotated",
  "webhook.replayed": "Deliveries replayed",
  "pack.changed": "Plan changed",
  "overage_cap.changed": "Overage cap changed",
  "credits.granted": "Credits granted",
  "app.connected": "App connected",
  "app.disconnected": "App disconnected",
  "organization.created": "Organization created",
  "organization.renamed": "Organization renamed"
}
