import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import { limitsLaws } from "../kit/limitsLaws.ts"
import { longTimeouts, redisServer } from "../kit/redis.ts"
import { patientNodeTimeoutMs, redisCluster } from "../kit/redisCluster.ts"

const cluster = Layer.unwrap(
  Effect.map(redisCluster(patientNodeTimeoutMs), ({ url }) => Redis.layer(url, longTimeouts))
)

describe("Limits: redis cluster", () => {
  layer(RedisLimits.layer({ clock: "caller" }).pipe(Layer.provide(Layer.orDie(cluster))), {
    timeout: 60_000
  })((clustered) => {
    for (const { says, check } of limitsLaws) clustered.effect(says, () => check)
  })
})

describe("contract §4 REDIS_URL that names the other kind of Redis", () => {
  const refusal = (url: Redacted.Redacted) =>
    Effect.flip(Effect.scoped(Layer.build(Redis.layer(url)))).pipe(Effect.map(({ message }) => message))
  const wrong = Effect.scoped(
    Effect.gen(function* () {
      const { ports } = yield* redisCluster()
      const single = yield* redisServer
      const address = Redacted.value(single.url).replace("redis://", "redis-cluster://")
      return {
        asOne: yield* refusal(Redacted.make(`redis://127.0.0.1:${ports[0]}`)),
        asCluster: yield* refusal(Redacted.make(address))
      }
    })
  )
  it("is refused in one sentence that says how to write it", async () => {
    const exit = await Effect.runPromiseExit(wrong)
    expect(exit).toEqual(
      Exit.succeed({
        asOne: "REDIS_URL names a node of a Redis Cluster: write redis-cluster://host:port,host:port.",
        asCluster: "REDIS_URL names a Redis that is no cluster: write redis://host:port."
      })
    )
  })
})
