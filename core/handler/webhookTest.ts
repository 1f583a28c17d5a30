import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import { idRandomBytes } from "../id/timeId.ts"
import { Crypto } from "../port/Crypto.ts"
import { Deliveries } from "../port/Deliveries.ts"
import { Endpoints } from "../port/Endpoints.ts"
import { Limits } from "../port/Limits.ts"
import { Receiver } from "../port/Receiver.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import { eventBody, makeWebhookId, pingData } from "../webhook/event.ts"
import { secretBytesCount, secretText } from "../webhook/secret.ts"
import { messageHeaders } from "../webhook/signature.ts"
import { signatureValidation, testDeadlineMs, testDelivery, testsPerMinute } from "../webhook/testPing.ts"
import type { CallContext, Commit, Unavailable, WriteHandler } from "./Handler.ts"
import { makeValidateTarget } from "./validateTarget.ts"
import { isoTimeOf } from "../coverage/date.ts"
import { commit, prepare } from "./WritePlan.ts"
import { makeWebhookSecrets } from "./webhookSecrets.ts"
import { placeOf } from "./webhooks.ts"

/** Kept of the ten seconds, for the log to be written within the call's own deadline. */
const recordingMs = 500

/**
 * POST /webhooks/{id}/test (§4.4, contract §2): a ping that is signed and one that is forged, at once and in
 * an order of chance, so that no receiver can tell them but by the signature. Both go out before the
 * transaction, which then writes the log; neither is sent again.
 */
export const makeWebhookTestHandler = Effect.gen(function* () {
  const endpoints = yield* Endpoints
  const deliveries = yield* Deliveries
  const validateTarget = yield* makeValidateTarget
  const ping = yield* makePinging
  const limit = yield* makeTestLimit

  const record = ({ endpointId, organizationId }: Endpoint, { valid, forged, webhookId }: Pinged) =>
    Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const row = testDelivery({ endpointId, organizationId, webhookId, nowMs }, valid)
      const delivery = yield* deliveries.record(row)
      return {
        _tag: "Data" as const,
        data: {
          delivery_id: delivery.deliveryId,
          endpoint_id: endpointId,
          event: "test.ping" as const,
          http_status: delivery.httpStatus,
          success: delivery.status === "delivered",
          error: delivery.error,
          signature_validation: signatureValidation({ valid, forged }),
          created_at: isoTimeOf(delivery.createdAtMs)
        }
      }
    })

  const testWebhook: WriteHandler<"testWebhook"> = ({ params }, context) =>
    prepare(
      Effect.gen(function* (): Effect.fn.Return<Commit<"testWebhook">, Unavailable> {
        const endpoint = yield* endpoints.find(placeOf(params, context.caller))
        if (endpoint === undefined) return commit(Effect.succeed(refused("RESOURCE_NOT_FOUND")))
        const decision = yield* limit(endpoint, context)
        if (decision._tag === "Refused") return commit(Effect.succeed({ _tag: "Limited" as const, decision }))
        const refusal = yield* validateTarget(endpoint.url, "/url")
        if (refusal !== undefined) return commit(Effect.succeed(refusal))
        return commit(record(endpoint, yield* ping(endpoint, context)))
      })
    )

  return { testWebhook } as const
})

type Pinged = Effect.Success<ReturnType<Effect.Success<typeof makePinging>>>

/** Sends both pings and answers what came of each. */
const makePinging = Effect.gen(function* () {
  const { hmacSha256, randomBytes } = yield* Crypto
  const { post } = yield* Receiver
  const secrets = yield* makeWebhookSecrets

  /** A ping has an id of its own, or a receiver that looks for repetitions would not look at the second. */
  const request = (endpoint: Endpoint, signing: ReadonlyArray<string>, time: PingTime) => {
    const webhookId = makeWebhookId({ nowMs: time.nowMs, randomBytes: randomBytes(idRandomBytes) })
    const data = pingData(endpoint.endpointId)
    const body = eventBody({ webhookId, type: "test.ping", occurredAtMs: time.nowMs, data })
    const message = { webhookId, timestampSeconds: Math.floor(time.nowMs / 1_000), body }
    const headers = messageHeaders(message, { secrets: signing, mac: hmacSha256 })
    return { webhookId, request: { url: endpoint.url, headers, body, deadlineMs: time.deadlineMs } }
  }

  return Effect.fnUntraced(function* (endpoint: Endpoint, { now }: CallContext) {
    const nowMs = yield* Clock.currentTimeMillis
    const spentMs = nowMs - DateTime.makeUnsafe(now).epochMilliseconds
    const time = { nowMs, deadlineMs: Math.max(0, testDeadlineMs - recordingMs - spentMs) }
    const own = secrets.open(endpoint, nowMs)
    if (own.length === 0) return yield* Effect.die(new Error("no secret of an endpoint opens"))
    const valid = request(endpoint, own, time)
    // As many signatures as the other has, each with a secret that is nobody's.
    const nobodys = own.map(() => secretText(randomBytes(secretBytesCount)))
    const forged = { ...request(endpoint, nobodys, time).request, forged: true as const }
    const [validFirst = 0] = randomBytes(1)
    const [valids, forgeds] = [post(valid.request), post(forged)] as const
    const both =
      validFirst % 2 === 0
        ? Effect.all({ valid: valids, forged: forgeds }, { concurrency: 2 })
        : Effect.all({ forged: forgeds, valid: valids }, { concurrency: 2 })
    return { ...(yield* both), webhookId: valid.webhookId }
  })
})

interface PingTime {
  readonly nowMs: number
  readonly deadlineMs: number
}

/** At most six tests of an endpoint in a minute: each reaches somebody else's server. */
const makeTestLimit = Effect.map(
  Limits,
  (limits) =>
    ({ endpointId }: Endpoint, { requestId }: CallContext) => {
      const entry = { subject: `test:${endpointId}`, requestId, cost: 1, policy: testLimits }
      return Effect.tap(limits.acquire(entry), ({ _tag }) =>
        _tag === "Admitted" ? limits.release(entry) : Effect.void
      )
    }
)

const testLimits = { perMinute: testsPerMinute, perDay: null, concurrent: testsPerMinute } as const
