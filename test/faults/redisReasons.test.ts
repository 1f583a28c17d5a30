import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { failureOf } from "../../adapters/redis/failure.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import { call, readPath, until } from "./calling.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

const run = promisify(execFile)
const [whole, halved] = ["1000", "500"]

describe("contract §1 limits on a Redis that answers nobody: degraded, and everybody is told why", () => {
  let site: Site
  let server: RunningServer
  let one: Customer
  beforeAll(async () => {
    site = await openSite()
    server = await site.start()
    one = await site.run(customer({ pack: "scale" }))
    expect(await limit()).toBe(whole)
  })
  afterAll(() => site.close())

  const redis = (...words: ReadonlyArray<string>) => {
    const port = new URL(Redacted.value(site.redis.url)).port
    return run("redis-cli", ["-p", port, ...words])
  }
  const limit = async () => {
    const { headers, status } = await call(server.url + readPath, one.key)
    expect(status).toBe(200)
    return headers.get("x-ratelimit-limit")
  }
  const cache = async () => {
    const { body, status } = await call(`${server.url}/api/v1/health`, "")
    expect(status).toBe(200)
    const { checks } = body.data as { checks: { cache: { status: string; reason?: string } } }
    return checks.cache
  }
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
  const cut = ["client", "kill", "type", "normal"]

  it.each([
    ["READONLY", [["replicaof", "127.0.0.1", "1"]], [["replicaof", "no", "one"]]],
    ["OOM", [["config", "set", "maxmemory", "1"]], [["config", "set", "maxmemory", "0"]]],
    [
      "NOAUTH",
      [
        ["config", "set", "requirepass", "x"],
        ["-a", "x", ...cut]
      ],
      [["-a", "x", "config", "set", "requirepass", ""]]
    ]
  ] as const)(
    "%s",
    async (reason, come, go) => {
      for (const words of come) await redis(...words).catch(() => undefined)
      await until(async () => (await cache()).reason === reason, 3_000)
      expect(await cache()).toMatchObject({ status: "down", reason })
      expect(await limit()).toBe(halved)
      await until(
        async () =>
          (await metrics()).includes(`coverage_dependency_fault{dependency="limits",reason="${reason}"} 1`),
        3_000
      )
      expect(server.said()).toContain(`"reason":"${reason}"`)
      for (const words of go) await redis(...words)
      await until(async () => (await cache()).status === "up", 3_000)
      await until(async () => (await limit()) === whole, 3_000)
    },
    30_000
  )

  it("WRONGTYPE: the key of one organization is that organization's alone", async () => {
    const key = `coverage:limits:2:org:${one.organizationId}`
    await redis("set", key, "x")
    expect(await limit()).toBe(halved)
    expect(await cache()).toMatchObject({ status: "down", reason: "WRONGTYPE" })
    const other = await site.run(customer({ pack: "scale" }))
    const { headers } = await call(server.url + readPath, other.key)
    expect(headers.get("x-ratelimit-limit")).toBe(whole)
    await redis("del", key)
    await until(async () => (await limit()) === whole, 3_000)
    await until(async () => (await cache()).status === "up", 5_000)
  }, 30_000)

  it.each([
    ["CROSSSLOT Keys in request don't hash to the same slot", "CROSSSLOT"],
    ["MOVED 1234 127.0.0.1:7001", "MOVED"],
    ["MISCONF Redis is configured to save RDB snapshots", "MISCONF"]
  ])("%s is told by its word", (message, reason) => {
    const error = Object.assign(new Error(message), { name: "ReplyError" })
    expect(failureOf(error)).toEqual({ fault: "unreachable", reason })
  })
})
