import assert from "node:assert/strict"
import { createHash, randomBytes } from "node:crypto"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Database from "../../adapters/postgres/Database.ts"
import { isoTimeOf } from "../../core/coverage/date.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import { keyState } from "../../core/key/state.ts"
import type { KeyHash, KeyId } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import { Attempts, forgottenDeliveriesMax } from "../../core/port/Attempts.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Keys } from "../../core/port/Keys.ts"
import { testKeyMs, testKeyRecord, testKeyScopes } from "../../core/sandbox/testKey.ts"
import { freshId } from "../kit/accounts.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { beganMs, newEndpoint, publishEvent, scaleOrganization } from "../kit/webhookFixtures.ts"
import { postgresAt } from "../stores/accounts.ts"
import { postgresWebhooksAt } from "../stores/webhooks.ts"

const dayMs = 86_400_000

const postgres = Layer.unwrap(
  Effect.map(freshDatabase, (connection) =>
    Layer.mergeAll(postgresWebhooksAt(connection), postgresAt(connection), Database.layer(connection)).pipe(
      Layer.orDie
    )
  )
)

layer(postgres, { excludeTestServices: true })("what expired test keys wrote, in PostgreSQL", (it) => {
  it.effect("is removed once the key has expired, with its events, while the key's row stays", () =>
    Effect.gen(function* () {
      const { forget } = yield* Attempts
      const key = yield* issueTestKey(beganMs)
      const live = yield* scaleOrganization
      for (const place of [key.organizationId, live]) yield* writesOf(place, beganMs + 1)
      const expiredMs = beganMs + testKeyMs

      assert.equal(yield* forget(expiredMs - 1), 0)
      assert.deepEqual(yield* rowsOf(key.organizationId), { ...everything, acknowledgements: 3 })
      while ((yield* forget(expiredMs + 1)) > 0);
      assert.deepEqual(yield* rowsOf(key.organizationId), nothing)
      assert.deepEqual(yield* rowsOf(live), { ...everything, acknowledgements: 3 })

      const holder = yield* (yield* Keys).find(key.hash)
      assert.ok(holder)
      assert.equal(keyState(holder, isoTimeOf(expiredMs + 1)), "expired")
    })
  )

  it.effect("is removed by a service that was stopped for weeks, one bounded batch after another", () =>
    Effect.gen(function* () {
      const { forget } = yield* Attempts
      const key = yield* issueTestKey(beganMs)
      const acknowledged = forgottenDeliveriesMax + 7
      yield* writesOf(key.organizationId, beganMs + 1, acknowledged)
      const restartedMs = beganMs + testKeyMs + 20 * dayMs

      assert.equal(yield* forget(restartedMs), forgottenDeliveriesMax)
      assert.equal((yield* rowsOf(key.organizationId)).acknowledgements, 7)
      assert.equal(yield* forget(restartedMs), 7)
      assert.deepEqual(yield* rowsOf(key.organizationId), nothing)
    })
  )
})

const nothing = { endpoints: 0, events: 0, deliveries: 0, acknowledgements: 0 }
const everything = { endpoints: 1, events: 1, deliveries: 1 }

const issueTestKey = Effect.fnUntraced(function* (nowMs: number) {
  const record = testKeyRecord({
    keyId: freshId("key_") as KeyId,
    hash: createHash("sha256").update(randomBytes(32)).digest("hex") as KeyHash,
    scopes: testKeyScopes,
    createdAt: isoTimeOf(nowMs),
    expiresAt: isoTimeOf(nowMs + testKeyMs)
  })
  assert.equal(yield* (yield* Keys).issue(record), "issued")
  return record
})

/** An endpoint with a delivery, an event that no endpoint receives, and acknowledgements. */
const writesOf = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  nowMs: number,
  acknowledged = 3
) {
  yield* publishEvent(organizationId, nowMs)
  yield* (yield* Endpoints).create(newEndpoint(organizationId, { nowMs }))
  yield* publishEvent(organizationId, nowMs)
  yield* (yield* Acknowledgements).acknowledge({
    organizationId,
    changes: Array.from({ length: acknowledged }, (_, diffId) => ({ diffId, policyId: "L1" as PolicyId })),
    notes: null,
    at: isoTimeOf(nowMs)
  })
})

const rowsOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const count = (table: string) =>
    Effect.map(
      sql<{ readonly rows: number }>`select count(*)::int4 as rows from ${sql(table)}
        where organization_id = ${organizationId}`,
      ([row]) => row?.rows
    )
  return {
    endpoints: yield* count("webhook_endpoint"),
    events: yield* count("webhook_event"),
    deliveries: yield* count("webhook_delivery"),
    acknowledgements: yield* count("acknowledgement")
  }
})
