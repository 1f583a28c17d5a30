import type { IsoTime } from "../coverage/date.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** What is written down about keys, members, webhooks and packs (usage and keys dashboard). */
export const auditActions = [
  "key.created",
  "key.revoked",
  "key.rotated",
  "member.invited",
  "member.invitation_withdrawn",
  "member.joined",
  "member.removed",
  "member.role_changed",
  "webhook.created",
  "webhook.changed",
  "webhook.deleted",
  "webhook.secret_rotated",
  "webhook.replayed",
  "pack.changed",
  "overage_cap.changed",
  "credits.granted",
  "app.connected",
  "app.disconnected",
  "organization.created",
  "organization.renamed"
] as const
export type AuditAction = (typeof auditActions)[number]

/** Who did it: a person of the organization, one of its keys by the API, or the operator's command line. */
export type AuditActor =
  | { readonly kind: "person"; readonly id: string; readonly label: string }
  | { readonly kind: "key"; readonly id: string; readonly label: string }
  | { readonly kind: "operator" }
  | { readonly kind: "service" }

/** One line of the log, written once. It holds ids and names, never a secret. */
export interface AuditEntry {
  readonly organizationId: OrganizationId
  readonly at: IsoTime
  readonly actor: AuditActor
  readonly action: AuditAction
  /** Whom or what it was done to: a key id, an endpoint's id, an e-mail address, a pack. */
  readonly subject: string
  /** What changed, in a few words for a reader; null: the action says it all. */
  readonly detail: string | null
}
