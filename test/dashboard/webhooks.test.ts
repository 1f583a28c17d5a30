import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { anEvent } from "../kit/webhookFixtures.ts"
import { openClinic, openOther } from "./visitor.ts"

const { actor, home, member, owner, poor, site } = await openClinic("scale")
afterAll(() => site.close())

const endpoints = () => site.run(Effect.flatMap(Endpoints, ({ list }) => list(actor.organizationId)))

const secretIn = (text: string): string => /whsec_[A-Za-z0-9+/=]+/.exec(text)?.[0] ?? ""

/** An endpoint that was added on the page; the sandbox's receivers decide by its host. */
const added = async (host: string) => {
  const { text } = await owner.post(`${home}/webhooks`, { url: `https://${host}/in`, events: "*" })
  const endpointId = /webhooks\/(\d+)"/.exec(text)?.[1] ?? "none"
  return { path: `${home}/webhooks/${endpointId}`, secret: secretIn(text), endpointId: Number(endpointId) }
}

const publish = () => {
  const { organizationId } = actor
  return site.run(
    Effect.flatMap(Deliveries, (deliveries) =>
      deliveries.publish({ organizationId, event: anEvent(Date.now()) })
    )
  )
}

/** Asks until the page says so: deliveries are made beside it. */
const until = async (path: string, says: string): Promise<string> => {
  const endMs = Date.now() + 5_000
  for (;;) {
    const { text } = await owner.get(path)
    if (text.includes(says) || Date.now() > endMs) return text
  }
}

