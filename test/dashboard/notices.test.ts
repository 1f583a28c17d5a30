import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { Ledger } from "../../core/port/Ledger.ts"
import { Notices } from "../../core/port/Notices.ts"
import { Usage } from "../../core/port/Usage.ts"
import { create, rotate } from "../../core/admin/keys.ts"
import { noteSignIn } from "../../core/job/noticeJobs.ts"
import { chargeOf } from "../kit/accounts.ts"
import { openClinic } from "./visitor.ts"

const { actor, home, member, owner, site, stranger } = await openClinic()
afterAll(() => site.close())

const spent = (cost: number) =>
  site.run(
    Effect.gen(function* () {
      const atMs = Date.now()
      yield* (yield* Ledger).charge(chargeOf(actor.organizationId, { cost, atMs }))
      while ((yield* (yield* Usage).gather) > 0);
      yield* (yield* Notices).observe(atMs)
    })
  )
const noticeIn = (text: string): string => /name="notice" value="(\d+)"/.exec(text)?.[1] ?? ""

const noticesIn = (text: string): number => text.split('name="notice"').length - 1

describe("notices above the pages", () => {
  it("a page has none until there is something to hear of", async () => {
    expect((await owner.get(`${home}/usage`)).text).not.toContain('aria-label="Notices"')
  })

  it("everybody of the organization sees how things stand, on each page, with what to do", async () => {
    await spent(80)
    for (const visitor of [owner, member]) {
      const { text } = await visitor.get(`${home}/keys`)
      expect(text).toContain("Warning: Credits are running low")
      expect(text).toContain("20 credits are left.")
      expect(text).toContain(`<a class="button" href="${home}/credits">`)
    }
    await spent(13)
    const { text } = await owner.get(`${home}/usage`)
    expect(text).toContain("Urgent: Credits are used up")
    expect(text).not.toContain("Credits are running low")
  })

  it("who dismisses one no longer sees it, and others do; by a button with a name", async () => {
    const { text } = await owner.get(`${home}/usage`)
    expect(text).toContain('aria-label="Dismiss: Credits are used up"')
    expect(text).toContain(`name="back" value="${home}/usage"`)
    const notice = noticeIn(text)
    const away = await owner.post(`${home}/notices/dismiss`, { notice, back: "//evil.example/x" })
    expect([away.status, away.location]).toEqual([303, `${home}/usage`])
    const said = await owner.post(`${home}/notices/dismiss`, { notice, back: `${home}/keys?a=1` })
    expect([said.status, said.location]).toEqual([303, `${home}/keys?a=1`])
    expect((await owner.get(`${home}/usage`)).text).not.toContain('aria-label="Notices"')
    expect((await member.get(`${home}/usage`)).text).toContain("Urgent: Credits are used up")
  })

  it("nobody dismisses what is not theirs to see, or is no notice", async () => {
    const notice = noticeIn((await member.get(`${home}/usage`)).text)
    expect((await stranger.post(`${home}/notices/dismiss`, { notice })).status).toBe(404)
    for (const none of ["0", "", "x", "1e3", "99999999999999999999"])
      expect((await member.post(`${home}/notices/dismiss`, { notice: none })).status).toBe(404)
    expect((await member.get(`${home}/usage`)).text).toContain("Urgent: Credits are used up")
  })

  it("§9 a key that was rotated is told as rotated, and not as one that expires", async () => {
    const made = await site.run(create(actor, { name: "nightly", expiresAt: null }))
    if (made._tag !== "Issued") throw new Error(made._tag)
    const next = await site.run(rotate(actor, made.record.keyId))
    if (next._tag !== "Issued") throw new Error(next._tag)
    await site.run(Effect.flatMap(Notices, ({ observe }) => observe(Date.now())))
    const { text } = await owner.get(`${home}/usage`)
    expect(text).toContain("Note: A rotated API key ends within a day")
    expect(text).toContain(`was rotated: ${next.record.keyId} takes its place`)
    expect(text).not.toContain("An API key expires")
    expect((await owner.post(`${home}/notices/dismiss`, { notice: noticeIn(text) })).status).toBe(303)
  })

  it("a new sign-in is shown to the person alone, with the browser by our own name for it", async () => {
    const device = {
      address: "203.0.113.7",
      agent: "Firefox/123-45-6789 <script>alert(1)</script> (X11; Linux)"
    }
    await site.run(noteSignIn(actor.person, { address: "192.0.2.1", agent: null }))
    await site.run(noteSignIn(actor.person, device))
    const { text } = await owner.get(`${home}/usage`)
    expect(text).toContain("Note: A new sign-in to your account")
    expect(text).toContain("Browser: Firefox on Linux.")
    expect(text).not.toContain("123-45-6789")
    expect(text).not.toContain("alert(1)")
    expect((await member.get(`${home}/usage`)).text).not.toContain("A new sign-in")
  })

  it("two are open, and older ones are folded away", async () => {
    for (const address of ["203.0.113.8", "203.0.113.9"])
      await site.run(noteSignIn(actor.person, { address, agent: null }))
    const { text } = await owner.get(`${home}/usage`)
    const [open = "", folded = ""] = text.split("<summary>Older notices: 1</summary>")
    expect([noticesIn(open), noticesIn(folded)]).toEqual([2, 1])
  })
})
