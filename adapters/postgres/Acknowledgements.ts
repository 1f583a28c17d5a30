import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Acknowledgement } from "../../core/compliance/Acknowledgement.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Acknowledgements, AcknowledgementsUnavailable } from "../../core/port/Acknowledgements.ts"
import { atomically, unavailable } from "./Database.ts"
import { plainText } from "./library/plainText.ts"

/** Acknowledgements in PostgreSQL, once for each organization and change by their unique key. */
export const layer = Layer.effect(
  Acknowledgements,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inTransaction = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.provideService(unavailable(failed)(atomically(effect)), SqlClient.SqlClient, sql)
    return Acknowledgements.of({
      acknowledge: (input) => inTransaction(acknowledge(sql, input)),
      among: ({ organizationId, diffIds }) =>
        unavailable(failed)(
          Effect.map(
            sql<{ readonly diff_id: bigint }>`select diff_id from acknowledgement
              where organization_id = ${organizationId}
                and diff_id = any(${diffIds.map(String)}::text[]::int8[])`,
            (rows) => new Set(rows.map((row) => Number(row.diff_id)))
          )
        )
    })
  })
)

const failed = (fault: AcknowledgementsUnavailable["fault"]) => new AcknowledgementsUnavailable({ fault })

type Input = Parameters<Acknowledgements["Service"]["acknowledge"]>[0]

interface AcknowledgementRow {
  readonly acknowledgement_id: bigint
  readonly organization_id: OrganizationId
  readonly diff_id: bigint
  readonly policy_id: PolicyId
  readonly notes: string | null
  readonly acknowledged_at: Date
}

/**
 * Rows are written by diff id, so that of two lists at once neither waits for the other while it is waited
 * for; one that meets another's uncommitted row waits for its end.
 */
const acknowledge = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, input: Input) {
  const { organizationId, changes, notes, at } = input
  const sorted = changes.toSorted((one, other) => one.diffId - other.diffId)
  // As text: the driver takes the type of an array from its first number.
  const diffIds = sorted.map(({ diffId }) => String(diffId))
  const inserted = yield* sql<AcknowledgementRow>`insert into acknowledgement
    (organization_id, diff_id, policy_id, notes, acknowledged_at)
    select ${organizationId}, diff_id, policy_id, ${notes === null ? null : plainText(notes)}::text,
      ${new Date(at)}::timestamptz
    from unnest(${diffIds}::text[]::int8[], ${sorted.map(({ policyId }) => policyId)}::text[])
      with ordinality as given (diff_id, policy_id, nth) order by nth
    on conflict (organization_id, diff_id) do nothing returning *`
  const written = new Map(inserted.map((row) => [Number(row.diff_id), acknowledgementOf(row)]))
  const fresh = changes.flatMap(({ diffId }) => written.get(diffId) ?? [])
  if (fresh.length === changes.length) return { fresh, earlier: [] }
  const rows = yield* sql<AcknowledgementRow>`select * from acknowledgement
    where organization_id = ${organizationId} and diff_id = any(${diffIds}::text[]::int8[]) order by diff_id`
  return { fresh, earlier: rows.filter((row) => !written.has(Number(row.diff_id))).map(acknowledgementOf) }
})

const acknowledgementOf = (row: AcknowledgementRow): Acknowledgement => ({
  acknowledgementId: Number(row.acknowledgement_id),
  organizationId: row.organization_id,
  diffId: Number(row.diff_id),
  policyId: row.policy_id,
  notes: row.notes,
  acknowledgedAt: row.acknowledged_at.toISOString() as IsoTime
})
