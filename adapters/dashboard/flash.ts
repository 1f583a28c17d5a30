import { starterCredits } from "../../core/organization/pack.ts"
import type { CookieText } from "../../core/port/People.ts"
import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import { isHttps } from "./response.ts"

/**
 * What a page may report about the action before it. The tables are closed, so that a page never repeats
 * text that came from outside. A new action adds its row.
 */
const successes = {
  signed_out: "You are signed out.",
  reset_sent: "If that address has an account, we sent it an email with a link. The link works for an hour.",
  password_link_sent: "We sent you an email with a link to change your password. The link works for an hour.",
  password_changed: "Your password is changed. Sign in with the new one.",
  address_verified: "Your email address is confirmed and you are signed in.",
  organization_created: `Your organization is ready and has ${starterCredits} starter credits. Next, create a key.`,
  organization_renamed: "The organization is renamed.",
  member_invited: "The invitation is sent. It can be accepted for 7 days.",
  invitation_withdrawn: "The invitation is withdrawn.",
  invitation_accepted: "Welcome! You are now a member of this organization.",
  role_changed: "The role is changed.",
  member_removed: "The member is removed, and their connected apps are disconnected.",
  organization_left: "You left the organization.",
  notice_dismissed: "The notice is dismissed for you. Others still see it.",
  key_revoked: "The key is revoked. It stops working everywhere within a second.",
  cap_set: "The overage cap is set.",
  cap_removed: "The overage cap is removed.",
  plan_chosen: "The lower plan starts next month.",
  plan_kept: "You keep your current plan.",
  webhook_changed: "The endpoint is saved.",
  webhook_paused: "The endpoint is paused. Events are held until you resume it.",
  webhook_resumed: "The endpoint is active. Replay any events it missed.",
  webhook_deleted: "The endpoint is deleted.",
  delivery_replayed: "The delivery is sent again.",
  deliveries_replayed: "The deliveries of these days are sent again.",
  app_disconnected: "The app is disconnected."
} as const

const problems = {
  invitation_ended: "That invitation was already withdrawn or accepted.",
  member_unknown: "That person is no longer a member.",
  last_owner: "An organization keeps at least one owner. Make somebody else an owner first.",
  key_not_rotated:
    "That key cannot be rotated here: it ends soon, is not valid, or can write. Contact support.",
  no_overage: "This plan has no overage: calls stop at zero credits.",
  plan_needs_payment: "A higher plan must be paid first. See below.",
  webhook_test_limited: "You can test an endpoint six times a minute. Wait a moment and try again.",
  webhooks_need_scale: "Webhooks come with the Scale plan.",
  nothing_replayed: "There was nothing to replay in these days."
} as const

const flashes = { ...successes, ...problems }
export type FlashCode = keyof typeof flashes

/** A screen reader announces it as the page opens. */
export const flashHtml = (code: FlashCode): Html =>
  html`<p class="flash ${code in problems ? "bad" : "good"}" role="${code in problems ? "alert" : "status"}">${
    flashes[code]
  }</p>`

/** Long enough for the redirect. */
const lifeSeconds = 60

/** Carries a code of the table to the next page, which clears it. */
export const flashCookie = (baseUrl: string) => {
  const name = isHttps(baseUrl) ? "__Host-said" : "said"
  const rest = `Path=/; HttpOnly; SameSite=Lax${isHttps(baseUrl) ? "; Secure" : ""}`
  return {
    set: (code: FlashCode): string => `${name}=${code}; Max-Age=${lifeSeconds}; ${rest}`,
    clear: `${name}=; Max-Age=0; ${rest}`,
    read: (cookie: CookieText): FlashCode | undefined => {
      const pairs = (cookie ?? "").split(";").map((pair) => pair.trim())
      const pair = pairs.find((one) => one.startsWith(`${name}=`))
      return (Object.keys(flashes) as ReadonlyArray<FlashCode>).find((code) => pair === `${name}=${code}`)
    }
  }
}
