import assert from "node:assert/strict"
import * as fc from "fast-check"
import { describe, it } from "vitest"
import type { Permission } from "../../core/organization/role.ts"
import { may, permissions, roles } from "../../core/organization/role.ts"

const all = Object.keys(permissions) as ReadonlyArray<Permission>
const permission = fc.constantFrom(...all)

/** What changes nothing: looking at what everybody in the organization sees anyway. */
const looking: ReadonlySet<Permission> = new Set(["export_usage"])

describe("Roles of an organization", () => {
  it("§5.5 an owner may do everything", () => {
    fc.assert(fc.property(permission, (one) => may("owner", one)))
  })
  it("§5.5 a member may do nothing that changes anything", () => {
    fc.assert(fc.property(permission, (one) => may("member", one) === looking.has(one)))
  })
  it("a higher role may whatever a lower one may", () => {
    fc.assert(
      fc.property(permission, fc.nat(roles.length - 1), fc.nat(roles.length - 1), (one, here, there) => {
        const [higher = "owner", lower = "owner"] = [
          roles[Math.min(here, there)],
          roles[Math.max(here, there)]
        ]
        return may(higher, one) || !may(lower, one)
      })
    )
  })
  it("§5.5 only owners change owners, the plan and the cap; admins manage keys too", () => {
    for (const one of ["create_key", "rotate_key", "revoke_key"] as const)
      assert.deepEqual(
        roles.filter((role) => may(role, one)),
        ["owner", "admin"]
      )
    for (const one of ["change_owner", "choose_pack", "set_overage_cap"] as const)
      assert.deepEqual(
        roles.filter((role) => may(role, one)),
        ["owner"]
      )
  })
})
