import { once } from "node:events"
import { request } from "node:http"
import type { IncomingMessage } from "node:http"
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { policyFor } from "../../core/limit/policy.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { windowMs } from "../../core/limit/window.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Limits } from "../../core/port/Limits.ts"
import { movableClock } from "../http/clock.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { call, pause, readPath, tally, until } from "./calling.ts"
import type { CallResult } from "./calling.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const callers = 40
const callsEach = 5
const calls = callers * callsEach
const credits = policyFor("credits", null)

describe("two server processes over one PostgreSQL and one Redis", () => {
  let site: Site
  let servers: ReadonlyArray<RunningServer> = []
  beforeAll(async () => {
    site = await openSite()
    servers = await Promise.all([site.start(), site.start()])
  })
  afterAll(() => site.close())

  /** Forty callers go from one server to the other and back; what was said, and how often. */
  const both = async ({ key }: Customer, path: string, init: RequestInit = {}) => {
    const answers: Array<CallResult & { readonly server: number }> = []
    const caller = async (first: number) => {
      for (let server = first % 2, left = callsEach; left > 0; server = 1 - server, left--) {
        answers.push({ server, ...(await call(`${servers[server]?.url}${path}`, key, init)) })
      }
    }
    await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
    return { answers, said: tally(answers.map(({ status, code }) => code || String(status))) }
  }
  const remaining = (answers: ReadonlyArray<CallResult>) =>
    answers
      .filter(({ status }) => status !== 429)
      .map(({ headers }) => Number(headers.get("x-ratelimit-remaining")))
      .toSorted((a, b) => a - b)
  /** What each server answered with 200: a test of two says something only when both took part. */
  const shares = (answers: ReadonlyArray<{ readonly server: number; readonly status: number }>) =>
    [0, 1].map((each) => answers.filter(({ server, status }) => status === 200 && server === each).length)

  it("§8.1 the limit is one: of 200 calls at both exactly 60 are admitted and paid", async () => {
    const found = await site.run(customer({ pack: "credits" }))
    const { answers, said } = await both(found, readPath)
    expect(said).toEqual({ 200: 60, RATE_LIMIT_EXCEEDED: 140 })
    expect(remaining(answers)).toEqual(Array.from({ length: 60 }, (_, number) => number))
    expect(Math.min(...shares(answers))).toBeGreaterThan(0)
    expect(await site.statement(found.organizationId)).toMatchObject({ charged: 60, balance: 40 })
  })

  it("contract §1 the day's quota is one: of 30 units left exactly 30 are spent", async () => {
    const found = await site.run(customer())
    await site.run(spendDay(found.organizationId, 30))
    const { answers, said } = await both(found, readPath)
    expect(said).toEqual({ 200: 30, RATE_QUOTA_EXCEEDED: calls - 30 })
    expect(Math.min(...shares(answers))).toBeGreaterThan(0)
    expect(await site.statement(found.organizationId)).toMatchObject({ charged: 30 })
  }, 120_000)

  it("§8.3 the credits are one: of 37 left exactly 37 are spent, the others are 402", async () => {
    const found = await site.run(customer())
    await site.run(spendCredits(found, 63))
    const { answers, said } = await both(found, readPath)
    expect(said).toEqual({ 200: 37, BILLING_CREDITS_EXHAUSTED: 23, RATE_LIMIT_EXCEEDED: 140 })
    expect(Math.min(...shares(answers))).toBeGreaterThan(0)
    expect(await site.statement(found.organizationId)).toMatchObject({ charged: 100, balance: 0 })
  })

  it("§8.3 so they are for calls that cost 4: of 37 left 9 are paid and 1 credit stays", async () => {
    const found = await site.run(customer())
    await site.run(spendCredits(found, 63))
    const { said } = await both(found, batchPath, { method: "POST", body: batchOf("E0601") })
    expect(said).toEqual({ 200: 9, BILLING_CREDITS_EXHAUSTED: 6, RATE_LIMIT_EXCEEDED: calls - 15 })
    expect(await site.statement(found.organizationId)).toMatchObject({ charged: 99, balance: 1 })
  })

  it("§4.6.2 an idempotency key is one: of 200 repeats at both one runs and is charged", async () => {
    const found = await site.run(customer({ pack: "scale" }))
    const headers = { "x-idempotency-key": "one for both" }
    const write = { method: "POST", headers, body: batchOf("E0601") }
    const { answers, said } = await both(found, batchPath, write)
    expect(
      Object.keys(said).filter((code) => !["200", "REQUEST_IDEMPOTENCY_IN_PROGRESS"].includes(code))
    ).toEqual([])
    expect(answers.filter(({ headers }) => headers.get("x-credits-cost") === "4")).toHaveLength(1)
    const { charged } = await site.statement(found.organizationId)
    expect(charged).toBe(4)
    const again = await call(`${servers[1]?.url}${batchPath}`, found.key, write)
    expect(again.body.meta).toMatchObject({ cached: true })
  })

  it("contract §4 SIGTERM of one lets its call in flight finish, while the other answers", async () => {
    const [ending, other] = servers
    if (ending === undefined || other === undefined) throw new Error("two servers run")
    const { key } = await site.run(customer())
    const begun = await beginCall(ending.url, key)
    const ended = ending.end("SIGTERM")
    await until(() => refuses(ending.url), 10_000)
    expect((await call(other.url + readPath, key)).status).toBe(200)
    expect(await begun.finish()).toBe(200)
    expect(await ended).toBe(0)
  })
})

