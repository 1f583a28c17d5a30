import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { Members } from "../../core/port/Members.ts"
import type { Actor } from "../../core/person/Person.ts"
import { Audit } from "../../core/port/Audit.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { Role } from "../../core/organization/role.ts"
import { roles } from "../../core/organization/role.ts"
import { newOrganization } from "../../core/admin/newOrganization.ts"
import * as billing from "../../core/admin/billing.ts"
import * as keys from "../../core/admin/keys.ts"
import * as webhooks from "../../core/admin/webhooks.ts"
import { somebody } from "../kit/members.ts"
import { postgresFolk } from "../stores/members.ts"
import { siteStores } from "./useSite.ts"

/** An organization on Scale, and its people as they act. */
const acting = Effect.gen(function* () {
  const person = yield* somebody
  const organization = yield* newOrganization({ name: "Clinic", pack: "scale", ownerEmail: null })
  yield* (yield* Members).found({ organization, person, unpaidMax: 3 })
  const { organizationId } = organization
  return (role: Role): Actor => ({ person, organizationId, role })
})

const actionsOf = ({ organizationId }: Actor) =>
  Effect.flatMap(Audit, ({ list }) =>
    Effect.map(list({ organizationId, before: null, limit: 50 }), ({ entries }) =>
      entries.map(({ action }) => action)
    )
  )

const input = { name: "import", expiresAt: null }
const body = { url: "https://ok.example.com/in", events: ["*"] }

describe("who may do what is decided before anything is done, whatever page asks", () => {
  layer(Layer.provideMerge(postgresFolk, siteStores()), { excludeTestServices: true })((it) => {
    it.effect("§5.5 owners and admins make, rotate and revoke keys; a member does none of it", () =>
      Effect.gen(function* () {
        const as = yield* acting
        const tags = yield* Effect.forEach(roles, (role) =>
          Effect.gen(function* () {
            const issued = yield* keys.create(as("owner"), input)
            const keyId = issued._tag === "Issued" ? issued.record.keyId : ""
            const all = [
              yield* keys.create(as(role), input),
              yield* keys.rotate(as(role), keyId),
              yield* keys.revoke(as(role), keyId)
            ]
            return all.map(({ _tag }) => _tag)
          })
        )
        const forbidden = ["Forbidden", "Forbidden", "Forbidden"]
        expect(tags).toEqual([["Issued", "Issued", "Revoked"], ["Issued", "Issued", "Revoked"], forbidden])
      })
    )

    it.effect("a key that was revoked is not revoked, rotated or written down again", () =>
      Effect.gen(function* () {
        const as = yield* acting
        const issued = yield* keys.create(as("owner"), input)
        const keyId = issued._tag === "Issued" ? issued.record.keyId : ""
        for (let nth = 0; nth < 2; nth++) yield* keys.revoke(as("owner"), keyId)
        expect((yield* keys.rotate(as("owner"), keyId))._tag).toBe("NotRotated")
        expect(yield* actionsOf(as("owner"))).toEqual(["key.revoked", "key.created"])
      })
    )

    it.effect("another organization's key is unknown, and stays as it is", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* acting, yield* acting]
        const issued = yield* keys.create(here("owner"), input)
        const keyId = issued._tag === "Issued" ? issued.record.keyId : ""
        expect((yield* keys.revoke(there("owner"), keyId))._tag).toBe("Unknown")
        expect((yield* keys.rotate(there("owner"), keyId))._tag).toBe("Unknown")
        const [key] = yield* keys.list(here("owner"))
        expect([key?.state, key?.record.expiresAt]).toEqual(["valid", null])
        expect(yield* actionsOf(there("owner"))).toEqual([])
      })
    )

    it.effect("an organization has at most a hundred keys in use from the page", () =>
      Effect.gen(function* () {
        const as = yield* acting
        const made = yield* Effect.replicateEffect(keys.create(as("owner"), input), 101)
        expect(made.filter(({ _tag }) => _tag === "Issued")).toHaveLength(100)
        expect(made.at(-1)).toEqual({ _tag: "TooMany", max: 100 })
      })
    )

    it.effect("§5 a member changes no webhook, and without Scale nobody does", () =>
      Effect.gen(function* () {
        const as = yield* acting
        const { organizationId } = as("owner")
        expect((yield* webhooks.change(as("member"), "createWebhook", { body }))._tag).toBe("Forbidden")
        expect((yield* webhooks.change(as("admin"), "createWebhook", { body }))._tag).toBe("Done")
        const poor = yield* newOrganization({ name: "Clinic", pack: "credits", ownerEmail: null })
        yield* (yield* Organizations).create(poor)
        const actor = { ...as("owner"), organizationId: poor.organizationId }
        expect((yield* webhooks.change(actor, "createWebhook", { body }))._tag).toBe("NeedsScale")
        expect(yield* (yield* Endpoints).list(poor.organizationId)).toEqual([])
        expect(yield* (yield* Endpoints).list(organizationId)).toHaveLength(1)
      })
    )

    it.effect("only an owner chooses the pack and sets the cap", () =>
      Effect.gen(function* () {
        const as = yield* acting
        const caps = yield* Effect.forEach(roles, (role) => billing.setOverageCap(as(role), 5))
        const packs = yield* Effect.forEach(roles, (role) => billing.choosePack(as(role), "build"))
        expect(caps.map(({ _tag }) => _tag)).toEqual(["Set", "Forbidden", "Forbidden"])
        expect(packs.map(({ _tag }) => _tag)).toEqual(["Chosen", "Forbidden", "Forbidden"])
        for (const cap of [-1, 1.5, 1_000_000_001])
          expect((yield* billing.setOverageCap(as("owner"), cap))._tag).toBe("Form")
      })
    )
  })
})
