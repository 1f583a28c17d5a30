import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import * as Database from "../../adapters/postgres/Database.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import { Policies } from "../../core/port/Policies.ts"
import { postgresPorts } from "../kit/libraries.ts"
import { documentOf, queryOf, save } from "../kit/library.ts"
import { emptyDatabase, postgresLayer } from "../kit/postgres.ts"

/** Keeps a policy and a code as a server before the migration did. */
const keptBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into policy (policy_id, title, newest_version, created_at, updated_at)
    values ('L1', 'Walking aids', 1, now(), now())`
  const listing = { policy: { policyId: "L1" }, version: 1, title: "Walking aids" }
  yield* sql`insert into policy_version (policy_id, version, snapshot_id, status, title, policy_type, payer_code,
      national, jurisdictions, states, related, recorded_at, listing, summary, first_codes, narrative, criteria,
      code_groups, heading, search)
    values ('L1', 1, 'a', 'active', 'Walking aids', 'LCD', 'medicare', false, '{}', '{}', '{}', now(),
      ${JSON.stringify(listing)}, 'null', '[]', '{}', '[]', '[]',
      setweight(to_tsvector('english', 'L1 Walking aids mobility'), 'A')
        || setweight(to_tsvector('english', 'Who needs them'), 'B'),
      to_tsvector('english', 'L1 Walking aids mobility Who needs them'))`
  yield* sql`insert into policy_span (policy_id, first_day, last_day, version, status, policy_type, payer_code,
      national, jurisdictions, states, related)
    values ('L1', '2020-01-01', '9999-12-31', 1, 'active', 'LCD', 'medicare', false, '{}', '{}', '{}')`
  yield* sql`insert into policy_code values ('E0143', 'L1', 1, 'HCPCS', 'conditional', 'document')`
  yield* sql`insert into code values ('E0143', 'HCPCS', 1, '{}', array['walker', 'folding'])`
  yield* sql`insert into code_description values ('E0143', 'HCPCS', 'Rollator; four wheels')`
})

const found = (text: string) =>
  Effect.flatMap(Policies, ({ search }) =>
    Effect.map(search(queryOf({ text })), ({ listings }) => listings.map(({ match }) => match))
  )

describe("policies that were kept before searches knew their codes' words (migration 0018)", () => {
  it.live("contract §2 are found by them, by what they were found by before, and by near spellings", () =>
    Effect.gen(function* () {
      const clients = Layer.orDie(Database.layer(yield* emptyDatabase))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrate(migrations.filter(({ id }) => id < 18))
        yield* keptBefore
        yield* migrate(migrations)
        for (const text of ["walkers", "walking", "mobility", "needs", "folding aid", "rollator"]) {
          expect(yield* found(text), text).toEqual(["all"])
        }
        expect(yield* found("wolker")).toEqual(["near"])
        const [row] = yield* sql<{ readonly title: string; readonly keywords: string }>`
          select ts_filter(heading, '{a}')::text as title, ts_filter(heading, '{a,b}')::text as keywords
          from policy_version`
        expect(row?.title).toMatch(/'walk':/)
        expect(row?.title).not.toMatch(/'mobil':|'walker':/)
        expect(row?.keywords).toMatch(/'mobil':.*'walker':/)
        yield* Effect.flip(sql`update policy_version set title = 'x'`)
      }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(postgresPorts, clients))))
    }).pipe(Effect.scoped)
  )

  it.live("contract §2 a server without pg_trgm finds by words and leaves near spellings out", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into known_word values ('oxygen')`
      yield* save(documentOf({ policyId: "L1", title: "Home oxygen" }))
      expect(yield* found("oxigen")).toEqual(["near"])
      yield* sql`drop extension pg_trgm cascade`
      expect(yield* found("oxigen")).toEqual([])
      expect(yield* found("oxygen")).toEqual(["all"])
    }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(postgresPorts, postgresLayer))))
  )
})
