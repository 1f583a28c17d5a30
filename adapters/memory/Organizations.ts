import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Organization } from "../../core/organization/Organization.ts"
import { choosePack, openAccount } from "../../core/organization/packChoice.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import type { OrganizationChange } from "../../core/port/Organizations.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { AccountState } from "./AccountStates.ts"
import { AccountStates, keep } from "./AccountStates.ts"

/** Organizations in the process, over the books the ledger and the keys share. */
export const layer = Layer.effect(
  Organizations,
  Effect.map(AccountStates, ({ organizations }) =>
    Organizations.of({
      create: (organization) =>
        Effect.sync(() => {
          const nowMs = DateTime.makeUnsafe(organization.createdAt).epochMilliseconds
          const { account, entries } = openAccount(organization.pack, nowMs)
          const state: AccountState = { organization, account, entries: [...entries], usage: [] }
          organizations.set(organization.organizationId, state)
        }),
      find: (organizationId) => shownNow(() => organizations.get(organizationId)),
      change: ({ organizationId, change }) =>
        shownNow(() => {
          const state = organizations.get(organizationId)
          if (state !== undefined) apply(state, change)
          return state
        })
    })
  )
)

const shownNow = (find: () => AccountState | undefined): Effect.Effect<Organization | undefined> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => {
    const state = find()
    return state && { ...state.organization, ...packInForce(state.account, nowMs) }
  })

const apply = (state: AccountState, change: OrganizationChange): void => {
  switch (change._tag) {
    case "Pack":
      return keep(state, choosePack(state.account, change.pack, change.nowMs))
    case "Name":
      state.organization = { ...state.organization, name: change.name }
      return
    case "Suspend":
      state.organization = { ...state.organization, suspended: true, suspendedReason: change.reason }
      return
    case "Unsuspend":
      state.organization = { ...state.organization, suspended: false, suspendedReason: null }
      return
    case "OverageCap":
      state.account = { ...state.account, overageCap: change.cap }
      return
    case "ConcurrentMax":
      state.organization = { ...state.organization, concurrentMax: change.max }
      return
  }
}
