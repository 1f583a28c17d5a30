import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Account } from "../organization/Account.ts"
import type { Organization } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import { overageCapMax, packs, packNames } from "../organization/pack.ts"
import { may } from "../organization/role.ts"
import type { Actor } from "../person/Person.ts"
import { Ledger } from "../port/Ledger.ts"
import { Organizations } from "../port/Organizations.ts"
import type { OrganizationsUnavailable } from "../port/Organizations.ts"
import type { Done } from "./withAudit.ts"
import { withAudit } from "./withAudit.ts"
import type { Forbidden, Unknown } from "./members.ts"

/** What an organization has and has spent, as of now. */
export interface BillingOverview {
  readonly organization: Organization
  readonly account: Account
}

export type CapSet =
  | { readonly _tag: "Set"; readonly cap: number | null }
  /** The pack stops at zero: there is nothing to cap. */
  | { readonly _tag: "NoOverage" }
  | { readonly _tag: "Form"; readonly field: "cap"; readonly code: "out_of_range" }
  | Forbidden
  | Unknown

export type PackChosen =
  | { readonly _tag: "Chosen"; readonly organization: Organization }
  /** A higher pack is paid for first. */
  | { readonly _tag: "NeedsPayment" }
  | Forbidden
  | Unknown

/** Credits by source, and the pack: everybody in the organization may see them. */
export const billingOverview = Effect.fn("managing.standing")(function* ({ organizationId }: Actor) {
  const nowMs = yield* Clock.currentTimeMillis
  const organization = yield* (yield* Organizations).find(organizationId)
  const account = yield* (yield* Ledger).account({ organizationId, nowMs })
  if (organization === undefined || account === undefined) return undefined
  return { organization, account } satisfies BillingOverview
})

/** The bound on a month's overage, in credits (contract §1, Limits and money); null lifts it. */
export const setOverageCap = Effect.fn("managing.setOverageCap")(function* (
  actor: Actor,
  cap: number | null
) {
  if (!may(actor.role, "set_overage_cap")) return forbidden
  const isCap = cap === null || (Number.isInteger(cap) && cap >= 0 && cap <= overageCapMax)
  if (!isCap) return { _tag: "Form", field: "cap", code: "out_of_range" } satisfies CapSet
  const organizations = yield* Organizations
  const { organizationId } = actor
  const setting = Effect.gen(function* (): Effect.fn.Return<Done<CapSet>, OrganizationsUnavailable> {
    const before = yield* organizations.find(organizationId)
    if (before === undefined) return { value: unknown, auditedAction: null }
    if (packs[before.pack].overagePriceMills === null)
      return { value: { _tag: "NoOverage" }, auditedAction: null }
    yield* organizations.change({ organizationId, change: { _tag: "OverageCap", cap } })
    const subject = cap === null ? "no cap" : `${cap} credits a month`
    return {
      value: { _tag: "Set", cap },
      auditedAction: { action: "overage_cap.changed", subject, detail: null }
    }
  })
  return yield* withAudit(actor, setting)
})

/**
 * A lower pack at the renewal, or the pack in force once more, which calls a waiting one off. Neither costs
 * anything; a higher one is the seller's to give (port Payments).
 */
export const choosePack = Effect.fn("managing.choosePack")(function* (actor: Actor, pack: PackName) {
  if (!may(actor.role, "choose_pack")) return forbidden
  const organizations = yield* Organizations
  const { organizationId } = actor
  const choosing = Effect.gen(function* (): Effect.fn.Return<Done<PackChosen>, OrganizationsUnavailable> {
    const before = yield* organizations.find(organizationId)
    if (before === undefined) return { value: unknown, auditedAction: null }
    if (rank(pack) > rank(before.pack)) return { value: { _tag: "NeedsPayment" }, auditedAction: null }
    const nowMs = yield* Clock.currentTimeMillis
    const organization = yield* organizations.change({
      organizationId,
      change: { _tag: "Pack", pack, nowMs }
    })
    if (organization === undefined) return { value: unknown, auditedAction: null }
    const value = { _tag: "Chosen", organization } as const
    if (organization.nextPack === before.nextPack) return { value, auditedAction: null }
    const detail = pack === before.pack ? "stays at the renewal" : "begins with the renewal"
    return { value, auditedAction: { action: "pack.changed", subject: pack, detail } }
  })
  return yield* withAudit(actor, choosing)
})

const forbidden: Forbidden = { _tag: "Forbidden" }
const unknown: Unknown = { _tag: "Unknown" }

const rank = (pack: PackName): number => packNames.indexOf(pack)
