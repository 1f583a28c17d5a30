import * as Layer from "effect/Layer"
import { afterAll, beforeAll, beforeEach } from "vitest"
import * as MemoryAddresses from "../../adapters/memory/Addresses.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as WebhookReceiver from "../../adapters/webhook/Receiver.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import { movableClock } from "./clock.ts"
import { customer, healthy, serve, withDeliveries } from "./harness.ts"
import type { Customer, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { eventually, receiver } from "./receiving.ts"
import type { Arrival } from "./receiving.ts"
import type { services } from "./stores.ts"
import { webhookClient } from "./webhookCalls.ts"
import type { Row } from "./webhookCalls.ts"

type Stores = (typeof services)[number][1]
type Hooks = Awaited<ReturnType<typeof receiver>>
type Answering = (arrival: Omit<Arrival, "status">) => number

/**
 * A service that delivers over real sockets to one receiver on the loopback, for the suite that calls this;
 * each test has a customer of its own.
 */
export const serviceWithReceiver = (service: Stores) => {
  const clock = movableClock(Date.now())
  let movedMs = 0
  let answer: Answering = () => 200
  let hooks: Hooks
  const composed = () => delivers(service, hooks.port).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  let owner: Customer
  beforeAll(async () => {
    hooks = await receiver((arrival) => answer(arrival))
    serving = await serve(composed())
    await serving.run(seedLibrary)
  })
  beforeEach(async () => {
    answer = () => 200
    hooks.arrivals.length = 0
    owner = await serving.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))
  })
  afterAll(async () => {
    await serving.close()
    hooks.close()
  })
  const base = () => `${serving.url}/api/v1`
  return {
    ...owned(
      webhookClient(base, () => owner.key),
      () => hooks
    ),
    nowMs: () => Date.now() + movedMs,
    move: (byMs: number): void => {
      movedMs += byMs
      clock.move(byMs)
    },
    /** What the receiver answers from now on. */
    answers: (by: Answering): void => {
      answer = by
    },
    /** The calls of another customer. */
    stranger: async () => {
      const { key } = await serving.run(customer({ pack: "scale", record: { scopes: ["write"] } }))
      return webhookClient(base, () => key)
    }
  } as const
}

const delivers = (service: Stores, port: number) => {
  const receivers = WebhookReceiver.layer({ ...publicTargets, loopbackPorts: [port] }).pipe(
    Layer.provide(MemoryAddresses.layer())
  )
  return Layer.mergeAll(service(), receivers, MemoryLimits.layer, healthy).pipe(withDeliveries)
}

/** What the customer does and sees. */
const owned = (client: ReturnType<typeof webhookClient>, hooks: () => Hooks) => {
  const { data } = client
  const log = async (id: unknown, query = "") => {
    const path = `/webhooks/${String(id)}/deliveries${query}`
    return (await data("listDeliveries", path)) as never as ReadonlyArray<Row>
  }
  return {
    ...client,
    log,
    create: () => data("createWebhook", "/webhooks", { body: { url: hooks().url, events: ["*"] } }),
    acknowledge: (diffId: number) =>
      data("acknowledgeChange", "/compliance/ack", { body: { diff_id: diffId, notes: "not for others" } }),
    patch: (id: unknown, body: unknown) => data("updateWebhook", `/webhooks/${String(id)}`, { body }),
    /** The endpoint as it is listed. */
    shown: async (id: unknown) => {
      const listed = (await data("listWebhooks", "/webhooks")) as never as ReadonlyArray<Row>
      return listed.find((one) => one["id"] === id)
    },
    /** The newest delivery, once it was attempted. */
    settled: (id: unknown): Promise<Row> =>
      eventually(
        async () => (await log(id))[0] ?? {},
        (delivery) => delivery["attempts"] !== 0
      ),
    arrivals: () => hooks().arrivals,
    arrived: (count: number) =>
      eventually(
        () => hooks().arrivals,
        (arrivals) => arrivals.length >= count
      )
  } as const
}
