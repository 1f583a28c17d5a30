import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import * as MemoryReleases from "../../adapters/memory/Releases.ts"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresReleases from "../../adapters/postgres/Releases.ts"
import * as PostgresSigningKeys from "../../adapters/postgres/SigningKeys.ts"
import { Releases } from "../../core/port/Releases.ts"
import { SigningKeys } from "../../core/port/SigningKeys.ts"
import type { Law } from "../kit/Law.ts"
import { postgresLayer } from "../kit/postgres.ts"
import { absentReleasesLaws, releasesLaws } from "../kit/releasesLaws.ts"
import { decisionsFor, makingOf } from "../kit/releases.ts"
import { absentSigningKeysLaws, signingKeysLaws } from "../kit/signingKeysLaws.ts"

const postgresPorts = Layer.merge(PostgresReleases.layer, PostgresSigningKeys.layer)
const nowhere = Database.layer({ folder: "/nowhere", database: "coverage", username: "coverage" })

const stores = [
  ["memory", Layer.merge(MemoryReleases.layer, MemorySigningKeys.layer)],
  ["PostgreSQL", postgresPorts.pipe(Layer.provide(postgresLayer))]
] as const

type Laws = ReadonlyArray<Law<Releases | SigningKeys>>
const laws: Laws = [...releasesLaws, ...signingKeysLaws]
const absentLaws: Laws = [...absentReleasesLaws, ...absentSigningKeysLaws]

for (const [name, store] of stores) {
  describe(`releases and signing keys in ${name}`, () => {
    for (const law of laws) it.live(law.says, () => Effect.provide(law.check, Layer.fresh(store)))
  })
}

describe("releases and signing keys without their PostgreSQL", () => {
  for (const law of absentLaws)
    it.live(law.says, () => Effect.provide(law.check, postgresPorts.pipe(Layer.provide(nowhere))))
})

describe("§4.5 the rows of a release in PostgreSQL", () => {
  const tables = ["release", "release_policy", "release_decision", "release_ending", "signing_key"]
  const pair = {
    keyId: "k",
    publicKey: { crv: "Ed25519", kty: "OKP", x: "x" },
    sealed: Uint8Array.of(1)
  } as const

  it.live("refuse UPDATE, DELETE and TRUNCATE, whoever asks", () =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      const { release } = yield* (yield* Releases).save(makingOf([decisionsFor("L1", "E0601")]))
      const { certifiedAt: at, releaseId } = release
      yield* (yield* Releases).end({ releaseId, ending: { kind: "expired", reason: null, at } })
      yield* (yield* SigningKeys).offer({ pair, after: null })
      for (const table of tables) {
        const before = yield* sql.unsafe(`select * from ${table}`)
        expect(before.length).toBe(1)
        const column = Object.keys(before[0] ?? {})[0]
        for (const statement of [
          `update ${table} set ${column} = ${column}`,
          `delete from ${table}`,
          `truncate ${table} cascade`
        ]) {
          const refusal = yield* Effect.flip(sql.unsafe(statement))
          expect(String(refusal.reason.cause), statement).toMatch(/are kept as they are/)
        }
        expect(yield* sql.unsafe(`select * from ${table}`)).toEqual(before)
      }
    }).pipe(Effect.provide(Layer.fresh(postgresPorts.pipe(Layer.provideMerge(postgresLayer)))))
  )

  it.live("are none of a release that was cut off, and the next one is whole", () =>
    Effect.gen(function* () {
      const sql = yield* Database.Pool
      const making = makingOf([decisionsFor("L1", "E0601")])
      const stuck = { ...making, certificate: () => Effect.never }
      yield* Effect.timeoutOption((yield* Releases).save(stuck), 300)
      expect(yield* sql`select from release_decision`).toEqual([])
      expect((yield* (yield* Releases).save(making)).isNew).toBe(true)
    }).pipe(Effect.provide(Layer.fresh(postgresPorts.pipe(Layer.provideMerge(postgresLayer)))))
  )
})