describe("the pages of the webhooks", () => {
  it("without Scale they say what webhooks are and how to get them, and nothing is added", async () => {
    const { text } = await owner.get(`${poor}/webhooks`)
    expect(text).toContain("Webhooks come with the Scale plan")
    expect(text).toContain(`href="${poor}/credits#packs"`)
    expect(text).not.toContain("Add endpoint")
    const sent = await owner.post(`${poor}/webhooks`, { url: "https://ok.example.com/", events: "*" })
    expect(sent.location).toBe(`${poor}/webhooks`)
    expect((await owner.get(`${poor}/webhooks`)).text).not.toContain("ok.example.com")
  })

  it("§4.5 an endpoint is added; its secret is shown once and nowhere again", async () => {
    const { path, secret } = await added("ok.example.com")
    expect(secret).toMatch(/^whsec_/)
    const pages = [
      await owner.get(path),
      await owner.get(`${home}/webhooks`),
      await owner.get(`${home}/audit`)
    ]
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(pages.some(({ text }) => text.includes(secret))).toBe(false)
  })

  it("an address that no endpoint may have is refused as the API refuses it, beside its field", async () => {
    const before = (await endpoints()).length
    for (const url of ["", "http://ok.example.com/", "https://user@ok.example.com/", "https://10.0.0.1/"]) {
      const { status, text } = await owner.post(`${home}/webhooks`, { url, events: "*" })
      expect([url, status]).toEqual([url, 422])
      expect(text).toContain(`id="url-fault"`)
    }
    expect((await endpoints()).length).toBe(before)
  })

  it("phi.md a URL with a patient identifier is rejected beside its field and not shown again", async () => {
    const before = (await endpoints()).length
    const { path } = await added("ok.example.com")
    for (const place of [`${home}/webhooks`, path])
      for (const part of ["jane@example.com", "jane%40example.com", "jane%2540example.com", "123_45_6789"]) {
        const url = `https://ok.example.com/${part}`
        const { status, text } = await owner.post(place, { url, events: "*" })
        expect([place, part, status]).toEqual([place, part, 422])
        expect(text).toContain(`id="url-fault"`)
        expect(text).toContain("a patient identifier (")
        expect(text).not.toContain(part)
      }
    expect((await endpoints()).length).toBe(before + 1)
  })

  it("§4.4 a test is sent and its answer, signature check and log row are shown", async () => {
    const { path } = await added("ok.example.com")
    const { text } = await owner.post(`${path}/test`)
    expect(text).toContain("Test result")
    expect(text).toContain("test.ping")
    const codes = []
    for (let nth = 0; nth < 6; nth++) codes.push((await owner.post(`${path}/test`)).status)
    expect(codes).toEqual([200, 200, 200, 200, 200, 303])
  })

  it("§3.1 it is paused, its events are held, and set active they go out by a replay", async () => {
    const { path } = await added("ok.example.com")
    await owner.post(`${path}/status`, { status: "paused" })
    await publish()
    expect((await owner.get(`${path}?status=held`)).text).toContain("compliance.acknowledged <span")
    await owner.post(`${path}/status`, { status: "active" })
    const today = new Date().toISOString().slice(0, 10)
    expect((await owner.post(`${path}/replay`, { since: today, until: today })).location).toBe(path)
    expect(await until(`${path}?status=delivered`, "compliance.acknowledged <span")).toContain(
      "HTTP status 200"
    )
    const none = { since: "2020-01-01", until: "2020-01-02" }
    await owner.post(`${path}/replay`, none)
    for (const wrong of [
      { since: "", until: today },
      { since: today, until: "2020-01-01" }
    ])
      expect((await owner.post(`${path}/replay`, wrong)).status).toBe(422)
  })

  it("one delivery is replayed by its button, a test has none, and the log is paged", async () => {
    const { endpointId, path } = await added("ok.example.com")
    const places = { organizationId: actor.organizationId, endpointId }
    for (let nth = 0; nth < 30; nth++) await publish()
    await owner.post(`${path}/test`)
    const { text } = await owner.get(path)
    expect(text.match(/Replay delivery \d+/g)).toHaveLength(24)
    const older = /href="([^"]+before=\d+#log)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const next = (await owner.get(older)).text
    expect(next.match(/Replay delivery \d+/g)).toHaveLength(6)
    const nth = /deliveries\/(\d+)\/replay/.exec(next)?.[1] ?? ""
    await until(`${path}?status=delivered`, "compliance")
    expect((await owner.post(`${path}/deliveries/${nth}/replay`)).location).toBe(path)
    const { deliveries } = await site.run(
      Effect.flatMap(Deliveries, (log) =>
        log.list({ ...places, status: null, before: Number(nth) + 1, limit: 1 })
      )
    )
    expect(deliveries[0]?.deliveryId).toBe(Number(nth))
    expect((await owner.post(`${path}/deliveries/999999/replay`)).status).toBe(404)
  })

  it("address and events are changed, and the secret is rotated with a day of overlap", async () => {
    const { path, secret } = await added("ok.example.com")
    await owner.post(path, { url: "https://gone.example.com/in", events: "compliance.acknowledged" })
    const changed = (await endpoints()).at(-1)
    expect([changed?.url, changed?.events]).toEqual([
      "https://gone.example.com/in",
      ["compliance.acknowledged"]
    ])
    expect((await owner.get(`${path}/rotate`)).text).toContain("24 hours")
    const { text } = await owner.post(`${path}/rotate`)
    expect(secretIn(text)).toMatch(/^whsec_/)
    expect(secretIn(text)).not.toBe(secret)
  })

  it("deleting asks first; then it is gone", async () => {
    const { path } = await added("ok.example.com")
    const before = (await endpoints()).length
    expect((await owner.get(`${path}/delete`)).text).toContain("Delete this endpoint?")
    expect((await owner.post(`${path}/delete`)).location).toBe(`${home}/webhooks`)
    expect((await endpoints()).length).toBe(before - 1)
    expect((await owner.get(path)).status).toBe(404)
  })

  it("a member sees endpoints and log, and changes nothing", async () => {
    const { path } = await added("ok.example.com")
    const { status, text } = await member.get(path)
    expect(status).toBe(200)
    expect(text).toContain("Only owners and admins can add and change webhooks.")
    expect(text).not.toMatch(/<form[^>]*action="[^"]*webhooks/)
    const verbs = ["", "/status", "/test", "/rotate", "/delete", "/replay", "/deliveries/1/replay"]
    const codes = []
    for (const verb of verbs) codes.push((await member.post(`${path}${verb}`, { status: "paused" })).status)
    expect(new Set(codes)).toEqual(new Set([403]))
    expect((await endpoints()).at(-1)?.status).toBe("active")
  })

  it("another organization's endpoint is unknown by the address of one's own", async () => {
    const { endpointId } = await added("ok.example.com")
    const { other, theirs } = await openOther(site, "Mia", "scale")
    expect((await other.get(`${theirs}/webhooks/${endpointId}`)).status).toBe(404)
    for (const verb of ["/status", "/test", "/rotate", "/delete"]) {
      const sent = await other.post(`${theirs}/webhooks/${endpointId}${verb}`, { status: "paused" })
      expect([verb, sent.status]).toEqual([verb, 404])
    }
    expect((await endpoints()).at(-1)?.status).toBe("active")
  })

  it("every change stands in the log with its person and host, never with the whole address", async () => {
    const { text } = await owner.get(`${home}/audit`)
    expect(text).toMatch(/Webhook added: endpoint \d+[\s\S]*?to ok\.example\.com/)
    for (const said of [
      "Webhook changed",
      "Webhook deleted",
      "Webhook secret rotated",
      "Deliveries replayed"
    ])
      expect(text).toContain(said)
    expect(text).not.toContain("ok.example.com/in")
  })
})
