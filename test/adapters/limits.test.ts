import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe } from "vitest"
import * as Memory from "../../adapters/memory/Limits.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import { failoverLimits, rejectionCache } from "../../core/call/limits.ts"
import type { Limits } from "../../core/port/Limits.ts"
import type { Law } from "../kit/Law.ts"
import { failingLaws } from "../kit/failingLimits.ts"
import { awayLaws, limitsLaws } from "../kit/limitsLaws.ts"
import { redisLayer } from "../kit/redis.ts"

/**
 * The laws move the clock, so the shared store decides by the caller's here; its own is tested beside the
 * faults.
 */
const redis = RedisLimits.layer({ clock: "caller" }).pipe(Layer.provide(redisLayer))

// Nothing listens on the discard port of a machine that runs tests.
const nowhere = RedisLimits.layer({ clock: "server" }).pipe(
  Layer.provide(Layer.orDie(Redis.layer(Redacted.make("redis://127.0.0.1:9"))))
)

const cut = { isAway: false }
/** Redis behind a switch: while it is unavailable no script call arrives there. */
const failing = RedisLimits.layer({ clock: "caller" }).pipe(
  Layer.provide(
    Layer.effect(
      Redis.Redis,
      Effect.map(Redis.Redis, (client) => {
        const callBuffer = client.callBuffer.bind(client)
        return Object.assign(client, {
          callBuffer: (...command: Parameters<typeof callBuffer>) =>
            cut.isAway ? Promise.reject(new Error("away")) : callBuffer(...command)
        })
      })
    )
  ),
  Layer.provide(redisLayer)
)

// A wait that is answered from memory runs on while a clock that stepped back makes the real one stand still.
const clockForward = limitsLaws.filter(({ says }) => !says.includes("steps back"))

const bindings: readonly (readonly [string, Layer.Layer<Limits>, readonly Law<Limits>[]])[] = [
  ["memory", Memory.layer, limitsLaws],
  ["redis", redis, limitsLaws],
  ["redis with refusals answered from memory", rejectionCache(redis), clockForward],
  ["memory with refusals answered from memory", rejectionCache(Memory.layer), clockForward],
  [
    "redis, failing over to memory",
    failoverLimits({ shared: redis, local: Memory.layer, nodes: 1 }),
    limitsLaws
  ],
  ["redis away", nowhere, awayLaws],
  ["redis that fails", failing, failingLaws(cut)]
]

describe.each(bindings)("Limits: %s", (_, adapter, laws) => {
  layer(adapter)((it) => {
    for (const { says, check } of laws) it.effect(says, () => check)
  })
})
