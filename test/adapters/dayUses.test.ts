import { it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import * as PostgresUsage from "../../adapters/postgres/Usage.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { DayUses } from "../../core/port/DayUses.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Usage } from "../../core/port/Usage.ts"
import { chargeOf, newAccount, freshId } from "../kit/accounts.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { withSeed } from "../kit/withSeed.ts"
import { memoryUsage } from "../kit/dayUses.ts"
import { absentUsage, postgresUsage, postgresUsageAt } from "../stores/dayUses.ts"
import { absentDayUsesLaws, dayUsesLaws, sharedDayUsesLaws } from "../kit/dayUsesLaws.ts"

const live = { excludeTestServices: true }

describe("DayUses", () => {
  layer(memoryUsage, live)("in memory", (it) => {
    for (const law of [...dayUsesLaws, ...sharedDayUsesLaws]) it.effect(law.says, () => law.check)
  })
  layer(postgresUsage, live)("in PostgreSQL", (it) => {
    for (const law of [...dayUsesLaws, ...sharedDayUsesLaws]) it.effect(law.says, () => law.check)
  })
  layer(absentUsage, live)("without its PostgreSQL", (it) => {
    for (const law of absentDayUsesLaws) it.effect(law.says, () => law.check)
  })

  it.live("in PostgreSQL, a read sees every charge once, whoever rolls usage up between the reads", () =>
    Effect.scoped(
      withSeed((draw) =>
        Effect.gen(function* () {
          const connection = yield* freshDatabase
          const [one, two] = [yield* processOf(connection), yield* processOf(connection)]
          const organization = Effect.provide(newAccount({ pack: "scale", createdMs: 0 }), one)
          const organizations = [yield* organization, yield* organization]
          const used = [0, 0]
          for (const { by, of, step } of draw(steps, 120)) {
            const ports = by === 0 ? one : two
            const organizationId = organizations[of]?.organizationId ?? expect.fail()
            if (step > 0) {
              const charge = chargeOf(organizationId, { requestId: freshId("req_"), atMs: dayMs, cost: step })
              yield* Effect.provide(
                Effect.flatMap(Ledger, (ledger) => ledger.charge(charge)),
                ports
              )
              used[of] = (used[of] ?? 0) + step
            } else if (step === 0) {
              yield* Effect.provide(
                Effect.flatMap(Usage, ({ gather }) => gather),
                ports
              )
            } else {
              const read = Effect.flatMap(DayUses, (uses) =>
                uses.read({ subject: `org:${organizationId}`, day: 1 })
              )
              const both = [read, Effect.andThen(Effect.yieldNow, read)]
              const seen = yield* Effect.provide(Effect.all(both, { concurrency: 2 }), ports)
              expect(seen).toEqual([used[of], used[of]])
            }
          }
        })
      )
    )
  )
})

const processOf = (connection: Database.Connection) =>
  Layer.build(
    Layer.merge(
      postgresUsageAt(connection),
      Layer.fresh(PostgresUsage.layer).pipe(Layer.provide(Database.layer(connection)), Layer.orDie)
    )
  )

/** A charge of so many credits, a roll-up (0) or a read (-1), by one of two processes. */
const steps = fc.record({
  by: fc.nat({ max: 1 }),
  of: fc.nat({ max: 1 }),
  step: fc.constantFrom(-1, -1, 0, 1, 2, 6)
})
