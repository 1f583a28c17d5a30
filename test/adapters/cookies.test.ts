import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { headerOf, tokenIn } from "../../adapters/identity/cookies.ts"

const cookie = { name: "session", secrets: ["new secret", "old secret"] } as const
const signedBy = (secret: string, token = "token.of.a.session") =>
  `session=${encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`)}`

describe("the cookie of a session", () => {
  it("is believed where one of our secrets signed it", () => {
    expect(tokenIn(signedBy("new secret"), cookie)).toBe("token.of.a.session")
    expect(tokenIn(`other=1; ${signedBy("old secret")}; more=2`, cookie)).toBe("token.of.a.session")
    expect(tokenIn(headerOf("token", cookie), { ...cookie, secrets: ["new secret"] })).toBe("token")
  })

  it.each([
    ["another secret's", signedBy("a stranger's")],
    ["a token alone", "session=token.of.a.session"],
    ["another's signature", signedBy("new secret").replace("token", "taken")],
    ["a signature cut short", signedBy("new secret").slice(0, -8)],
    ["no token", signedBy("new secret", "")],
    ["what cannot be decoded", "session=%E0%A4%A"],
    ["another cookie", signedBy("new secret").replace("session=", "other_session=")],
    ["none", ""]
  ])("is not believed with %s", (_, header) => expect(tokenIn(header, cookie)).toBeUndefined())
})
