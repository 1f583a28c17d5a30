import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { invitationEmail } from "../../core/admin/emails.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { noticeEmail } from "../../core/notice/noticeEmail.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { breakLinks } from "../../core/text/breakLinks.ts"
import { runs } from "../kit/runs.ts"

const dots = "[.。．｡․]"

/** What mail programs make a link of: a host name, a scheme, `www.`, an address, a network path. */
const linked = [
  new RegExp(`[\\p{L}\\p{N}]${dots}\\p{L}{2}`, "u"),
  new RegExp(`www${dots}\\S`, "iu"),
  /\p{L}[:：]\S/u,
  /[@＠]\S/u,
  /\\\S/
]

const links = [
  "evil.com",
  "EVIL.COM",
  "https://evil.com/x",
  "http:\\\\evil.com",
  "HTTPS://1.2.3.4/",
  "www.x.co",
  "www.1x.co",
  "evil。com",
  "evil．com/x?y=z",
  "evil․com",
  "почта.рф",
  "mailto:a@evil.com",
  "a＠evil.com",
  "tel:5551234",
  "\\\\evil\\share",
  "Your account is closed, see evil.com/login",
  "a.b.c.d.example"
]

describe("names in emails", () => {
  it.each(links)("%s is no link", (name) => {
    for (const form of linked) expect(breakLinks(name)).not.toMatch(form)
  })

  it("names without a link stay as they are", () => {
    for (const name of [
      "Example Clinic",
      "St. Mary's Hospital, Inc.",
      "Dr. A. B. Smith",
      "Clinic No. 3.5 (24:7)",
      "A & B | C/D",
      "…",
      "Praxis Müller GmbH & Co. KG"
    ])
      expect(breakLinks(name)).toBe(name)
  })

  it("only spaces are added, whatever the name", () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), fc.domain(), fc.emailAddress()),
        (name) => {
          const text = breakLinks(name)
          expect(text.replaceAll(" ", "")).toBe(name.replaceAll(" ", ""))
          for (const form of linked) expect(text).not.toMatch(form)
        }
      ),
      { numRuns: runs(500) }
    ))
})

describe("contract §3 emails link to the service alone", () => {
  const baseUrl = "https://api.example.org"
  const withoutOwn = (text: string) =>
    text
      .split("\n")
      .filter((line) => !line.startsWith(`${baseUrl}/`))
      .join("\n")

  it.each(links)("an invitation to %s", (organizationName) => {
    const { subject, text } = invitationEmail(
      {
        invitationId: "inv_1",
        organizationId: "org_1" as OrganizationId,
        organizationName,
        email: "guest@example.org",
        role: "member",
        invitedBy: "ada@example.org",
        expiresAt: "2026-11-30T00:00:00.000Z" as IsoTime
      },
      baseUrl
    )
    const others = withoutOwn(text).replace("ada@example.org", "")
    for (const form of linked) expect(`${subject}\n${others}`.replaceAll(":\n", "\n")).not.toMatch(form)
  })

  it.each(links)("a notice of a key and an organization named %s", (name) => {
    const values = { name, key: "key_1", successor: name, expires: "2026-11-30 00:00 UTC" }
    const { subject, text } = noticeEmail(
      {
        kind: "key_rotated",
        period: "p",
        values,
        organizationId: "org_1" as OrganizationId,
        organizationName: name
      },
      "ada@example.org",
      { baseUrl, supportUrl: `${baseUrl}/docs/errors` }
    )
    for (const form of linked)
      expect(`${subject}\n${withoutOwn(text)}`.replaceAll(/:(?=\n| )/g, "")).not.toMatch(form)
  })
})
