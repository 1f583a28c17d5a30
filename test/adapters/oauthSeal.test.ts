import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { makeSeal } from "../../adapters/oauth/seal.ts"
import type { RecordModel } from "../../core/port/OAuthRecords.ts"
import { surroundings } from "../kit/people.ts"

const grantOf = { grantId: "grant_1", exp: 2_000 }

describe("Sealed records of the authorization server", () => {
  it.effect("mark a refresh token as consumed after 60 s, and a code at once", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* makeSeal
      const consumed = (model: RecordModel, spentAtMs: number | null, nowMs: number) =>
        open({ ...seal({ model, id: "token", payload: grantOf }), spentAtMs }, nowMs)?.["consumed"]
      expect(consumed("RefreshToken", null, 61_001)).toBeUndefined()
      expect(consumed("RefreshToken", 1_000, 61_000)).toBeUndefined()
      expect(consumed("RefreshToken", 1_000, 61_001)).toBe(1)
      expect(consumed("AuthorizationCode", 1_000, 1_000)).toBe(1)
    }).pipe(Effect.provide(surroundings()))
  )

  it.effect("open under their own model and hash alone", () =>
    Effect.gen(function* () {
      const { nameOf, open, seal } = yield* makeSeal
      const record = seal({ model: "RefreshToken", id: "token", payload: grantOf })
      expect(open(record, 0)).toEqual(grantOf)
      expect(open({ ...record, model: "AccessToken" }, 0)).toBeUndefined()
      expect(open({ ...record, hash: nameOf("RefreshToken", "other").hash }, 0)).toBeUndefined()
    }).pipe(Effect.provide(surroundings()))
  )
})
