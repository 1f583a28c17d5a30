import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { disconnect, mayDisconnect } from "../../core/admin/apps.ts"
import { choosePack, setOverageCap } from "../../core/admin/billing.ts"
import { create, revoke, rotate } from "../../core/admin/keys.ts"
import { invite, withdraw } from "../../core/admin/members.ts"
import { rename } from "../../core/admin/organizations.ts"
import { exportUsage } from "../../core/admin/usage.ts"
import { change } from "../../core/admin/webhooks.ts"
import type { ConnectedApp } from "../../core/oauth/OAuthGrant.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Actor } from "../../core/person/Person.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { Transactions } from "../../core/port/Transactions.ts"

const actorAs = (role: Role) =>
  ({
    role,
    organizationId: "org_1",
    person: { personId: "person_1", email: "ada@example.com", name: "Ada" }
  }) as Actor

/** Runs an action without a single port: it answers only if it is refused before it reads anything. */
const withoutPorts = <A, E, R>(action: Effect.Effect<A, E, R>): Promise<A> =>
  Effect.runPromise(action as Effect.Effect<A, E>)

const member = actorAs("member")
const admin = actorAs("admin")

const appOf = (personId: string) =>
  ({ grantId: `grant_${personId}`, clientName: "App", person: { personId } }) as ConnectedApp

describe("§5.5 actions refuse an actor without the permission before they read a store", () => {
  it.each([
    ["create a key", create(member, { name: "Key", expiresAt: null })],
    ["revoke a key", revoke(member, "key_1")],
    ["rotate a key", rotate(member, "key_1")],
    ["rename the organization", rename(member, { name: "Mine" })],
    ["invite somebody", invite(member, { email: "x@example.com", role: "member" })],
    ["withdraw an invitation", withdraw(member, "invitation_1")],
    ["set the overage cap", setOverageCap(admin, null)],
    ["choose a plan", choosePack(admin, "credits")],
    ["create an endpoint", change(member, "createWebhook", { body: {} })],
    ["change an endpoint", change(member, "updateWebhook", { endpointId: 1, body: {} })],
    ["delete an endpoint", change(member, "deleteWebhook", { endpointId: 1 })],
    ["rotate a secret", change(member, "rotateWebhookSecret", { endpointId: 1 })],
    ["test an endpoint", change(member, "testWebhook", { endpointId: 1 })],
    ["replay a delivery", change(member, "replayDelivery", { endpointId: 1, deliveryId: 1 })],
    ["replay deliveries", change(member, "replayWebhook", { endpointId: 1, body: {} })]
  ] as unknown as ReadonlyArray<readonly [string, Effect.Effect<unknown>]>)("%s", async (_, action) => {
    expect(await withoutPorts(action)).toMatchObject({ _tag: "Forbidden" })
  })

  it("a member disconnects an own app alone, and an admin any app", () => {
    expect(mayDisconnect(member, appOf("person_1"))).toBe(true)
    expect(mayDisconnect(member, appOf("person_2"))).toBe(false)
    expect(mayDisconnect(admin, appOf("person_2"))).toBe(true)
  })

  it("an app of another person is refused before it is disconnected", async () => {
    const disconnected: Array<string> = []
    const grants = OAuthGrants.of({
      list: () => Effect.succeed([appOf("person_2")]),
      disconnect: ({ grantId }: { readonly grantId: string }) =>
        Effect.sync(() => disconnected.push(grantId) > 0)
    } as never)
    const transactions = Transactions.of({
      write: ({ work }: { readonly work: Effect.Effect<{ readonly value: unknown }> }) =>
        Effect.map(work, ({ value }) => ({ _tag: "Committed", value }))
    } as never)
    const disconnecting = disconnect(member, "grant_person_2").pipe(
      Effect.provideService(OAuthGrants, grants),
      Effect.provideService(Transactions, transactions)
    )
    expect(await withoutPorts(disconnecting)).toEqual({ _tag: "Forbidden" })
    expect(disconnected).toEqual([])
  })

  it("an unknown role exports no usage", async () => {
    expect(await withoutPorts(exportUsage(actorAs("guest" as Role), 7))).toBeUndefined()
  })
})
