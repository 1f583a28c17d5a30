import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { People, PeopleUnavailable } from "../../core/port/People.ts"
import { openSite } from "./useSite.ts"
import { browserOf } from "./browsing.ts"

/** People whose every verb ends so. */
const ending = (effect: Effect.Effect<never, PeopleUnavailable>): People["Service"] =>
  People.of({
    signUp: () => effect,
    verify: () => effect,
    signIn: () => effect,
    find: () => effect,
    signOut: () => effect,
    requestReset: () => effect,
    reset: () => effect
  })

describe("contract §1 what breaks behind a page is a page", () => {
  it("a store that is unavailable: 503, the request's id, and a way to try again", async () => {
    const people = ending(Effect.fail(new PeopleUnavailable({ fault: "unreachable" })))
    const pages = await openSite({ people })
    for (const got of [await browserOf(pages).get("/dashboard"), await browserOf(pages).post("/logout")]) {
      expect([got.status, got.headers.get("retry-after")]).toEqual([503, "5"])
      expect(got.text).toContain(`<code>${got.headers.get("x-request-id")}</code>`)
      expect(got.text).toContain("Try again")
    }
    await pages.close()
  })

  it("a defect: 500, and nothing of it is shown", async () => {
    const pages = await openSite({ people: ending(Effect.die(new Error("a secret of the store"))) })
    const got = await browserOf(pages).get("/dashboard?a=<b>")
    expect(got.status).toBe(500)
    expect(got.text).toContain(`<code>${got.headers.get("x-request-id")}</code>`)
    expect(got.text).not.toContain("a secret of the store")
    expect(got.text).not.toContain("<b>")
    expect(got.headers.get("content-security-policy")).toContain("default-src 'none'")
    await pages.close()
  })
})
