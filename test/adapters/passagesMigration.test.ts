import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { postgresPorts } from "../kit/libraries.ts"
import { criteriaQueryOf, documentOf, importedAt, passage, snapshotOf } from "../kit/library.ts"
import { emptyDatabase } from "../kit/postgres.ts"

const criteria = [passage("b1", "Oxygen at home"), passage("b2", "oxygen a\0b \ud800"), passage("b3", "Beds")]
const document = documentOf({ policyId: "L1", criteria })

/** Keeps the document as a server before the migration did: the passages are in the version alone. */
const keptBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into policy (policy_id, title, newest_version, created_at, updated_at)
    values ('L1', 'Policy L1', 1, now(), now())`
  const { criteria: _, ...narrative } = document
  const listing = {
    policy: document.policy,
    title: document.title,
    jurisdictions: [],
    effectiveDate: "2020-01-01"
  }
  yield* sql`insert into policy_version (policy_id, version, snapshot_id, status, effective_date, title,
      policy_type, payer_code, national, jurisdictions, states, related, recorded_at, listing, summary, first_codes,
      narrative, criteria, code_groups, heading, search)
    values ('L1', 1, 'a', 'active', '2020-01-01', 'Policy L1', 'LCD', 'medicare', false, '{}', '{}', '{}', now(),
      ${JSON.stringify(listing)}, 'null', '[]', ${JSON.stringify(narrative)}, ${JSON.stringify(criteria)},
      '[]', '', '')`
  yield* sql`insert into policy_span (policy_id, first_day, last_day, version, status, policy_type, payer_code,
      national, jurisdictions, states, related)
    values ('L1', '2020-01-01', '9999-12-31', 1, 'active', 'LCD', 'medicare', false, '{}', '{}', '{}')`
})

describe("passages of policies that were kept before they had a table (migration 0005)", () => {
  it.live("§2.7 are found like those kept since, whatever letters they hold", () =>
    Effect.gen(function* () {
      const clients = Layer.orDie(Database.layer(yield* emptyDatabase))
      yield* Effect.gen(function* () {
        yield* migrate(migrations.filter(({ id }) => id < 5))
        yield* keptBefore
        yield* migrate(migrations)
        const page = yield* (yield* Policies).criteria(criteriaQueryOf({}))
        expect(page.found.map(({ block }) => block)).toEqual(criteria.slice(0, 2))
        yield* (yield* Snapshots).complete({ snapshot: snapshotOf({}), at: importedAt })
        expect((yield* (yield* Policies).criteria(criteriaQueryOf({ section: "other" }))).found).toEqual([])
      }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(postgresPorts, clients))))
    }).pipe(Effect.scoped)
  )
})
