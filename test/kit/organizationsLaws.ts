import assert from "node:assert/strict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Organization, OrganizationId } from "../../core/organization/Organization.ts"
import { starterCredits } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { OrganizationChange } from "../../core/port/Organizations.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { Accounts } from "./accounts.ts"
import { chargeOf, newAccount, Elsewhere, freshId } from "./accounts.ts"
import type { Law } from "./Law.ts"

/** What every store of organizations keeps (core/port/Organizations.ts). */
export const organizationsLaws: ReadonlyArray<Law<Ledger | Organizations>> = [
  {
    says: "law 1: a new organization is found as it was made, with the grant of its starter credits (§1)",
    check: Effect.gen(function* () {
      const organizations = yield* Organizations
      const createdMs = yield* Clock.currentTimeMillis
      const organization = yield* newAccount({ pack: "credits", createdMs })
      assert.deepEqual(yield* organizations.find(organization.organizationId), organization)
      assert.deepEqual(yield* stated(organization.organizationId, createdMs), {
        granted: starterCredits,
        charged: 0,
        refunded: 0,
        expired: 0,
        balance: starterCredits,
        entries: 1
      })
    })
  },
  {
    says: "law 2: a higher pack applies at once with its allowance for the running month",
    check: Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const { organizationId } = yield* newAccount({ pack: "credits", createdMs: nowMs })
      const changed = yield* change(organizationId, { _tag: "Pack", pack: "build", nowMs })
      assert.equal(changed?.pack, "build")
      assert.equal((yield* stated(organizationId, nowMs)).balance, 100_100)
    })
  },
  {
    says: "law 2, law 4: a lower pack waits for the renewal and is found then, though nothing moved",
    check: Effect.gen(function* () {
      const organizations = yield* Organizations
      const nowMs = yield* Clock.currentTimeMillis
      const young = yield* newAccount({ pack: "scale", createdMs: nowMs })
      const waiting = yield* change(young.organizationId, { _tag: "Pack", pack: "build", nowMs })
      assert.deepEqual([waiting?.pack, waiting?.nextPack], ["scale", "build"])
      const longAgoMs = nowMs - 40 * 86_400_000
      const old = yield* newAccount({ pack: "scale", createdMs: longAgoMs })
      yield* change(old.organizationId, { _tag: "Pack", pack: "credits", nowMs: longAgoMs })
      const renewed = yield* organizations.find(old.organizationId)
      assert.deepEqual([renewed?.pack, renewed?.nextPack], ["credits", null])
    })
  },
  {
    says: "a suspension keeps its reason until it is lifted",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      const suspended = yield* change(organizationId, { _tag: "Suspend", reason: "unpaid" })
      assert.deepEqual([suspended?.suspended, suspended?.suspendedReason], [true, "unpaid"])
      const lifted = yield* change(organizationId, { _tag: "Unsuspend" })
      assert.deepEqual([lifted?.suspended, lifted?.suspendedReason], [false, null])
    })
  },
  {
    says: "contract §1 an owner's cap bounds the overage, and lifting it opens it again",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const nowMs = yield* Clock.currentTimeMillis
      const { organizationId } = yield* newAccount({ pack: "build", createdMs: nowMs })
      yield* change(organizationId, { _tag: "OverageCap", cap: 2 })
      const charge = (cost: number) => ledger.charge(chargeOf(organizationId, { cost, atMs: nowMs }))
      const tags = [yield* charge(100_100), yield* charge(3), yield* charge(2), yield* charge(1)]
      assert.deepEqual(
        tags.map(({ _tag }) => _tag),
        ["Charged", "Exhausted", "Charged", "Exhausted"]
      )
      yield* change(organizationId, { _tag: "OverageCap", cap: null })
      assert.equal((yield* charge(8))._tag, "Charged")
    })
  },
  {
    says: "an organization is found under the name it was given last",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      assert.equal(
        (yield* change(organizationId, { _tag: "Name", name: "Mercy Clinic" }))?.name,
        "Mercy Clinic"
      )
      assert.equal((yield* (yield* Organizations).find(organizationId))?.name, "Mercy Clinic")
    })
  },
  {
    says: "the operator's bound on calls in flight is kept and lifted",
    check: Effect.gen(function* () {
      const { organizationId } = yield* newAccount({ pack: "credits" })
      assert.equal((yield* change(organizationId, { _tag: "ConcurrentMax", max: 5 }))?.concurrentMax, 5)
      assert.equal((yield* change(organizationId, { _tag: "ConcurrentMax", max: null }))?.concurrentMax, null)
    })
  },
  {
    says: "law 3: an unknown organization is undefined, found or changed",
    check: Effect.gen(function* () {
      const nobody = freshId("org_") as OrganizationId
      assert.equal(yield* (yield* Organizations).find(nobody), undefined)
      for (const _tag of ["Unsuspend", "Pack", "Name"] as const) {
        assert.equal(yield* change(nobody, { _tag, pack: "scale", nowMs: 0, name: "x" }), undefined)
      }
    })
  }
]

/** What it keeps when two processes share the store. */
export const sharedOrganizationsLaws: ReadonlyArray<Law<Accounts | Elsewhere>> = [
  {
    says: "law 1: what was made here is found elsewhere",
    check: Effect.gen(function* () {
      const elsewhere = yield* Elsewhere
      const organization = yield* newAccount({ pack: "scale", createdMs: yield* Clock.currentTimeMillis })
      assert.deepEqual(yield* Effect.provide(find(organization), elsewhere), organization)
    })
  }
]

const find = ({ organizationId }: Organization) =>
  Effect.flatMap(Organizations, (organizations) => organizations.find(organizationId))

const change = (organizationId: OrganizationId, change: OrganizationChange) =>
  Effect.flatMap(Organizations, (organizations) => organizations.change({ organizationId, change }))

const stated = Effect.fnUntraced(function* (organizationId: OrganizationId, nowMs: number) {
  const statement = yield* (yield* Ledger).statement({ organizationId, nowMs })
  return statement ?? assert.fail("the organization has no statement")
})
