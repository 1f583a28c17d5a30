import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customer } from "../http/harness.ts"
import { call, readPath, until } from "./calling.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

describe("contract §4 WORKERS: several processes as one", () => {
  let site: Site
  let server: RunningServer
  let out = ""
  beforeAll(async () => {
    site = await openSite()
    server = await site.start({ WORKERS: "2", ACCESS_LOG: "1" })
    server.child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()))
  })
  afterAll(() => site.close())

  const page = async () => (await fetch(`${server.url}/metrics`)).text()
  const samples = (text: string, name: string): ReadonlyMap<string, number> =>
    new Map(
      Array.from(
        text.matchAll(new RegExp(`^${name}\\{worker="(\\w+)"[^}]*\\} (\\S+)`, "gm")),
        ([, worker = "", value]) => [worker, Number(value)]
      )
    )

  it("one scrape sees all workers, and each metric's lines stand together", async () => {
    const { key } = await site.run(customer({ pack: "scale" }))
    for (let nth = 0; nth < 12; nth++)
      expect(
        (
          await fetch(server.url + readPath, {
            headers: { authorization: `Bearer ${key}`, connection: "close" }
          })
        ).status
      ).toBe(200)
    const text = await page()
    expect([...samples(text, "process_resident_memory_bytes").keys()].toSorted()).toEqual(["1", "2"])
    const counted = Array.from(
      text.matchAll(/^coverage_calls_total\{.*operation="listJurisdictions".* (\d+)$/gm),
      ([, n]) => Number(n)
    )
    expect(counted.reduce((sum, n) => sum + n, 0)).toBe(12)
    const families = Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name)
    expect(new Set(families).size).toBe(families.length)
  })

  it("a worker that dies is a line of the log and a count, and is started again", async () => {
    const before = samples(await page(), "process_start_time_seconds")
    const pid = Number(/"pid":(\d+)/.exec(await workerOf())?.[1])
    process.kill(pid, "SIGKILL")
    await until(() => server.said().includes("a worker ended"), 5_000)
    const line = JSON.parse(
      server
        .said()
        .split("\n")
        .find((one) => one.includes("a worker ended")) ?? "{}"
    ) as {
      readonly annotations: Readonly<Record<string, unknown>>
    }
    expect(line.annotations).toMatchObject({ pid, signal: "SIGKILL", restarts: 1 })
    await until(
      async () => samples(await page().catch(() => ""), "process_start_time_seconds").size === before.size,
      10_000
    )
    expect(await page()).toMatch(/^coverage_worker_restarts_total\{worker="supervisor"\} 1$/m)
  }, 30_000)

  it("ACCESS_LOG: a line for each answer, of which nothing was sent", async () => {
    const { key } = await site.run(customer({ pack: "scale" }))
    const told = await call(`${server.url}/api/v1/codes/lookup?code=E0601`, key)
    await fetch(`${server.url}/docs/errors?secret=1`)
    const id = told.headers.get("x-request-id") ?? "none"
    await until(() => out.includes(id) && out.includes('"surface":"docs"'), 5_000)
    const line = JSON.parse(out.split("\n").find((one) => one.includes(id)) ?? "{}") as Record<
      string,
      unknown
    >
    expect(line).toMatchObject({ method: "GET", operation: "lookupCode", surface: "live", status: 200 })
    expect(Object.keys(line).toSorted()).toEqual([
      "duration_ms",
      "method",
      "operation",
      "request_id",
      "status",
      "surface",
      "time"
    ])
    for (const secret of [key, "E0601", "secret", "127.0.0.1"]) expect(out).not.toContain(secret)
  })

  /** The process id of one worker: a child of the supervisor. */
  const workerOf = async (): Promise<string> => {
    const { readFile } = await import("node:fs/promises")
    const path = `/proc/${server.child.pid}/task/${server.child.pid}/children`
    const [first] = (await readFile(path, "utf8")).trim().split(" ")
    return `"pid":${first}`
  }
})
