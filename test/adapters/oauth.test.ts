import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import type { OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { oauthGrantsLaws } from "../kit/oauthGrantsLaws.ts"
import { absentOAuthRecordsLaws, oauthRecordsLaws } from "../kit/oauthRecordsLaws.ts"
import { postgresOAuth } from "../kit/oauths.ts"
import { postgresLayer } from "../kit/postgres.ts"

const store = postgresOAuth.pipe(Layer.provide(postgresLayer))

describe("OAuth in PostgreSQL", () => {
  it.layer(Layer.fresh(store), { excludeTestServices: true })((it) => {
    for (const { check, says } of [...oauthRecordsLaws, ...oauthGrantsLaws]) it.effect(says, () => check)
  })
})

describe("OAuth over a PostgreSQL that is unavailable", () => {
  const nowhere = Database.layer({ url: Redacted.make("postgres://nobody@127.0.0.1:1/none") })
  const away = postgresOAuth.pipe(Layer.provide(nowhere))
  for (const { check, says } of absentOAuthRecordsLaws)
    it.live(says, () => Effect.provide(check as Effect.Effect<void, unknown, OAuthRecords>, away))
})
