import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Consents } from "../../core/port/Consents.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { newMember } from "../kit/oauths.ts"
import {
  authorizePath,
  clientIdOf,
  consent,
  consentUid,
  cookieOf,
  pathOf,
  pkce,
  redirectUri,
  register,
  visit
} from "./client.ts"
import type { Jar } from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { baseUrl, serve } from "./serving.ts"

let serving: OAuthSite
beforeAll(async () => {
  serving = await serve()
})
afterAll(() => serving.close())

describe("a request for consent", () => {
  const begun = async () => {
    const clientId = await clientIdOf(register(serving))
    const jar: Jar = new Map()
    const uid = consentUid(await visit(serving, authorizePath({ clientId, ...pkce() }), jar))
    return { jar, uid, cookie: cookieOf(jar) }
  }
  const consents = <A>(use: (port: Consents["Service"]) => Effect.Effect<A, unknown>) =>
    serving.run(Effect.flatMap(Consents, use))

  it("is held by cookies that no script reads and no other site sends", async () => {
    const clientId = await clientIdOf(register(serving))
    const { headers } = await visit(serving, authorizePath({ clientId, ...pkce() }), new Map())
    const cookies = headers.getSetCookie().map((cookie) => cookie.toLowerCase())
    expect(cookies.length).toBeGreaterThan(0)
    const isSecure = baseUrl.startsWith("https://")
    for (const cookie of cookies) {
      expect(cookie).toContain("; samesite=lax")
      expect(cookie).toContain("; httponly")
      expect([cookie.includes("; secure"), cookie.startsWith("__secure-")]).toEqual([isSecure, isSecure])
    }
  })

  it("is known to the browser that began it alone", async () => {
    const [one, other] = [await begun(), await begun()]
    const { cookie, uid } = one
    expect(await consents(({ find }) => find({ uid, cookie }))).toBeDefined()
    for (const stolen of [null, "", other.cookie, "oauth_consent=x"])
      expect(await consents(({ find }) => find({ uid, cookie: stolen }))).toBeUndefined()
    expect(await consents(({ deny }) => deny({ uid, cookie: other.cookie }))).toBeUndefined()
  })

  it("that is refused is answered once, with access_denied at the client's address", async () => {
    const { cookie, jar, uid } = await begun()
    const path = await consents(({ deny }) => deny({ uid, cookie }))
    expect(await consents(({ deny }) => deny({ uid, cookie }))).toBeUndefined()
    const back = new URL((await visit(serving, path ?? "", jar)).headers.get("location") ?? "")
    expect(back.href.startsWith(redirectUri)).toBe(true)
    expect(back.searchParams.get("error")).toBe("access_denied")
    expect(back.searchParams.get("state")).toBe("a state")
    expect(back.searchParams.get("iss")).toBe(baseUrl)
    expect(back.searchParams.get("code")).toBeNull()
  })

  it("is taken up again in the browser that began it alone, and once", async () => {
    const { jar, uid } = await begun()
    const thief: Jar = new Map()
    const { answer } = await consent(serving, new Map(jar), uid)
    expect(answer.status).toBe(303)
    const again = await visit(serving, `/oauth/authorize/${uid}`, new Map(jar))
    expect([again.status, again.headers.get("location")]).toEqual([400, null])
    const stolen = await visit(serving, `/oauth/authorize/${uid}`, thief)
    expect([stolen.status, stolen.headers.get("location")]).toEqual([400, null])
  })

  it("gives no code for an organization that was suspended meanwhile", async () => {
    const { jar, uid } = await begun()
    const account = await serving.run(newMember)
    const { organizationId } = account
    const suspending = { organizationId, change: { _tag: "Suspend", reason: null } } as const
    await serving.run(Effect.flatMap(Organizations, ({ change }) => change(suspending)))
    const answer = await consent(serving, jar, uid, account).then(
      ({ back }) => back.href,
      (error: unknown) => String(error)
    )
    expect(answer).not.toContain("code=")
  })

  it("is asked every time: no browser is remembered", async () => {
    const clientId = await clientIdOf(register(serving))
    const jar: Jar = new Map()
    const path = authorizePath({ clientId, ...pkce() })
    const { answer } = await consent(serving, jar, consentUid(await visit(serving, path, jar)))
    expect(answer.headers.getSetCookie().some((line) => line.includes("session"))).toBe(false)
    expect(pathOf((await visit(serving, path, jar)).headers.get("location"))).toContain("/oauth/consent/")
    const silent = authorizePath({ clientId, ...pkce(), parameters: { prompt: "none" } })
    const back = new URL((await visit(serving, silent, jar)).headers.get("location") ?? "")
    expect(back.searchParams.get("error")).toBe("login_required")
  })
})
