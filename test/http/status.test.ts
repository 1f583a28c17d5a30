import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { statusPage } from "../../adapters/http/docs/statusPage.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { components } from "../../core/status/condition.ts"
import { begin } from "../../core/status/Status.ts"
import { Probes } from "../../core/port/Probes.ts"
import type { ProbeResults } from "../../core/port/Probes.ts"
import { serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { inMemory } from "./stores.ts"

const up = { status: "up", latencyMs: 2 } as const
const down = { status: "down", latencyMs: null } as const
const well: ProbeResults = { database: up, cache: up, webhookWaitSeconds: 0 }

/** What the probes say is the tests' to choose; all else is the service. */
let probed: ProbeResults = well
const ports = Layer.mergeAll(
  inMemory,
  MemoryLimits.layer,
  Layer.succeed(Probes, { read: Effect.sync(() => probed) })
)

interface StatusBody {
  readonly status: string
  readonly says: string
  readonly read_at: string
  readonly process_started_at: string
  readonly components: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly outages: ReadonlyArray<Readonly<Record<string, unknown>>>
}

describe("/status, a page of its own and the same as JSON", () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports)
  })
  afterAll(() => serving.close())

  const page = async (query = "") => {
    const response = await fetch(`${serving.url}/status${query}`)
    return { response, text: await response.text() }
  }
  const json = async () => {
    const response = await fetch(`${serving.url}/status.json`)
    return { response, body: (await response.json()) as StatusBody }
  }
  /** What a reader of the page sees of it. */
  const shown = (text: string): string =>
    text
      .replaceAll(/<style>[\s\S]*?<\/style>/g, "")
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll(/\s+/g, " ")
  const standing = (text: string, name: string): string =>
    shown(new RegExp(`<dt>${name}</dt>([\\s\\S]*?)</dd>`).exec(text)?.[1] ?? "").trim()
  const outages = (text: string): ReadonlyArray<string> =>
    [...text.matchAll(/<li>([\s\S]*?)<\/li>/g)].map((match) => shown(match[1] ?? ""))

  it("all up: it works, since the process started, and nothing has been out", async () => {
    probed = well
    const { response, text } = await page()
    expect(response.status).toBe(200)
    expect(text).toContain("The service works.")
    expect(standing(text, "API")).toMatch(
      /^✓ Working since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC or before\. Calls are/
    )
    expect(standing(text, "Database")).toContain("The last probe took 2 ms.")
    expect(standing(text, "Webhook delivery")).toContain("The oldest has waited 0 s.")
    expect(text).toContain("None since this process started.")
    const { body } = await json()
    expect(body).toMatchObject({ status: "healthy", outages: [] })
  })

  it("is never kept, and runs no script; programs of any site may ask", async () => {
    const { response, text } = await page()
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(response.headers.get("content-security-policy")).not.toMatch(/script-src|unsafe/)
    expect(text).not.toMatch(/<script|http-equiv|style="/)
    expect(text).toContain('<a href="/status" aria-current="page">')
    const { response: asked } = await json()
    expect(asked.headers.get("access-control-allow-origin")).toBe("*")
    expect(asked.headers.get("cache-control")).toBe("no-store")
    expect(asked.headers.get("content-type")).toBe("application/json")
    expect((await fetch(`${serving.url}/status`, { method: "POST" })).status).toBe(404)
  })

  it("the limits' store away: degraded as health says; an outage that lasts, then one that was", async () => {
    probed = { ...well, cache: { status: "down", latencyMs: 7 } }
    const during = await page()
    expect(during.response.status).toBe(200)
    expect(during.text).toContain("The service works, with reduced limits.")
    expect(standing(during.text, "Limits")).toMatch(
      /^! Degraded since .* UTC\. Their shared store is unavailable/
    )
    expect(outages(during.text)).toEqual([
      expect.stringMatching(/^Limits degraded from .* UTC, it lasts \(\d s\)\./)
    ])
    const health = await fetch(`${serving.url}/api/v1/health`)
    expect(((await health.json()) as { data: { status: string } }).data.status).toBe("degraded")
    const { body: lasting } = await json()
    expect(lasting.status).toBe("degraded")
    expect(lasting.outages).toMatchObject([{ component: "limits", condition: "degraded", to: null }])
    probed = well
    const after = await page()
    expect(after.text).toContain("The service works.")
    expect(outages(after.text)).toEqual([
      expect.stringMatching(
        /^Limits degraded from .* UTC, to .* UTC \(\d s\)\. Calls were answered, with half/
      )
    ])
    const { body: over } = await json()
    expect([over.status, typeof over.outages[0]?.["to"]]).toEqual(["healthy", "string"])
  })

  it("the database away: 200 here and 503 from health; webhooks nobody can know", async () => {
    probed = { ...well, database: down, webhookWaitSeconds: 3_600 }
    const { response, text } = await page()
    expect(response.status).toBe(200)
    expect(text).toContain("The API is down: calls are refused with 503.")
    expect(standing(text, "API")).toMatch(/^✕ Down since .* UTC\. Calls are refused with SERVER_UNAVAILABLE/)
    expect(standing(text, "Webhook delivery")).toMatch(/^\? Not known since /)
    expect((await fetch(`${serving.url}/api/v1/health`)).status).toBe(503)
    const { response: asked, body } = await json()
    expect([asked.status, body.status]).toEqual([200, "down"])
    expect(body.outages[0]).toMatchObject({ component: "database", condition: "down", to: null })
    probed = well
    expect((await page()).text).toContain("The service works.")
  })

  it("late webhooks are told, and the API beside them works", async () => {
    probed = { ...well, webhookWaitSeconds: 61.4 }
    const { text } = await page()
    expect(text).toContain("The API works. Webhooks are delivered late.")
    expect(standing(text, "Webhook delivery")).toContain("The oldest has waited 61 s.")
    expect((await json()).body).toMatchObject({ status: "healthy" })
    probed = well
  })

  it("the JSON has the members that docs/objectives.md lists, and times in UTC", async () => {
    const { body } = await json()
    expect(Object.keys(body)).toEqual([
      "status",
      "says",
      "read_at",
      "process_started_at",
      "components",
      "outages"
    ])
    expect(body.components.map(({ name }) => name)).toEqual(components)
    expect(body.components.map((one) => Object.keys(one).slice(4))).toEqual([
      [],
      ["latency_ms"],
      ["latency_ms"],
      ["wait_seconds"]
    ])
    const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
    for (const time of [body.read_at, body.process_started_at, body.components[0]?.["since"]])
      expect(time).toMatch(utc)
    const guide = await (await fetch(`${serving.url}/docs/objectives`)).text()
    const listed = [...guide.matchAll(/<tr><td><code>([^<]+)<\/code><\/td>/g)].map((match) => match[1])
    const members = (name: string, value: unknown): ReadonlyArray<string> => [
      name,
      ...(Array.isArray(value)
        ? value.flatMap((one: object) => Object.keys(one).map((member) => `${name}[].${member}`))
        : [])
    ]
    const sent = Object.entries(body).flatMap(([name, value]) => members(name, value))
    expect(body.outages.length).toBeGreaterThan(0)
    expect(listed.toSorted()).toEqual([...new Set(sent)].toSorted())
  })

  it("repeats nothing of what it was asked, and takes no text for HTML", async () => {
    const { text } = await page("?<script>alert(1)</script>&component=%3Cimg%3E")
    expect(text).not.toMatch(/alert|<img|%3Cimg/)
    const hostile = '"><img src=x onerror=alert(1)>'
    const status = begin({ atMs: 0, database: up, cache: up, webhookWaitSeconds: 0 })
    const planted = { ...status.standings.api, condition: hostile as "up" }
    const { body } = statusPage({ ...status, standings: { ...status.standings, api: planted } })
    expect(body).not.toContain("<img")
    expect(body).toContain("&quot;&gt;&lt;img src=x")
  })
})
