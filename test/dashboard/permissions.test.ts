import { describe, expect, it } from "vitest"
import { pages } from "../../adapters/dashboard/pages.ts"

const rows = pages.map((page) => ({
  who: page.who,
  named: `${page.method} ${page.path.replace("/dashboard/:organization", "…")}`,
  permission: page.who === "member" ? page.permission : undefined
}))

const permissions = {
  "GET …/usage.csv": "export_usage",
  "POST …/keys": "create_key",
  "GET …/keys/:key/revoke": "revoke_key",
  "POST …/keys/:key/revoke": "revoke_key",
  "GET …/keys/:key/rotate": "rotate_key",
  "POST …/keys/:key/rotate": "rotate_key",
  "POST …/credits/cap": "set_overage_cap",
  "POST …/credits/pack": "choose_pack",
  "POST …/webhooks": "change_webhook",
  "POST …/webhooks/:endpoint": "change_webhook",
  "POST …/webhooks/:endpoint/status": "change_webhook",
  "POST …/webhooks/:endpoint/test": "change_webhook",
  "GET …/webhooks/:endpoint/rotate": "change_webhook",
  "POST …/webhooks/:endpoint/rotate": "change_webhook",
  "GET …/webhooks/:endpoint/delete": "change_webhook",
  "POST …/webhooks/:endpoint/delete": "change_webhook",
  "POST …/webhooks/:endpoint/replay": "replay_delivery",
  "POST …/webhooks/:endpoint/deliveries/:delivery/replay": "replay_delivery",
  "POST …/members": "invite_member",
  "POST …/invitations/:invitation/withdraw": "invite_member",
  "POST …/members/:person/role": "change_role",
  "POST …/settings": "rename_organization"
}

/** What each member does for themselves: leave, disconnect an own app, and dismiss a notice. */
const ofEachMember = [
  "POST …/members/:person/remove",
  "POST …/apps/:grant/disconnect",
  "POST …/settings/password",
  "POST …/notices/dismiss"
]

/** What takes no sign-in. */
const open = [
  "GET /",
  "GET /signup",
  "POST /signup",
  "GET /signup/sent",
  "GET /verify",
  "POST /verify",
  "GET /login",
  "POST /login",
  "POST /logout",
  "GET /forgot",
  "POST /forgot",
  "GET /reset",
  "POST /reset",
  "GET /invitations/:invitation"
]

describe("§5.5 the router checks permissions before a page runs", () => {
  it("each page that takes a permission names it in its row", () => {
    const named = rows.flatMap(({ named, permission }) =>
      permission === undefined ? [] : [[named, permission]]
    )
    expect(Object.fromEntries(named)).toEqual(permissions)
  })
  it("every other action of an organization's pages is one of each member's own", () => {
    const actions = rows.filter(({ named, permission, who }) => {
      return who === "member" && named.startsWith("POST") && permission === undefined
    })
    expect(actions.map(({ named }) => named)).toEqual(ofEachMember)
  })
  it("only the pages of sign-up, sign-in and invitations are open to strangers", () => {
    expect(rows.filter(({ who }) => who === "anybody").map(({ named }) => named)).toEqual(open)
  })
})
