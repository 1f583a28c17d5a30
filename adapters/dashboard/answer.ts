import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Permission } from "../../core/organization/role.ts"
import { permissions } from "../../core/organization/role.ts"
import type { FlashCode } from "./flash.ts"
import type { Answer, PageAnswer } from "./Page.ts"

/** A page. */
export const showPage = (page: Omit<PageAnswer, "_tag">): Answer => ({ _tag: "Shown", ...page })

/** On to a path of ours, after an action that is done. */
export const redirectTo = (
  to: string,
  more: { readonly says?: FlashCode; readonly cookies?: ReadonlyArray<string> } = {}
): Answer => ({ _tag: "Moved", to, ...more })

/** 403 with the sentence that says who may. */
export const forbidden = (permission: Permission): Answer => ({
  _tag: "Forbidden",
  says: whoMay(permission)
})

/** 404: what is not there, and what is somebody else's. */
export const notFound: Answer = { _tag: "Missing" }

/** A download; its name holds letters, digits, dots and hyphens only. */
export const file = (download: {
  readonly contentType: string
  readonly fileName: string
  readonly text: string
}): Answer => ({ _tag: "File", ...download })

/** Another's response as it is. */
export const raw = (response: HttpServerResponse.HttpServerResponse): Answer => ({ _tag: "Raw", response })

/** "Only owners and admins can create keys." */
export const whoMay = (permission: Permission): string => {
  const roles = permissions[permission].map((role) => `${role}s`)
  return `Only ${roles.join(" and ")} can ${permissionWords[permission]}.`
}

const permissionWords: Readonly<Record<Permission, string>> = {
  create_key: "create keys",
  revoke_key: "revoke keys",
  rotate_key: "rotate keys",
  change_webhook: "add and change webhooks",
  replay_delivery: "replay deliveries",
  invite_member: "invite people",
  remove_member: "remove members",
  change_role: "change roles",
  change_owner: "make, unmake and remove owners",
  set_overage_cap: "set the overage cap",
  choose_pack: "choose the pack",
  disconnect_any_app: "disconnect other people's apps",
  rename_organization: "rename the organization",
  export_usage: "export usage"
}