const batchPath = "/api/v1/codes/batch"
const batchOf = (code: string): string => JSON.stringify({ codes: [code] })

/** A call that the server has taken, and of whose body it waits for the rest. */
const beginCall = async (url: string, key: string) => {
  const body = batchOf("E0601")
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": body.length
  }
  const outgoing = request(url + batchPath, { method: "POST", headers, agent: false })
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>
  await new Promise((resolve) => outgoing.write(body.slice(0, 5), resolve))
  // What comes after it is answered, so it has come.
  await call(url + readPath, key)
  return {
    finish: async () => {
      outgoing.end(body.slice(5))
      const [response] = await answered
      response.resume()
      return response.statusCode
    }
  }
}

const refuses = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(Number(new URL(url).port), "127.0.0.1", () => {
      probe.destroy()
      resolve(false)
    }).once("error", () => resolve(true))
  })

/** Charges made through the port itself, as calls long ago would have. */
const spendCredits = ({ organizationId, keyId }: Customer, cost: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    for (let nth = 0; nth < cost; nth++) {
      const requestId = `req_0${organizationId.slice(5)}${nth}`
      const call = { operation: "listJurisdictions", caller: keyId, source: "api", atMs: Date.now() } as const
      yield* ledger.charge({ ...call, organizationId, requestId, cost: 1 })
    }
  })

/** Uses the day's quota but for this much, by calls that left the minute's window again. */
const spendDay = (organizationId: OrganizationId, left: number) =>
  Effect.gen(function* () {
    const cost = 7
    yield* awayFromMidnight
    const limits = yield* Limits
    const subject = `org:${organizationId}`
    const policy = { ...credits, perMinute: 1_000_000, concurrent: 1_000_000 }
    const spending = Array.from({ length: ((credits.perDay ?? 0) - left) / cost }, (_, nth) => {
      const entry = { subject, requestId: `req_${nth}`, cost, policy }
      return Effect.andThen(limits.acquire(entry), limits.release(entry))
    })
    yield* Effect.all(spending, { concurrency: 64 }).pipe(
      Effect.provide(movableClock(Date.now() - windowMs - 1).layer)
    )
  })

/** A window must fit between midnight and now, and the calls to come between now and midnight. */
const awayFromMidnight = Effect.promise(async () => {
  while (!fits(Date.now() % dayMs)) await pause(100)
})
const fits = (ofDayMs: number): boolean => ofDayMs > windowMs + 5_000 && ofDayMs < dayMs - 30_000
