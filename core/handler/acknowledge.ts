import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Acknowledgement } from "../compliance/Acknowledgement.ts"
import { acknowledgedEvents } from "../compliance/acknowledgedEvents.ts"
import { foldBulk } from "../compliance/bulk.ts"
import type { PolicyId } from "../coverage/Policy.ts"
import { refused } from "../error/Refusal.ts"
import { idRandomBytes } from "../id/timeId.ts"
import { refusedFields } from "../error/fieldFaults.ts"
import { Acknowledgements } from "../port/Acknowledgements.ts"
import { Crypto } from "../port/Crypto.ts"
import { Deliveries } from "../port/Deliveries.ts"
import { Reviews } from "../port/Reviews.ts"
import { makeWebhookId } from "../webhook/event.ts"
import type { CallContext, WriteHandler } from "./Handler.ts"
import { commit } from "./WritePlan.ts"

/** POST /compliance/ack and /compliance/ack/bulk: once per organization and change, with its event. */
export const makeAcknowledgeHandlers = Effect.gen(function* () {
  const reviews = yield* Reviews
  const acknowledgements = yield* Acknowledgements
  const publish = yield* makePublishEvents

  const acknowledge = Effect.fnUntraced(function* (
    named: ReadonlyMap<number, PolicyId>,
    notes: string | undefined,
    context: CallContext
  ) {
    const changes = [...named].map(([diffId, policyId]) => ({ diffId, policyId }))
    const { organizationId } = context.caller
    const said = notes === undefined || notes === "" ? null : notes
    const kept = yield* acknowledgements.acknowledge({
      organizationId,
      changes,
      notes: said,
      at: context.now
    })
    yield* publish(kept.fresh, context)
    return kept
  })

  const acknowledgeChange: WriteHandler<"acknowledgeChange"> = ({ body }, context) =>
    commit(
      Effect.gen(function* () {
        const { fresh, earlier } = yield* acknowledge(
          yield* reviews.named([body.diff_id]),
          body.notes,
          context
        )
        const [kept] = [...fresh, ...earlier]
        if (kept === undefined) return noSuchChange
        const data = {
          id: kept.acknowledgementId,
          acknowledged: true as const,
          already_acked: fresh.length === 0
        }
        return { _tag: "Data" as const, data }
      })
    )

  const acknowledgeChanges: WriteHandler<"acknowledgeChanges"> = ({ body }, context) =>
    commit(
      Effect.gen(function* () {
        const named = yield* reviews.named([...new Set(body.diff_ids)])
        const { earlier } = yield* acknowledge(named, body.notes, context)
        const bulk = foldBulk(body.diff_ids, {
          existing: new Set(named.keys()),
          acknowledged: new Set(earlier.map(({ diffId }) => diffId))
        })
        if (bulk._tag === "NoneExists") return noneExists
        const { acknowledged, alreadyAcknowledged, invalidIds, total } = bulk.answer
        const data = { acknowledged, already_acked: alreadyAcknowledged, invalid_ids: invalidIds, total }
        return { _tag: "Data" as const, data }
      })
    )

  return { acknowledgeChange, acknowledgeChanges } as const
})

/** The event of new acknowledgements, which joins the write they are made in. */
const makePublishEvents = Effect.gen(function* () {
  const { randomBytes } = yield* Crypto
  const { publish } = yield* Deliveries
  return (fresh: ReadonlyArray<Acknowledgement>, { caller, now }: CallContext) =>
    Effect.forEach(
      acknowledgedEvents(fresh),
      (data) => {
        const nowMs = DateTime.makeUnsafe(now).epochMilliseconds
        const webhookId = makeWebhookId({ nowMs, randomBytes: randomBytes(idRandomBytes) })
        const event = { webhookId, type: "compliance.acknowledged", occurredAtMs: nowMs, data } as const
        return publish({ organizationId: caller.organizationId, event })
      },
      { discard: true }
    )
})

const noSuchChange = refused(
  "RESOURCE_NOT_FOUND",
  undefined,
  "GET /compliance/unreviewed and GET /policies/changes list the ids of changes as diff_id."
)

const noneExists = refusedFields([
  { path: "/body/diff_ids", code: "not_found", message: "`diff_ids` names no change that exists." }
])
