import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { windowMs } from "../../core/limit/window.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { redisCluster } from "../kit/redisCluster.ts"
import type { RedisCluster } from "../kit/redisCluster.ts"
import { call, pause, readPath, say, tally, underLoad, until } from "./calling.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const limit = 60
const callers = 8
const pauseMs = 60

describe("contract §4 limits on a Redis Cluster of three primaries with replicas, under load", () => {
  const scope = Scope.makeUnsafe()
  let site: Site
  let cluster: RedisCluster
  let servers: ReadonlyArray<RunningServer> = []
  let many: ReadonlyArray<Customer> = []
  beforeAll(async () => {
    cluster = await Effect.runPromise(Scope.provide(redisCluster(), scope))
    site = await openSite()
    const environment = { REDIS_URL: Redacted.value(cluster.url), NODES: "2" }
    servers = [await site.start(environment), await site.start(environment)]
    const one = customer({ pack: "scale" })
    many = await site.run(Effect.forEach(Array.from({ length: callers }), () => one))
    for (const { url } of servers)
      for (const { key } of many) expect(await call(url + readPath, key)).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await site.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const at = (caller: number) => servers[caller % servers.length]?.url ?? ""
  const health = async (url: string) =>
    ((await call(`${url}/api/v1/health`, "")).body.data as { readonly status: string } | undefined)?.status

  const limitsKeyOf = (organizationId: string) => `coverage:limits:2:org:${organizationId}`
  /** A customer whose limits lie in a slot that will be moved. */
  const movedCustomer = async () => {
    for (;;) {
      const one = await site.run(customer())
      if (await cluster.isMoved(limitsKeyOf(one.organizationId))) return one
    }
  }

  it("a reshard and a killed primary are survived without a 5xx, and a limit stays exact", async () => {
    const { key, organizationId } = await movedCustomer()
    const limitsKey = limitsKeyOf(organizationId)
    const beganMs = performance.now()
    const others = underLoad(callers, pauseMs, (caller) =>
      call(at(caller) + readPath, many[caller]?.key ?? "")
    )
    const flood = underLoad(4, pauseMs, (caller) => call(at(caller) + readPath, key))
    const admitted = () => flood.calls.filter(({ status }) => status === 200).length
    await until(() => admitted() === limit, 15_000)
    const fullMs = performance.now() - beganMs

    await cluster.moveSlotsOf(limitsKey)
    await pause(500)
    expect(admitted()).toBe(limit)
    expect(tally(others.calls.map(({ status }) => String(status)))).toEqual({ 200: others.calls.length })
    const movedMs = performance.now() - beganMs

    await cluster.killPrimaryOf(limitsKey)
    await until(async () => (await health(at(0))) === "degraded", 5_000)
    const downMs = performance.now() - beganMs
    await until(
      async () => (await health(at(0))) === "healthy" && (await health(at(1))) === "healthy",
      30_000
    )
    const backMs = performance.now() - beganMs
    await pause(1_000)
    const told = [...(await flood.end()), ...(await others.end())]
    // All of it lies in one minute, so one limit is all that may have been admitted.
    expect(performance.now() - beganMs).toBeLessThan(windowMs)
    expect(admitted()).toBe(limit)
    expect(told.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
    expect(others.calls.filter(({ status }) => status !== 200)).toEqual([])
    const { charged } = await site.statement(organizationId)
    expect(charged).toBe(limit)
    const [full, moved, down, back] = [fullMs, movedMs, downMs, backMs].map((ms) => `${ms.toFixed(0)} ms`)
    say(
      `${told.length} calls: limit reached at ${full}, slots moved by ${moved}, a primary lost ${down} to ${back}`
    )
  }, 90_000)
})
