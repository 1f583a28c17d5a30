import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"

/**
 * What a page may say of the action before it: a closed table, so that nobody's text is ever reflected. A new
 * action adds its row.
 */
export const flashes = {
  signed_out: { tone: "good", text: "You are signed out." },
  reset_sent: {
    tone: "good",
    text: "If there is an account with that address, a mail with a link is on its way. It works for an hour."
  },
  password_link_sent: {
    tone: "good",
    text: "A mail with a link to choose another password is on its way. It works for an hour."
  },
  password_changed: { tone: "good", text: "Your password is changed. Sign in with the new one." },
  address_verified: { tone: "good", text: "Your address is confirmed and you are signed in." },
  organization_created: {
    tone: "good",
    text: "Your organization is ready, with 100 starter credits. Next, create a key."
  },
  organization_renamed: { tone: "good", text: "The organization has its new name." },
  member_invited: { tone: "good", text: "The invitation is sent. It can be accepted for 7 days." },
  invitation_withdrawn: { tone: "good", text: "The invitation is withdrawn." },
  invitation_ended: { tone: "bad", text: "That invitation was withdrawn or accepted already." },
  invitation_accepted: { tone: "good", text: "Welcome: you are now a member of this organization." },
  role_changed: { tone: "good", text: "The role is changed." },
  member_removed: { tone: "good", text: "The member is removed, and their connected apps with them." },
  organization_left: { tone: "good", text: "You left the organization." },
  member_unknown: { tone: "bad", text: "That person is no longer a member." },
  notice_dismissed: { tone: "good", text: "The notice is dismissed for you. Others still see it." },
  last_owner: {
    tone: "bad",
    text: "An organization keeps at least one owner. Make somebody else an owner first."
  },
  key_revoked: { tone: "good", text: "The key is revoked: it is refused everywhere within a second." },
  key_not_rotated: {
    tone: "bad",
    text: "That key is not rotated here: it ends soon, does not work, or does more than read. Ask the operator."
  },
  cap_set: { tone: "good", text: "The cap on overage is set." },
  cap_lifted: { tone: "good", text: "The cap on overage is lifted." },
  no_overage: { tone: "bad", text: "This pack has no overage: it stops at zero." },
  pack_chosen: { tone: "good", text: "The lower pack begins with the next month." },
  pack_kept: { tone: "good", text: "You keep the pack that you have." },
  pack_needs_payment: { tone: "bad", text: "A higher pack is paid for first. See below how." },
  webhook_changed: { tone: "good", text: "The endpoint is saved." },
  webhook_paused: { tone: "good", text: "The endpoint is paused. Events are held until it is set active." },
  webhook_resumed: { tone: "good", text: "The endpoint is active. Replay what it missed, if anything." },
  webhook_deleted: { tone: "good", text: "The endpoint is deleted." },
  webhook_test_limited: {
    tone: "bad",
    text: "An endpoint is tested at most six times a minute. Wait a moment."
  },
  webhooks_need_scale: { tone: "bad", text: "Webhooks come with the Scale pack." },
  delivery_replayed: { tone: "good", text: "The delivery is on its way again." },
  deliveries_replayed: { tone: "good", text: "The deliveries of these days are on their way again." },
  nothing_replayed: { tone: "bad", text: "There was nothing to replay in these days." },
  app_disconnected: { tone: "good", text: "The app is disconnected." }
} as const satisfies Record<string, { readonly tone: "good" | "bad"; readonly text: string }>
export type FlashCode = keyof typeof flashes

/** Announced to a screen reader as the page opens. */
export const flashHtml = (code: FlashCode | undefined): Html => {
  if (code === undefined) return html``
  const { tone, text } = flashes[code]
  return html`<p class="flash ${tone}" role="${tone === "bad" ? "alert" : "status"}">${text}</p>`
}
