import * as Effect from "effect/Effect"
import type { AuditAction, AuditActor, AuditEntry } from "../../../core/audit/AuditEntry.ts"
import * as managing from "../../../core/admin/audit.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { notFound, showPage } from "../answer.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { card, empty, lead, rows, time } from "../parts.ts"

const show = Effect.fnUntraced(function* (request: MemberRequest) {
  const place = request.query.get("before")
  if (place !== null && !/^[1-9]\d{0,14}$/.test(place)) return notFound
  const { entries, next } = yield* managing.page(request.actor, place === null ? null : Number(place))
  return showPage({
    title: "Audit log",
    section: "audit",
    body: html`${lead(
      "Who changed keys, members, webhooks, packs and apps, by page, program or operator. Nothing is ever taken " +
        "from it."
    )}
${card({
  title: place === null ? "The newest" : "Older",
  body: html`${
    entries.length === 0
      ? empty({
          title: "Nothing here",
          says: "The next change of a key, member or webhook is written down here."
        })
      : entriesList(entries)
  }${pager(request.home, { isFirst: place === null, next })}`
})}`
  })
})

/** The audit log of an organization. */
export const auditPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/audit", answer: show })
] as const

const entriesList = (entries: ReadonlyArray<AuditEntry>): Html =>
  rows(
    entries.map(({ action, actor, at, detail, subject }) => ({
      title: html`${actions[action]}: ${action.startsWith("webhook.") ? `endpoint ${subject}` : subject}`,
      says: html`${detail === null ? html`` : html`${detail}<br>`}${time(at)} by ${actorText(actor)}`
    }))
  )

const pager = (
  home: string,
  { isFirst, next }: { readonly isFirst: boolean; readonly next: number | null }
): Html =>
  isFirst && next === null
    ? html``
    : html`<nav class="actions" aria-label="Pages">${
        isFirst ? html`` : html`<a class="button quiet" href="${home}/audit">Newest</a>`
      }${next === null ? html`` : html`<a class="button quiet" href="${home}/audit?before=${next}">Older</a>`}</nav>`

const actorText = (actor: AuditActor): Html => {
  switch (actor.kind) {
    case "person":
      return html`${actor.label}`
    case "key":
      return html`the key ${actor.label} (<code>${actor.id}</code>)`
    case "operator":
      return html`the operator`
    case "service":
      return html`the service`
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
  "pack.changed": "Pack changed",
  "overage_cap.changed": "Overage cap changed",
  "credits.granted": "Credits granted",
  "app.connected": "App connected",
  "app.disconnected": "App disconnected",
  "organization.created": "Organization created",
  "organization.renamed": "Organization renamed"
}
