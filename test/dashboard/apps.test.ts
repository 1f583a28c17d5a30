import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { Audit } from "../../core/port/Audit.ts"
import { dayMs } from "../../core/limit/quota.ts"
import { auditPageMax } from "../../core/admin/audit.ts"
import { openClinic, openOther } from "./visitor.ts"

const { actor, home, member, memberPerson, owner, site } = await openClinic()
afterAll(() => site.close())

for (const [grantId, person] of [
  ["ada-1", actor.person],
  ["bob-1", memberPerson],
  ["bob-2", memberPerson]
] as const)
  await site.run(
    Effect.flatMap(OAuthGrants, ({ open }) => {
      const connectedAtMs = Date.now() - dayMs
      const { organizationId } = actor
      const app = { clientId: `client-${grantId}`, clientName: `App <${grantId}>`, personId: person.personId }
      return open({ grantId, organizationId, ...app, connectedAtMs, endsAtMs: connectedAtMs + 30 * dayMs })
    })
  )

describe("the page of the connected apps", () => {
  it("says how to connect one, and names each app by what it calls itself, plainly", async () => {
    const { text } = await owner.get(`${home}/apps`)
    expect(text).toContain("http://dashboard.example/mcp")
    expect(text).toContain("App &lt;ada-1&gt;")
    expect(text).toContain("never used")
    expect(text).toContain('href="/docs/mcp"')
  })

  it("leads to the steps for each client where no app is connected", async () => {
    const { other, theirs } = await openOther(site, "Noa")
    const { text } = await other.get(`${theirs}/apps`)
    expect(text).toContain("No apps connected")
    expect(text).toContain('href="/docs/mcp">Connect an agent</a>')
  })

  it("everybody disconnects their own app, after being asked, and it is gone at once", async () => {
    expect((await member.get(`${home}/apps/bob-1/disconnect`)).text).toContain("loses access at once")
    expect((await member.post(`${home}/apps/bob-1/disconnect`)).location).toBe(`${home}/apps`)
    expect((await owner.get(`${home}/apps`)).text).not.toContain("bob-1")
    expect((await member.post(`${home}/apps/bob-1/disconnect`)).status).toBe(404)
  })

  it("a member does not disconnect another's app; an owner does", async () => {
    const { text } = await member.get(`${home}/apps`)
    expect(text).not.toContain("apps/ada-1/disconnect")
    expect((await member.get(`${home}/apps/ada-1/disconnect`)).status).toBe(403)
    expect((await member.post(`${home}/apps/ada-1/disconnect`)).status).toBe(403)
    expect((await owner.post(`${home}/apps/bob-2/disconnect`)).status).toBe(303)
    expect((await owner.get(`${home}/apps`)).text).toContain("ada-1")
  })

  it("another organization's app is unknown", async () => {
    const { other, theirs } = await openOther(site, "Mia")
    expect((await other.post(`${theirs}/apps/ada-1/disconnect`)).status).toBe(404)
    expect((await owner.get(`${home}/apps`)).text).toContain("ada-1")
  })
})

describe("the page of the audit log", () => {
  it("names who disconnected whose app", async () => {
    const { text } = await member.get(`${home}/audit`)
    expect(text).toMatch(/App disconnected: App &lt;bob-2&gt;[\s\S]*?of bob@clinic\.example[\s\S]*?by ada@/)
  })

  it("is read page by page, newest first, every entry once", async () => {
    const { organizationId } = actor
    const count = auditPageMax + 20
    await site.run(
      Effect.flatMap(Audit, ({ append }) =>
        Effect.forEach(Array.from({ length: count }), (_, nth) =>
          append({
            organizationId,
            at: "2026-11-21T10:00:00.000Z" as never,
            actor: { kind: "service" },
            action: "credits.granted",
            subject: `entry-${nth}-`,
            detail: null
          })
        )
      )
    )
    const first = (await owner.get(`${home}/audit`)).text
    const older = /href="([^"]*\?before=\d+)"/.exec(first)?.[1] ?? ""
    const second = (await owner.get(older)).text
    const seen = [...`${first}${second}`.matchAll(/entry-(\d+)-/g)].map(([, nth]) => Number(nth))
    expect(seen).toEqual(Array.from({ length: count }, (_, nth) => count - 1 - nth))
    expect(second).not.toContain("?before=")
    expect((await owner.get(`${home}/audit?before=x`)).status).toBe(404)
  })
})
