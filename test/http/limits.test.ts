import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { failoverLimits, rejectionCache } from "../../core/call/limits.ts"
import { memoryLibraryOver, postgresStores } from "./stores.ts"
import { redisLayer } from "../kit/redis.ts"
import { customer, healthy, keyFor, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"

const shared = rejectionCache(RedisLimits.layer({ clock: "server" }).pipe(Layer.provide(redisLayer)))
const limits = [
  ["memory", MemoryLimits.layer],
  ["Redis", failoverLimits({ shared, local: MemoryLimits.layer, nodes: 1 })]
] as const

describe.each(limits)(
  "§8.1 the per-minute limit over HTTP, limits in %s, accounts in PostgreSQL",
  (_, limiter) => {
    const ports = Layer.mergeAll(memoryLibraryOver(postgresStores), limiter, healthy)
    let serving: ServedApp<Layer.Success<typeof ports>>
    beforeAll(async () => {
      serving = await serve(ports)
      await serving.run(seedLibrary)
    })
    afterAll(() => serving.close())

    const flood = (keys: ReadonlyArray<string>, times: number, path: string, init: RequestInit = {}) =>
      Promise.all(
        Array.from({ length: times }, async (_unused, index) => {
          const response = await fetch(serving.url + path, {
            ...init,
            headers: {
              authorization: `Bearer ${keys[index % keys.length]}`,
              "content-type": "application/json"
            }
          })
          return {
            status: response.status,
            headers: response.headers,
            body: (await response.json()) as ErrorBody
          }
        })
      )

    it("§8.1.5 of 400 calls at once by two keys on Credits exactly 60 are admitted and paid", async () => {
      const found = await serving.run(customer())
      const other = await serving.run(keyFor(found.organizationId))
      const answers = await flood([found.key, other.key], 400, "/api/v1/jurisdictions")
      const admitted = answers.filter((answer) => answer.status === 200)
      const refused = answers.filter((answer) => answer.status === 429)
      expect([admitted.length, refused.length]).toEqual([60, 340])
      for (const { body, headers } of refused) {
        expect(body.error.code).toBe("RATE_LIMIT_EXCEEDED")
        expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
        expect(headers.get("x-ratelimit-remaining")).toBe("0")
        expect(headers.get("x-credits-cost")).toBe("0")
      }
      const remaining = admitted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")))
      expect(remaining.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 60 }, (_unused, index) => index)
      )
      const { organizationId } = found
      const statement = await serving.run(
        Effect.flatMap(Ledger, (ledger) => ledger.statement({ organizationId, nowMs: Date.now() }))
      )
      expect(statement).toMatchObject({ granted: 100, charged: 60, balance: 40 })
    })

    it("§8.1.2 a call costing 4 uses 4: 15 batches fit, the 16th does not", async () => {
      const found = await serving.run(customer())
      const body = JSON.stringify({ codes: ["E0601"] })
      const answers = await flood([found.key], 40, "/api/v1/codes/batch", { method: "POST", body })
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(15)
      expect(answers.filter((answer) => answer.status === 429)).toHaveLength(25)
    })

    it("§8.2 the headers of an admitted call agree with each other", async () => {
      const found = await serving.run(customer({ pack: "build" }))
      const [answer] = await flood([found.key], 1, "/api/v1/jurisdictions")
      const of = (name: string) => answer?.headers.get(name)
      expect([of("x-ratelimit-limit"), of("x-ratelimit-remaining")]).toEqual(["300", "299"])
      expect(of("ratelimit-policy")).toBe('"minute";q=300;w=60, "day";q=50000;w=86400')
      expect(of("ratelimit")).toBe('"minute";r=299;t=60')
      expect(Number(of("x-ratelimit-reset")) - Date.now() / 1_000).toBeGreaterThan(55)
      expect(of("retry-after")).toBeNull()
    })
  }
)
