import * as Effect from "effect/Effect"
import { may } from "../organization/role.ts"
import type { Actor } from "../person/Person.ts"
import type { OAuthGrantsUnavailable } from "../port/OAuthGrants.ts"
import type { ConnectedApp } from "../oauth/OAuthGrant.ts"
import { OAuthGrants } from "../port/OAuthGrants.ts"
import type { Done } from "./withAudit.ts"
import { withAudit } from "./withAudit.ts"
import type { Forbidden, Unknown } from "./members.ts"

export type DisconnectResult = { readonly _tag: "Disconnected" } | Forbidden | Unknown

/** The apps that ask in the organization's name: everybody in it may see them. */
export const list = ({ organizationId }: Actor) =>
  Effect.flatMap(OAuthGrants, (apps) => apps.list(organizationId))

/** Whether the actor may disconnect the app: their own always, another's by their role. */
export const mayDisconnect = (actor: Actor, app: ConnectedApp): boolean =>
  app.person.personId === actor.person.personId || may(actor.role, "disconnect_any_app")

/** Ends an app's grant with all its tokens at once. */
export const disconnect = Effect.fn("managing.disconnectApp")(function* (actor: Actor, grantId: string) {
  const apps = yield* OAuthGrants
  const { organizationId } = actor
  const disconnecting = Effect.gen(function* (): Effect.fn.Return<
    Done<DisconnectResult>,
    OAuthGrantsUnavailable
  > {
    const app = (yield* apps.list(organizationId)).find((one) => one.grantId === grantId)
    if (app === undefined) return { value: { _tag: "Unknown" }, auditedAction: null }
    if (!mayDisconnect(actor, app)) return { value: { _tag: "Forbidden" }, auditedAction: null }
    const ended = yield* apps.disconnect({ organizationId, grantId })
    if (!ended) return { value: { _tag: "Unknown" }, auditedAction: null }
    const auditedAction = {
      action: "app.disconnected",
      subject: app.clientName,
      detail: `of ${app.person.email}`
    } as const
    return { value: { _tag: "Disconnected" }, auditedAction }
  })
  return yield* withAudit(actor, disconnecting)
})
