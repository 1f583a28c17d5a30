import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { randomBytes, randomUUID } from "node:crypto"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { idRandomBytes } from "../../core/id/timeId.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import type { EndpointKey } from "../../core/port/Endpoints.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import type { Job } from "../../core/port/Jobs.ts"
import { Transactions } from "../../core/port/Transactions.ts"
import { openEndpoint } from "../../core/webhook/Endpoint.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import { makeWebhookId } from "../../core/webhook/event.ts"
import type { WebhookEvent } from "../../core/webhook/event.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"
import type { SealedSecret } from "../../core/webhook/secret.ts"
import { moveEndpoint } from "../../core/webhook/transitions.ts"
import type { EndpointTrigger } from "../../core/webhook/transitions.ts"
import { newAccount, freshId } from "./accounts.ts"

/** When the laws' histories begin, Unix ms. */
export const beganMs = Date.parse("2026-03-06T10:00:00.000Z")

/** A test key's own: an organization without a row. */
export const rowless = (): OrganizationId => freshId("org_") as OrganizationId

/** An organization with a row, on Scale. */
export const scaleOrganization = Effect.map(
  newAccount({ pack: "scale" }),
  ({ organizationId }) => organizationId
)

export const sealedOf = (nowMs: number): SealedSecret => ({
  secretId: randomUUID(),
  sealed: new Uint8Array(randomBytes(40)),
  createdAtMs: nowMs,
  expiresAtMs: null
})

export const newEndpoint = (
  organizationId: OrganizationId,
  more: { readonly url?: string; readonly nowMs?: number } = {}
) => {
  const nowMs = more.nowMs ?? beganMs
  const url = more.url ?? "https://hooks.example.com/in"
  return openEndpoint({ organizationId, url, events: ["*"], secret: sealedOf(nowMs), nowMs })
}

/** An endpoint that is kept. */
export const anEndpoint = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  more: { readonly url?: string } = {}
) {
  const kept = yield* (yield* Endpoints).create(newEndpoint(organizationId, more))
  if (kept === "full") throw new Error("the organization has room for an endpoint")
  return plain(kept)
})

export const placeOf = ({ organizationId, endpointId }: Endpoint): EndpointKey => ({
  organizationId,
  endpointId
})

/** Moves an endpoint by one of the kernel's triggers. */
export const changeEndpoint = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  trigger: EndpointTrigger,
  nowMs = beganMs
) {
  const { change } = yield* Endpoints
  return yield* change(placeOf(endpoint), (found) => moveEndpoint(found, trigger, nowMs))
})

export const anEvent = (nowMs = beganMs): WebhookEvent => ({
  webhookId: makeWebhookId({ nowMs, randomBytes: randomBytes(idRandomBytes) }),
  type: "compliance.acknowledged",
  occurredAtMs: nowMs,
  data: {
    acknowledgement_ids: [1],
    diff_ids: [2],
    policy_ids: ["L1"],
    acknowledged_at: "2026-03-06T10:00:00.000Z"
  }
})

/** Publishes an event and gives it. */
export const publishEvent = Effect.fnUntraced(function* (organizationId: OrganizationId, nowMs = beganMs) {
  const event = anEvent(nowMs)
  yield* (yield* Deliveries).publish({ organizationId, event })
  return event
})

/** Every delivery of an endpoint, newest first. */
export const deliveriesOf = (endpoint: Endpoint) =>
  Effect.flatMap(Deliveries, ({ list }) =>
    Effect.map(
      list({ ...placeOf(endpoint), status: null, before: null, limit: 1_000 }),
      (page) => page.deliveries
    )
  )

/** The newest delivery of an endpoint. */
export const newestOf = (endpoint: Endpoint) =>
  Effect.map(deliveriesOf(endpoint), ([delivery]) => {
    if (delivery === undefined) throw new Error("the endpoint has a delivery")
    return delivery
  })

/** As stores of every kind give it: bytes of a database are of another class. */
export const plain = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  events: [...endpoint.events],
  secrets: endpoint.secrets.map((secret) => ({ ...secret, sealed: new Uint8Array(secret.sealed) }))
})

/** Takes every job that is due, and says what they were; a queue that says nothing for so long has none. */
export const takeJobs = Effect.gen(function* () {
  const { run } = yield* Jobs
  const taken: Array<Job> = []
  for (;;) {
    const one = run((job) => Effect.sync(() => void taken.push(job)))
    if (Option.isNone(yield* Effect.timeoutOption(one, quietFor))) return taken
  }
})
const quietFor = "300 millis"

/** Those of the taken jobs that are an endpoint's or its deliveries'. */
export const jobsOf = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const own = new Set((yield* deliveriesOf(endpoint)).map(({ deliveryId }) => deliveryId))
  const jobs = yield* takeJobs
  return jobs.filter((job) =>
    job._tag === "Deliver" ? own.has(job.deliveryId) : job.endpointId === endpoint.endpointId
  )
})

/** Does some work in a write, kept or undone. */
export const inWrite = Effect.fnUntraced(function* <A, E, R>(
  work: Effect.Effect<A, E, R>,
  end: "Keep" | "Undo" = "Keep"
) {
  const { write } = yield* Transactions
  const worked = Effect.map(work, (value) =>
    end === "Keep" ? ({ _tag: "Keep", value, answer: nothing } as const) : ({ _tag: "Undo", value } as const)
  )
  return yield* write({ claim: undefined, charge: undefined, work: worked })
})
const nothing = new Uint8Array()

export const answeredWith = (status: number, retryAfterMs: number | null = null): Outcome => ({
  _tag: "Answered",
  status,
  retryAfterMs,
  excerpt: "said so"
})
