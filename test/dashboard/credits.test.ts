import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import type { Actor } from "../../core/person/Person.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { supportUrl } from "../http/harness.ts"
import { openClinic } from "./visitor.ts"

const { actor, admin, home, member, owner, poor, site } = await openClinic("scale")
afterAll(() => site.close())

const account = () =>
  site.run(
    Effect.flatMap(Ledger, (ledger) =>
      ledger.account({ organizationId: actor.organizationId, nowMs: Date.now() })
    )
  )

describe("the page of the credits", () => {
  it("§1, §8.3 shows what is left by source, the packs with their prices, and whom to ask", async () => {
    const { text } = await owner.get(`${home}/credits`)
    expect(text).toMatch(/Total<\/dt><dd class="value">1,000,100</)
    expect(text).toMatch(/Monthly allowance<\/dt><dd class="value">1,000,000</)
    expect(text).toMatch(/Purchased and starter<\/dt><dd class="value">100</)
    expect(text).toContain("$20 for 1,000 credits")
    expect(text).toContain("$1,000 per month")
    expect(text).toContain("$0.002 each")
    expect(text).toContain(`href="${supportUrl}"`)
  })

  it("an owner caps overage, to the credit, and lifts the cap again; an admin cannot", async () => {
    expect((await owner.post(`${home}/credits/cap`, { cap: "5,000" })).location).toBe(`${home}/credits`)
    expect((await account())?.overageCap).toBe(5_000)
    expect((await owner.get(`${home}/credits`)).text).toContain("at most $10 per month")
    for (const cap of ["1000000", ""])
      expect((await admin.post(`${home}/credits/cap`, { cap })).status).toBe(403)
    expect((await admin.get(`${home}/credits`)).text).not.toContain("Set the cap</button>")
    expect((await account())?.overageCap).toBe(5_000)
    await owner.post(`${home}/credits/cap`, { cap: "0" })
    expect((await account())?.overageCap).toBe(0)
    await owner.post(`${home}/credits/cap`, { cap: "" })
    expect((await account())?.overageCap).toBe(null)
  })

  it("a cap that is no whole number of credits is not set, and the form says what to write", async () => {
    for (const cap of ["-1", "1.5", "many", "1000000001", "99999999999"]) {
      const { status, text } = await owner.post(`${home}/credits/cap`, { cap })
      expect([cap, status]).toEqual([cap, 422])
      expect(text).toContain("Enter a whole number up to 1,000,000,000")
    }
    expect((await account())?.overageCap).toBe(null)
  })

  it("a pack that stops at zero has no overage to cap", async () => {
    expect((await owner.get(`${poor}/credits`)).text).not.toContain("Set the cap")
    await owner.post(`${poor}/credits/cap`, { cap: "10" })
    expect((await owner.get(`${poor}/audit`)).text).not.toContain("Overage cap")
  })

  it("a lower pack waits for the renewal and can be called off; only the owner chooses", async () => {
    expect((await admin.post(`${home}/credits/pack`, { pack: "build" })).status).toBe(403)
    await owner.post(`${home}/credits/pack`, { pack: "build" })
    expect([(await account())?.pack, (await account())?.nextPack]).toEqual(["scale", "build"])
    await owner.post(`${home}/credits/pack`, { pack: "scale" })
    expect((await account())?.nextPack).toBe(null)
  })

  it("a higher pack is not given for nothing", async () => {
    const organizationId = poor.split("/")[2] as Actor["organizationId"]
    await owner.post(`${poor}/credits/pack`, { pack: "scale" })
    const found = await site.run(Effect.flatMap(Organizations, ({ find }) => find(organizationId)))
    expect([found?.pack, found?.nextPack]).toEqual(["credits", null])
  })

  it("a member sees the credits and changes nothing", async () => {
    const { text } = await member.get(`${home}/credits`)
    expect(text).toContain("Only owners can set the overage cap.")
    expect(text).not.toContain("Set the cap</button>")
    expect((await member.post(`${home}/credits/cap`, { cap: "1" })).status).toBe(403)
    expect((await account())?.overageCap).toBe(null)
  })

  it("what was changed stands in the audit log", async () => {
    const { text } = await owner.get(`${home}/audit`)
    expect(text).toContain("Overage cap changed: 5000 credits a month")
    expect(text).toContain("Overage cap changed: no cap")
    expect(text).toContain("Plan changed: build")
    expect((await member.get(`${home}/audit`)).text).toContain("ada@clinic.example")
  })
})
