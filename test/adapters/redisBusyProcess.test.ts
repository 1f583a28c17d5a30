import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import { failoverLimits, LimitsHealth } from "../../core/call/limits.ts"
import { Limits } from "../../core/port/Limits.ts"
import { redisServer } from "../kit/redis.ts"

const shared = Layer.unwrap(
  Effect.map(redisServer, ({ url }) =>
    RedisLimits.layer({ clock: "server" }).pipe(Layer.provideMerge(Redis.layer(url)))
  )
)
const stores = failoverLimits({ shared, local: Memory.layer, nodes: 1 })

const policy = { perMinute: 1_000, perDay: null, concurrent: 1_000 }
const limitOf = (requestId: string) =>
  Effect.flatMap(Limits, (limits) =>
    Effect.map(
      limits.acquire({ subject: "org:one", requestId, cost: 1, policy }),
      ({ figures }) => figures.limit
    )
  )
const status = Effect.flatMap(LimitsHealth, ({ check }) => Effect.map(check, (seen) => seen.status))

/** Turns of the event loop before the process is blocked, and for how long. */
const standStill = (turns: number, ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    setImmediate(() => {
      if (turns === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
      resume(turns === 0 ? Effect.void : standStill(turns - 1, ms))
    })
  })

describe("§8.1.3 a shared store that answers a process which is busy", () => {
  it.live("the whole limit stays in force if the answer came while the process stood still", () =>
    Effect.gen(function* () {
      expect(yield* limitOf("before")).toBe(1_000)
      // In one of these turns the call has just been sent.
      for (let turns = 0; turns < 6; turns++) {
        const pause = standStill(turns, 1.5 * Redis.commandTimeoutMs)
        const [limit] = yield* Effect.all([limitOf(`turn ${turns}`), pause], { concurrency: "unbounded" })
        expect([turns, limit, yield* status]).toEqual([turns, 1_000, "up"])
      }
    }).pipe(Effect.provide(stores))
  )
})
