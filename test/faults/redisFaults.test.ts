import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commandTimeoutMs, silenceMsMax } from "../../adapters/redis/Redis.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import type { CallResult } from "./calling.ts"
import { call, pause, quantile, readPath, say, tally, underLoad, until } from "./calling.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const scale = { organizations: 8, limit: 1_000, halved: 500 } as const
const credits = { limit: 60, halved: 30 } as const
const callers = 16
/** A few hundred calls a second in all, so that none waits for a core. */
const pauseMs = 40
/** How long Redis is unavailable; the longer one outlives its connections (`silenceMsMax`). */
const shortMs = 700
const longMs = 3 * silenceMsMax
/** How long it is watched after it came back. */
const afterMs = 500
/** No call waits longer for a store known to be unavailable, and it is used again so soon (§8.1.3). */
const waitMsMax = 250
const returnMsMax = 2_000

describe("§8.1.3 Redis goes away under load", () => {
  let site: Site
  let server: RunningServer
  let burst: ReadonlyArray<Customer> = []
  beforeAll(async () => {
    site = await openSite()
    server = await site.start()
    const one = customer({ pack: "scale" })
    burst = await site.run(Effect.forEach(Array.from({ length: scale.organizations }), () => one))
    // The first calls of a process compile its code; what they take says nothing about Redis.
    for (const { key } of burst) expect(await call(server.url + readPath, key)).toMatchObject({ status: 200 })
  })
  afterAll(() => site.close())

  const load = () =>
    underLoad(callers, pauseMs, (caller) =>
      call(server.url + readPath, burst[caller % burst.length]?.key ?? "")
    )
  const limitOf = (called: CallResult | undefined) => Number(called?.headers.get("x-ratelimit-limit"))
  const health = async () => {
    const { body } = await call(`${server.url}/api/v1/health`, "")
    return (body.data as { readonly status: string } | undefined)?.status
  }
  /** All that a new organization of the Credits pack is told when it calls this often at once. */
  const flood = async (times: number) => {
    const { key, organizationId } = await site.run(customer())
    const all = Array.from({ length: times }, () => call(server.url + readPath, key))
    const calls = await Promise.all(all)
    const statement = await site.statement(organizationId)
    return { calls, charged: statement.charged }
  }
  const admitted = ({ calls }: { readonly calls: ReadonlyArray<CallResult> }) =>
    calls.filter(({ status }) => status === 200).length

  /** Redis goes and comes back under load: what everybody was told, and when. */
  const outage = async (go: Effect.Effect<void>, back: Effect.Effect<void>, forMs: number) => {
    const running = load()
    const bystander = underLoad(callers, pauseMs, () => call(`${server.url}/api/v1/health`, ""))
    await until(() => running.calls.length > callers, 10_000)
    const wentMs = performance.now()
    await Effect.runPromise(go)
    await until(() => limitOf(running.calls.at(-1)) === scale.halved, 5_000)
    const knownMs = performance.now()
    expect(await health()).toBe("degraded")
    await pause(forMs)
    const floodMs = performance.now()
    const refused = await flood(3 * credits.limit)
    const backMs = performance.now()
    await Effect.runPromise(back)
    const returnedMs = await until(() => limitOf(running.calls.at(-1)) === scale.limit, 10_000)
    const healthyMs = returnedMs + (await until(async () => (await health()) === "healthy", 10_000))
    await pause(afterMs)
    const calls = await running.end()
    const known = calls.filter(({ beganMs }) => beganMs > knownMs && beganMs < backMs)
    // Who was on the way when it came back may be told either limit.
    const told = known.filter(({ beganMs, tookMs }) => beganMs + tookMs < backMs)
    const quiet = (all: ReadonlyArray<CallResult>) =>
      all.filter(({ beganMs }) => beganMs > knownMs && beganMs < floodMs).map(({ tookMs }) => tookMs)
    const [waits, beside] = [quiet(known), quiet(await bystander.end())]
    return { calls, told, refused, waits, beside, openedMs: knownMs - wentMs, returnedMs, healthyMs }
  }

  /** What is the same however Redis went. */
  const isRiddenOut = (says: string, seen: Awaited<ReturnType<typeof outage>>) => {
    const { calls, told, refused, waits, beside, openedMs, returnedMs, healthyMs } = seen
    const said = tally(calls.map(({ status }) => String(status)))
    const ms = (figure: number) => `${figure.toFixed(0)} ms`
    say(
      `${says}: ${calls.length} calls, ${JSON.stringify(said)}; ` +
        `opened after ${ms(openedMs)}; ${waits.length} calls then, p50 ${ms(quantile(waits, 0.5))}, ` +
        `longest ${ms(quantile(waits, 1))} (health ${ms(quantile(beside, 1))}); ` +
        `whole limit ${ms(returnedMs)} and healthy ${ms(healthyMs)} after its return`
    )
    expect(calls.filter(({ status }) => status === 0 || status >= 500)).toEqual([])
    expect([...new Set(calls.map(limitOf))].toSorted((a, b) => a - b)).toEqual([scale.halved, scale.limit])
    expect([...new Set(told.map(limitOf))]).toEqual([scale.halved])
    expect([...new Set(refused.calls.map(limitOf))]).toEqual([credits.halved])
    expect([admitted(refused), refused.charged]).toEqual([credits.halved, credits.halved])
    // Health asks no store, so what it took is what the machine itself took from both, asked as often.
    expect(quantile(waits, 1) - quantile(beside, 1)).toBeLessThan(waitMsMax)
    // A call that asks a hung store first takes a whole command timeout: nearly none may.
    expect(quantile(waits, 0.95)).toBeLessThan(commandTimeoutMs)
    expect(returnedMs).toBeLessThan(returnMsMax)
    expect(healthyMs).toBeLessThan(returnMsMax)
  }

  it("killed and started again: half the limit meanwhile, the whole within 2 s, no 5xx", async () => {
    const seen = await outage(site.redis.stop, site.redis.start, shortMs)
    isRiddenOut("killed and started again", seen)
  }, 30_000)

  // A breaker that closes by mistake does so at some moments and not at others.
  it.each([1, 2, 3])(
    "paused for a moment, time %i: as above, and no call waits over 250 ms for it",
    async () => {
      const seen = await outage(site.redis.pause, site.redis.resume, shortMs)
      isRiddenOut("paused for a moment", seen)
    },
    30_000
  )

  it("paused for longer than its connections live: as above", async () => {
    const seen = await outage(site.redis.pause, site.redis.resume, longMs)
    isRiddenOut("paused for long", seen)
  }, 30_000)

  it("killed in the middle of a flood: at most one limit and one half are admitted", async () => {
    const half = flood(6 * credits.limit)
    await Effect.runPromise(site.redis.stop)
    const flooded = await half
    await Effect.runPromise(site.redis.start)
    await until(async () => (await health()) === "healthy", 10_000)
    expect(flooded.calls.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
    expect(admitted(flooded)).toBeGreaterThanOrEqual(credits.halved)
    expect(admitted(flooded)).toBeLessThanOrEqual(credits.limit + credits.halved)
    expect(flooded.charged).toBe(admitted(flooded))
  }, 30_000)
})
