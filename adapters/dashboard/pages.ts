import type { Permission } from "../../core/organization/role.ts"
import type { PageHandler, MemberRequest, OpenRequest, PersonRequest } from "./Page.ts"
import * as apps from "./page/apps.ts"
import { showAudit } from "./page/audit.ts"
import * as consent from "./page/consent.ts"
import * as credits from "./page/credits.ts"
import * as endpoint from "./page/endpoint.ts"
import * as invitation from "./page/invitation.ts"
import * as keys from "./page/keys.ts"
import { showLanding } from "./page/landing.ts"
import * as members from "./page/members.ts"
import { dismissNotice } from "./page/notices.ts"
import * as organizations from "./page/organizations.ts"
import * as reset from "./page/reset.ts"
import * as settings from "./page/settings.ts"
import * as signIn from "./page/signIn.ts"
import * as signUp from "./page/signUp.ts"
import * as usage from "./page/usage.ts"
import * as webhooks from "./page/webhooks.ts"

type Method = "GET" | "POST"

const anybody = <R>(method: Method, path: `/${string}`, answer: PageHandler<OpenRequest, R>) =>
  ({ who: "anybody", method, path, answer }) as const

const person = <R>(method: Method, path: `/${string}`, answer: PageHandler<PersonRequest, R>) =>
  ({ who: "person", method, path, answer }) as const

const member = <R>(
  method: Method,
  path: "" | `/${string}`,
  answer: PageHandler<MemberRequest, R>,
  permission?: Permission
) => ({ who: "member", method, path: `/dashboard/:organization${path}`, answer, permission }) as const

/** Every page: its method and path, who may see it, its answer, and the permission it takes. */
export const pages = [
  anybody("GET", "/", showLanding),
  anybody("GET", "/signup", signUp.showSignUp),
  anybody("POST", "/signup", signUp.signUp),
  anybody("GET", "/signup/sent", signUp.showSent),
  anybody("GET", "/verify", signUp.showVerify),
  anybody("POST", "/verify", signUp.verify),
  anybody("GET", "/login", signIn.showSignIn),
  anybody("POST", "/login", signIn.signIn),
  anybody("POST", "/logout", signIn.signOut),
  anybody("GET", "/forgot", reset.showForgot),
  anybody("POST", "/forgot", reset.requestLink),
  anybody("GET", "/reset", reset.showReset),
  anybody("POST", "/reset", reset.resetPassword),
  anybody("GET", "/invitations/:invitation", invitation.showInvitation),
  person("POST", "/invitations/:invitation", invitation.acceptInvitation),
  person("GET", "/oauth/consent/:uid", consent.showConsent),
  person("POST", "/oauth/consent/:uid/allow", consent.allow),
  person("POST", "/oauth/consent/:uid/deny", consent.deny),
  person("GET", "/dashboard", organizations.showOrganizations),
  person("GET", "/dashboard/new", organizations.showNew),
  person("POST", "/dashboard/new", organizations.create),
  member("GET", "", organizations.goHome),
  member("GET", "/usage", usage.showUsage),
  member("GET", "/usage.csv", usage.downloadUsage, "export_usage"),
  member("GET", "/keys", keys.showKeys),
  member("POST", "/keys", keys.createKey, "create_key"),
  member("GET", "/keys/:key/revoke", keys.confirmRevoke, "revoke_key"),
  member("POST", "/keys/:key/revoke", keys.revokeKey, "revoke_key"),
  member("GET", "/keys/:key/rotate", keys.confirmRotate, "rotate_key"),
  member("POST", "/keys/:key/rotate", keys.rotateKey, "rotate_key"),
  member("GET", "/credits", credits.showCredits),
  member("POST", "/credits/cap", credits.setCap, "set_overage_cap"),
  member("POST", "/credits/pack", credits.choosePlan, "choose_pack"),
  member("GET", "/webhooks", webhooks.showWebhooks),
  member("POST", "/webhooks", webhooks.addEndpoint, "change_webhook"),
  member("GET", "/webhooks/:endpoint", endpoint.showEndpoint),
  member("POST", "/webhooks/:endpoint", endpoint.changeEndpoint, "change_webhook"),
  member("POST", "/webhooks/:endpoint/status", endpoint.setStatus, "change_webhook"),
  member("POST", "/webhooks/:endpoint/test", endpoint.sendTest, "change_webhook"),
  member("GET", "/webhooks/:endpoint/rotate", webhooks.confirmRotate, "change_webhook"),
  member("POST", "/webhooks/:endpoint/rotate", webhooks.rotateSecret, "change_webhook"),
  member("GET", "/webhooks/:endpoint/delete", webhooks.confirmDelete, "change_webhook"),
  member("POST", "/webhooks/:endpoint/delete", webhooks.deleteEndpoint, "change_webhook"),
  member("POST", "/webhooks/:endpoint/replay", endpoint.replayDays, "replay_delivery"),
  member("POST", "/webhooks/:endpoint/deliveries/:delivery/replay", endpoint.replayOne, "replay_delivery"),
  member("GET", "/members", members.showMembers),
  member("POST", "/members", members.invite, "invite_member"),
  member("POST", "/invitations/:invitation/withdraw", members.withdraw, "invite_member"),
  member("POST", "/members/:person/role", members.changeRole, "change_role"),
  member("GET", "/members/:person/remove", members.confirmRemove),
  member("POST", "/members/:person/remove", members.remove),
  member("GET", "/apps", apps.showApps),
  member("GET", "/apps/:grant/disconnect", apps.confirmDisconnect),
  member("POST", "/apps/:grant/disconnect", apps.disconnect),
  member("GET", "/audit", showAudit),
  member("GET", "/settings", settings.showSettings),
  member("POST", "/settings", settings.rename, "rename_organization"),
  member("POST", "/settings/password", settings.sendPasswordLink),
  member("POST", "/notices/dismiss", dismissNotice)
] as const
