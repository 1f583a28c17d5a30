import assert from "node:assert/strict"
import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, it } from "vitest"
import { parseEmail, parseName, parseNext } from "../../core/person/form.ts"
import { attemptLimits, attempts } from "../../core/person/attempts.ts"

describe("What people type", () => {
  it("an address is taken in lower case and without the spaces around it", () => {
    assert.equal(parseEmail("  Ada.Lovelace+x@Example.CO.uk "), "ada.lovelace+x@example.co.uk")
  })
  it("no address holds what separates addresses or ends a line", () => {
    for (const text of hostile) assert.equal(parseEmail(text), undefined, text)
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(...' ,;:<>()[]\\"\r\n\t\0'),
        fc.string(),
        (before, sign, after) => {
          const taken = parseEmail(`ada@${before}${sign}${after}.com`)
          return taken === undefined || !/[\s,;:<>()[\]\\"\0]/.test(taken)
        }
      )
    )
  })
  it("an address of more than 254 characters is none", () => {
    assert.notEqual(parseEmail(`${"a".repeat(242)}@example.com`), undefined)
    assert.equal(parseEmail(`${"a".repeat(243)}@example.com`), undefined)
  })
  it("a name is one line, trimmed, and not empty", () => {
    assert.deepEqual(parseName(" Ada\r\nBcc: x\u2028y ", 100), Result.succeed("Ada Bcc: x y"))
    assert.deepEqual(parseName("\t \n", 100), Result.fail("required"))
    assert.deepEqual(parseName("x".repeat(101), 100), Result.fail("too_long"))
    for (const text of ["\u200b", "\u2800 \u3164", "…", "Yours: http://evil.example/", "www.evil.example"])
      assert.deepEqual(parseName(text, 100), Result.fail("required"), text)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code)) }),
        (text) => {
          const name = parseName(text, 100)
          return Result.isFailure(name) || (!/\p{Cc}/u.test(name.success) && name.success.trim() !== "")
        }
      )
    )
  })
  it("whoever follows a link's next stays with us, whatever was written there", () => {
    assert.equal(parseNext("/invitations/a?b=c&d=%2F"), "/invitations/a?b=c&d=%2F")
    for (const text of elsewhere) assert.equal(parseNext(text), undefined, text)
    const base = "https://api.example.org"
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((rest) => `/${rest}`)
        ),
        (text) => {
          const next = parseNext(text)
          return next === undefined || new URL(next, base).origin === base
        }
      )
    )
  })
})

describe("Attempts", () => {
  it("§8 counts sign-ins of an origin, and of an origin for an email, never for the email alone", () => {
    const limits = attemptLimits({ kind: "sign_in", origin: "address:4:c0000207", emailHash: "ab" })
    assert.deepEqual(
      limits.map(({ policy, subject }) => [subject, policy.perMinute, policy.perDay]),
      [
        ["people:sign_in:address:4:c0000207", 10, null],
        ["people:sign_in:address:4:c0000207:email:ab", 10, 200]
      ]
    )
  })
  it("every limit of every kind names the origin", () => {
    for (const kind of Object.keys(attempts) as ReadonlyArray<keyof typeof attempts>)
      for (const { subject } of attemptLimits({ kind, origin: "address:4:c0000207", emailHash: "ab" }))
        assert.match(subject, /:address:4:c0000207(:|$)/)
  })
  it("every kind that sends emails has a daily limit for a mailbox", () => {
    for (const kind of ["sign_up", "request_reset"] as const)
      assert.equal(attempts[kind].perMailbox.perDay, 20)
    assert.equal(attempts.invite.perMailbox.perDay, 5)
  })
})

const hostile = [
  "",
  "ada",
  "ada@",
  "@example.com",
  "ada@example",
  "ada@@example.com",
  "ada@example.com, mallory@example.com",
  "ada@example.com\r\nBcc: mallory@example.com",
  "Ada <ada@example.com>",
  '"ada"@example.com',
  "ada@exam\u0000ple.com",
  "a..b@example.com",
  "ada@example.com;mallory@example.com"
]

const elsewhere = [
  "",
  "dashboard",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/a\r\nSet-Cookie: x=y",
  "/a\\..\\b",
  `/${"x".repeat(500)}`
]
