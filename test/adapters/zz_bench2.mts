import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { spawn } from "node:child_process"
import { Redis as Client } from "ioredis"
import * as Memory from "../../adapters/memory/Limits.ts"
import * as RedisLimits from "../../adapters/redis/Limits.ts"
import * as Redis from "../../adapters/redis/Redis.ts"
import { Limits } from "../../core/port/Limits.ts"
import { remembering } from "../../core/workflow/remembering.ts"
import { degrading } from "../../core/workflow/limiting.ts"
import { enter, untouched } from "../../core/limit/enter.ts"
const port = 7399
const server = spawn("redis-server", ["--port", String(port), "--save", ""], { stdio: "ignore" })
await new Promise((r) => setTimeout(r, 400))
const url = Redacted.make(`redis://127.0.0.1:${port}`)
const raw = new Client(Redacted.value(url))
const policy = { perMinute: 1_000, perDay: 250_000_000, concurrent: 1_000_000 }
const redisCpu = async () => { const i = await raw.info("cpu"); const g = (n: string) => Number(new RegExp(`${n}:([\\d.]+)`).exec(i)![1]); return 1e6 * (g("used_cpu_user") + g("used_cpu_sys")) }
const orgs = 5_000
let n = 0
const run = async (name: string, limits: Context.Service.Shape<typeof Limits>, width: number, total: number, pol = policy, org = () => n % orgs) => {
  const one = Effect.suspend(() => { const entry = { subject: `org:${org()}`, requestId: `req_${n++}`, cost: 1, policy: pol }; return Effect.flatMap(limits.enter(entry), (d) => d._tag === "Admitted" ? limits.leave(entry) : Effect.void) })
  const worker = Effect.repeat(one, { times: Math.floor(total / width) - 1 })
  const go = (k: number) => Effect.runPromise(Effect.all(Array.from({ length: width }, () => worker), { concurrency: "unbounded", discard: true }))
  await go(1)
  const c0 = process.cpuUsage(), r0 = await redisCpu(), t0 = performance.now()
  await go(1)
  const t = performance.now() - t0, c = process.cpuUsage(c0), r = await redisCpu() - r0
  console.log(name.padEnd(36), "wall", (t * 1000 / total).toFixed(2), "node", ((c.user + c.system) / total).toFixed(2), "redis", (r / total).toFixed(2), "µs/call")
}
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const mem = Context.get(yield* Layer.build(Layer.fresh(Memory.layer)), Limits)
  const redisL = RedisLimits.layer({ clock: "server" }).pipe(Layer.provide(Redis.layer(url)))
  const red = Context.get(yield* Layer.build(Layer.fresh(redisL)), Limits)
  const memo = Context.get(yield* Layer.build(Layer.fresh(remembering(redisL))), Limits)
  const deg = Context.get(yield* Layer.build(Layer.fresh(degrading({ shared: remembering(redisL), local: Memory.layer, nodes: 1 }))), Limits)
  const p = <A>(f: () => Promise<A>) => Effect.promise(f)
  let s = untouched; const t0 = performance.now(); for (let i = 0; i < 200_000; i++) { s = enter(s, { requestId: "r", cost: 1, policy }, 1e12 + i * 600)[1] } console.log("kernel enter, 100 live", ((performance.now() - t0) * 1000 / 200_000).toFixed(2), "µs")
  let s2 = untouched; const t2 = performance.now(); for (let i = 0; i < 20_000; i++) { s2 = enter(s2, { requestId: "r", cost: 1, policy }, 1e12 + i * 61)[1] } console.log("kernel enter, 1000 live", ((performance.now() - t2) * 1000 / 20_000).toFixed(2), "µs")
  yield* p(() => run("noop effect", { enter: () => Effect.succeed({ _tag: "Admitted", figures: {} } as never), leave: () => Effect.void }, 64, 200_000))
  
  yield* p(() => run("redis, 64 in flight, 5000 orgs", red, 64, 100_000))
  const ping = Effect.promise(async () => { const c0 = process.cpuUsage(), t0 = performance.now(); for (let i = 0; i < 10_000; i++) await raw.ping(); const c = process.cpuUsage(c0); console.log("bare PING, 1 in flight wall", ((performance.now() - t0) / 10).toFixed(2), "node", ((c.user + c.system) / 10_000).toFixed(2)) })
  const auto = new Client(Redacted.value(url), { enableAutoPipelining: true })
})))
const st = await raw.info("commandstats"); console.log(st); raw.disconnect(); server.kill()
