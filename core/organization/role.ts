/** What a person may be in an organization (§5.5). */
export const roles = ["owner", "admin", "member"] as const
export type Role = (typeof roles)[number]

/**
 * What a person may do in an organization, and who may (§5.5: only owners and admins create and revoke
 * keys). Everybody in it sees its usage, keys, endpoints, members and audit log.
 */
export const permissions = {
  create_key: ["owner", "admin"],
  revoke_key: ["owner", "admin"],
  rotate_key: ["owner", "admin"],
  change_webhook: ["owner", "admin"],
  replay_delivery: ["owner", "admin"],
  invite_member: ["owner", "admin"],
  remove_member: ["owner", "admin"],
  change_role: ["owner", "admin"],
  /** To make an owner, to unmake one, or to remove one. */
  change_owner: ["owner"],
  set_overage_cap: ["owner"],
  choose_pack: ["owner"],
  /** Another person's connected app; everybody disconnects their own. */
  disconnect_any_app: ["owner", "admin"],
  rename_organization: ["owner", "admin"],
  export_usage: ["owner", "admin", "member"]
} as const satisfies Record<string, ReadonlyArray<Role>>
export type Permission = keyof typeof permissions

/** The kernel's word on every action of the dashboard. */
export const may = (role: Role, permission: Permission): boolean =>
  permissions[permission].some((holder) => holder === role)
