import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import * as Crypto from "../../adapters/node/Crypto.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { createOrganization } from "../../core/admin/newOrganization.ts"
import { memoryAccounts } from "../kit/accounts.ts"

describe("createOrganization", () => {
  it.effect("§1 makes an organization that is found under its new id with 100 starter credits", () =>
    Effect.gen(function* () {
      const organization = yield* createOrganization({ name: "Example", pack: "credits", ownerEmail: null })
      const { organizationId } = organization
      expect(organizationId).toMatch(/^org_[0-9a-hjkmnp-tv-z]{26}$/)
      expect(yield* (yield* Organizations).find(organizationId)).toEqual(organization)
      const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: 0 })
      expect(statement).toMatchObject({ granted: 100, balance: 100 })
    }).pipe(Effect.provide(Layer.merge(memoryAccounts, Crypto.layer)))
  )

  it.effect("phi.md fails with the kinds if the name contains a patient identifier", () =>
    Effect.gen(function* () {
      const creating = createOrganization({ name: "Mrs. Quill", pack: "credits", ownerEmail: null })
      expect(yield* Effect.flip(creating)).toMatchObject({ _tag: "NameNotAllowed", kinds: ["name"] })
    }).pipe(Effect.provide(Layer.merge(memoryAccounts, Crypto.layer)))
  )
})
