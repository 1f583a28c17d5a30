import { afterAll, describe, expect, it } from "vitest"
import { openClinic, openOther } from "./visitor.ts"

const { home, member, owner, site, stranger } = await openClinic()
afterAll(() => site.close())

const keyIn = (text: string): string => /svc_live_[0-9a-z_]+/.exec(text)?.[0] ?? ""
const keyIdIn = (text: string): string => /key_[0-9a-z]{26}/.exec(text)?.[0] ?? ""

const called = async (key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${site.url}/api/v1/jurisdictions`, { headers })
  const body = (await response.json()) as { readonly error?: { readonly code: string } }
  return body.error?.code ?? String(response.status)
}

const created = async (name: string): Promise<string> =>
  keyIn((await owner.post(`${home}/keys`, { name, lifetime: "" })).text)

const idOf = async (name: string): Promise<string> => {
  const { text } = await owner.get(`${home}/keys`)
  return keyIdIn(text.slice(text.indexOf(`${name} <span`)))
}

describe("the page of the keys", () => {
  it("§2.5, §5.5 an owner names a key, sees it once, and it works at once", async () => {
    const shown = await owner.post(`${home}/keys`, { name: "Night  import", lifetime: "30" })
    const key = keyIn(shown.text)
    expect(shown.status).toBe(200)
    expect(shown.headers.get("cache-control")).toBe("no-store")
    expect(await called(key)).toBe("200")
    const { text } = await owner.get(`${home}/keys`)
    expect(text).toContain("Night import")
    expect(text).not.toContain(key)
  })

  it("§5.7 a key of the page reads and does nothing else", async () => {
    const key = await created("Reader")
    const response = await fetch(`${site.url}/api/v1/compliance/ack`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ diff_id: 1 })
    })
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining("AUTHZ_SCOPE_REQUIRED")
    ])
  })

  it("a key without a name is not made: the form says so and keeps what was chosen", async () => {
    const before = (await owner.get(`${home}/keys`)).text.match(/key_[0-9a-z]{26}<\/code>/g)?.length
    const shown = await owner.post(`${home}/keys`, { name: "  ", lifetime: "90" })
    expect(shown.status).toBe(422)
    expect(shown.text).toContain("Enter the name of the program that uses the key.")
    expect(shown.text).toContain(`<option value="90" selected>`)
    const after = (await owner.get(`${home}/keys`)).text.match(/key_[0-9a-z]{26}<\/code>/g)?.length
    expect(after).toBe(before)
  })

  it("phi.md a name with a patient identifier is rejected beside its field and not shown again", async () => {
    const before = (await owner.get(`${home}/keys`)).text.match(/key_[0-9a-z]{26}<\/code>/g)?.length
    const shown = await owner.post(`${home}/keys`, { name: "Reader of 123-45-6789", lifetime: "90" })
    expect(shown.status).toBe(422)
    expect(shown.text).toContain(`id="name-fault"`)
    expect(shown.text).toContain("a patient identifier (Social Security number). Leave it out.")
    expect(shown.text).not.toContain("123-45-6789")
    expect(shown.text).toContain(`<option value="90" selected>`)
    const after = (await owner.get(`${home}/keys`)).text.match(/key_[0-9a-z]{26}<\/code>/g)?.length
    expect(after).toBe(before)
  })

  it("a key that shall last as no choice says is not made, rather than for ever", async () => {
    for (const lifetime of ["-1", "0", "366", "abc", "1e9"]) {
      const shown = await owner.post(`${home}/keys`, { name: "Odd", lifetime })
      expect([shown.status, lifetime]).toEqual([422, lifetime])
      expect(shown.text).toContain("Choose when it expires.")
    }
  })

  it("§3.2 revoking asks first, then the key is refused and stays listed as ended", async () => {
    const key = await created("To revoke")
    const keyId = await idOf("To revoke")
    const asked = await owner.get(`${home}/keys/${keyId}/revoke`)
    expect(asked.text).toContain("Revoke To revoke?")
    expect(await called(key)).toBe("200")
    const done = await owner.post(`${home}/keys/${keyId}/revoke`)
    expect([done.status, done.location]).toEqual([303, `${home}/keys`])
    expect(await called(key)).toBe("AUTH_KEY_REVOKED")
    const { text } = await owner.get(`${home}/keys`)
    expect(text.slice(text.indexOf("Revoked and expired keys"))).toContain(keyId)
    expect(text).not.toContain(`${keyId}/revoke`)
  })

  it("§9 rotation shows a new key; the old one works beside it for a day and no longer", async () => {
    const old = await created("To rotate")
    const keyId = await idOf("To rotate")
    expect((await owner.get(`${home}/keys/${keyId}/rotate`)).text).toContain("24 hours")
    const shown = await owner.post(`${home}/keys/${keyId}/rotate`)
    const fresh = keyIn(shown.text)
    expect(fresh).not.toBe(old)
    expect([await called(old), await called(fresh)]).toEqual(["200", "200"])
    const { text } = await owner.get(`${home}/keys`)
    expect(text).not.toContain(`${keyId}/rotate`)
    const again = await owner.post(`${home}/keys/${keyId}/rotate`)
    expect(again.location).toBe(`${home}/keys`)
    expect(keyIn(again.text)).toBe("")
  })

  it("§5.5 a member sees the keys, and neither makes nor revokes nor rotates one", async () => {
    const key = await created("Not theirs")
    const keyId = await idOf("Not theirs")
    const { text } = await member.get(`${home}/keys`)
    expect(text).toContain("Only owners and admins can create keys.")
    expect(text).toContain("Not theirs")
    expect(text).not.toMatch(/Create key|\/revoke|\/rotate/)
    const attempts = [
      await member.post(`${home}/keys`, { name: "Mine", lifetime: "" }),
      await member.post(`${home}/keys/${keyId}/revoke`),
      await member.post(`${home}/keys/${keyId}/rotate`),
      await member.get(`${home}/keys/${keyId}/revoke`)
    ]
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await called(key)).toBe("200")
  })

  it("another organization's pages and keys are unknown to a stranger", async () => {
    const keyId = await idOf("Reader")
    expect((await stranger.get(`${home}/keys`)).status).toBe(404)
    expect((await stranger.post(`${home}/keys/${keyId}/revoke`)).status).toBe(404)
  })

  it("an owner elsewhere does not reach the key by the address of their own organization", async () => {
    const keyId = await idOf("Reader")
    const { other, theirs } = await openOther(site, "Mia")
    expect((await other.get(`${theirs}/keys/${keyId}/revoke`)).status).toBe(404)
    expect((await other.post(`${theirs}/keys/${keyId}/revoke`)).status).toBe(404)
    expect((await other.post(`${theirs}/keys/${keyId}/rotate`)).status).toBe(404)
  })

  it("what was done stands in the audit log with who did it, never the key", async () => {
    const key = await created("Audited <b>")
    const { text } = await owner.get(`${home}/audit`)
    expect(text).toContain("Key created")
    expect(text).toContain("ada@clinic.example")
    expect(text).toContain("Audited &lt;b&gt;")
    expect(text).toMatch(/Key revoked[\s\S]*Key created/)
    expect(text).toContain("Key rotated")
    expect(text).not.toContain(key)
  })
})
