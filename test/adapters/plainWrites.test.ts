import { layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as Audit from "../../adapters/postgres/Audit.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import * as Endpoints from "../../adapters/postgres/Endpoints.ts"
import * as Idempotency from "../../adapters/postgres/Idempotency.ts"
import * as Jobs from "../../adapters/postgres/Jobs.ts"
import * as Ledger from "../../adapters/postgres/Ledger.ts"
import * as Organizations from "../../adapters/postgres/Organizations.ts"
import * as PostgresPlainWrites from "../../adapters/postgres/PlainWrites.ts"
import * as PostgresTransactions from "../../adapters/postgres/Transactions.ts"
import { PlainWrites } from "../../core/port/PlainWrites.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { chargeOf } from "../kit/accounts.ts"
import { absentPlainWritesLaws, plainWritesLaws } from "../kit/plainWritesLaws.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { anEndpoint, beganMs, changeEndpoint, placeOf, scaleOrganization } from "../kit/webhookFixtures.ts"

const stores = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.mergeAll(
      Audit.layer,
      Endpoints.layer,
      Idempotency.layer({ clock: "caller" }),
      Ledger.layer,
      Organizations.layer,
      PostgresPlainWrites.layer({ clock: "caller" }),
      PostgresTransactions.layer({ clock: "caller" })
    ).pipe(Layer.provideMerge(Jobs.layer), Layer.provide(Database.layer(connection)), Layer.orDie)
  )
)

const nowhere = { folder: "/nowhere", database: "coverage", username: "coverage" }

layer(stores, { excludeTestServices: true })("PlainWrites in PostgreSQL", (it) => {
  for (const { says, check } of plainWritesLaws) it.effect(says, () => check)

  it.effect("law 6: a plain write that waits for a row does not hold the account that its owner needs", () =>
    Effect.gen(function* () {
      const endpoint = yield* anEndpoint(yield* scaleOrganization)
      const { organizationId } = endpoint
      const { amend } = yield* PlainWrites
      const isHeld = yield* Deferred.make<void>()
      const work = Effect.gen(function* () {
        yield* changeEndpoint(endpoint, "failed")
        yield* Deferred.succeed(isHeld, undefined)
        yield* Effect.sleep("300 millis")
        return { _tag: "Keep", value: undefined, answer: new Uint8Array() } as const
      })
      const { write } = yield* Transactions
      const charge = chargeOf(organizationId)
      const owner = yield* Effect.forkChild(write({ claim: undefined, charge, work }))
      yield* Deferred.await(isHeld)
      const amendment = {
        place: placeOf(endpoint),
        patch: { events: ["compliance.acknowledged"] },
        atMs: beganMs,
        entry: undefined
      } as const
      const amended = yield* amend({ amendment, charge: chargeOf(organizationId), kept: undefined })
      expect((yield* Fiber.join(owner))._tag).toBe("Committed")
      expect(amended?.endpoint).toMatchObject({ failureCount: 1, events: ["compliance.acknowledged"] })
    })
  )
})

layer(
  PostgresPlainWrites.layer({ clock: "caller" }).pipe(Layer.provide(Database.layer(nowhere)), Layer.orDie),
  {
    excludeTestServices: true
  }
)("PlainWrites without its PostgreSQL", (it) => {
  for (const { says, check } of absentPlainWritesLaws) it.effect(says, () => check)
})
