import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dearestCallCredits } from "../../core/notice/account.ts"
import { noticeEmail, noticeText } from "../../core/notice/noticeEmail.ts"
import type { KeptNotice } from "../../core/notice/Notice.ts"
import type { NoticeKind } from "../../core/notice/noticeRows.ts"
import { noticeKinds, rowOf } from "../../core/notice/noticeRows.ts"
import { emailRetryAtMs, emailDelaysMs } from "../../core/notice/posting.ts"
import { deviceText, judgeSignIn, signInNotice } from "../../core/notice/signIn.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import {
  aDisabled,
  aKey,
  accountFacts,
  everyReached,
  kinds,
  novemberMs,
  tellsOf
} from "../kit/noticeFacts.ts"

const dayMs = 86_400_000
const service = { baseUrl: "https://api.example.com", supportUrl: "https://example.com/support" }
const kept = (notice: Pick<KeptNotice, "kind" | "values">, name: string | null = "Example Clinic") => ({
  ...notice,
  period: "p",
  organizationId: name === null ? null : ("org_1" as OrganizationId),
  organizationName: name
})

describe("credits, usage and keys dashboard", () => {
  const atUse = (used: number) =>
    kinds(
      accountFacts({ pack: "build", allowance: Math.max(0, 100_000 - used), overageUsed: used - 100_000 }),
      novemberMs
    )
  it("owners hear at 80, 100 and 150 % of the allowance, overage included, and when overage begins", () => {
    const told: ReadonlyArray<readonly [number, ReadonlyArray<NoticeKind>]> = [
      [79_999, []],
      [80_000, ["credits_80"]],
      [99_999, ["credits_80"]],
      [100_000, ["credits_100"]],
      [100_001, ["overage_begun"]],
      [149_999, ["overage_begun"]],
      [150_000, ["credits_150"]]
    ]
    for (const [used, expected] of told) expect([used, atUse(used)]).toEqual([used, expected])
  })

  it("the allowance of a pack that was raised is all that was granted for the month", () => {
    const granted = 1_100_000
    const raised = (used: number) =>
      kinds({ ...accountFacts({ pack: "scale", allowance: granted - used }), granted }, novemberMs)
    expect(raised(879_999)).toEqual([])
    expect(raised(880_000)).toEqual(["credits_80"])
  })

  it("a month that ended since the account last moved has used nothing of the next", () => {
    const spent = accountFacts({ pack: "build", allowance: 0, overageUsed: 60_000 })
    expect(kinds(spent, novemberMs)).toEqual(["credits_150"])
    expect(kinds(spent, Date.UTC(2026, 11, 1))).toEqual([])
  })

  it("a cap is reached when the dearest call cannot be paid, and again when it was raised", () => {
    const capped = (overageUsed: number, overageCap: number) =>
      accountFacts({ pack: "build", allowance: 0, overageUsed, overageCap })
    expect(kinds(capped(92, 100), novemberMs)).toEqual(["overage_begun"])
    expect(kinds(capped(93, 100), novemberMs)).toEqual(["overage_begun", "overage_cap"])
    expect(tellsOf([capped(93, 100), capped(100, 100), capped(198, 200)]).map(({ kind }) => kind)).toEqual([
      "overage_begun",
      "overage_cap",
      "overage_cap"
    ])
    const dearest = Math.max(...operationIds.map((id) => operationRow(id).credits))
    expect(dearestCallCredits).toBe(dearest)
  })

  it("the Credits pack is low at 20 credits and empty below the dearest call; a purchase begins anew", () => {
    const left = (purchased: number, bought = 100) => accountFacts({ pack: "credits", purchased }, bought)
    expect(kinds(left(21), novemberMs)).toEqual([])
    expect(kinds(left(20), novemberMs)).toEqual(["credits_low"])
    expect(kinds(left(8), novemberMs)).toEqual(["credits_low"])
    expect(kinds(left(7), novemberMs)).toEqual(["credits_empty"])
    const told = tellsOf([left(20), left(0), left(15, 1_100), left(3, 1_100)])
    expect(told.map(({ kind }) => kind)).toEqual([
      "credits_low",
      "credits_empty",
      "credits_low",
      "credits_empty"
    ])
  })
})

describe("notices, laws", () => {
  it("each is told once in its period, and never a lower rung after a higher one", () => {
    fc.assert(
      fc.property(everyReached, (looks) => {
        const told = tellsOf(looks)
        const seen = new Map<string, number>()
        for (const { kind, period } of told) {
          const { ladder, rung } = rowOf(kind)
          expect(rung).toBeGreaterThan(seen.get(`${ladder} ${period}`) ?? 0)
          seen.set(`${ladder} ${period}`, rung)
        }
      })
    )
  })

  it("whatever the order and however often it is looked, the highest rung that was seen is told", () => {
    fc.assert(
      fc.property(everyReached, fc.func(fc.integer()), (looks, order) => {
        const shuffled = [...looks, ...looks].toSorted((one, other) => order(one) - order(other))
        expect(highestOf(tellsOf(shuffled))).toEqual(highestOf(tellsOf(looks)))
      })
    )
  })
})

const highestOf = (told: ReturnType<typeof tellsOf>) => {
  const found = new Map<string, number>()
  for (const { kind, period } of told) {
    const ladder = `${rowOf(kind).ladder} ${period}`
    found.set(ladder, Math.max(found.get(ladder) ?? 0, rowOf(kind).rung))
  }
  return Object.fromEntries([...found].toSorted())
}

describe("keys near their expiry", () => {
  const expiresAtMs = novemberMs + 30 * dayMs
  const key = aKey({ createdAtMs: novemberMs, expiresAtMs })
  const at = (leftMs: number) => kinds(key, expiresAtMs - leftMs)
  it("a key is told of seven days and one day before it ends, and not once it has", () => {
    expect(at(7 * dayMs + 1)).toEqual([])
    expect(at(7 * dayMs)).toEqual(["key_expires_7d"])
    expect(at(dayMs + 1)).toEqual(["key_expires_7d"])
    expect(at(dayMs)).toEqual(["key_expires_1d"])
    expect(at(1)).toEqual(["key_expires_1d"])
    expect(at(0)).toEqual([])
  })

  it("a lead that the key did not outlive is not told, nor a key that is revoked or suspended", () => {
    const short = aKey({ createdAtMs: expiresAtMs - 3 * dayMs, expiresAtMs })
    expect(kinds(short, expiresAtMs - 2 * dayMs)).toEqual([])
    expect(kinds(short, expiresAtMs - dayMs)).toEqual(["key_expires_1d"])
    expect(kinds({ ...key, mark: "revoked" }, expiresAtMs - dayMs)).toEqual([])
    expect(kinds({ ...key, mark: "suspended" }, expiresAtMs - dayMs)).toEqual([])
  })
})

describe("endpoints that were disabled", () => {
  it("contract §2, Webhooks: the email says why, the last status, and not what the URL holds", () => {
    const failing = aDisabled({ failingSinceMs: novemberMs - 5 * dayMs, failureCount: 12 })
    const [told] = tellsOf([failing])
    const { sentence, path } = noticeText(kept(told ?? { kind: "endpoint_disabled", values: {} }))
    expect(sentence).toBe(
      "The endpoint 7 at hooks.example.com was disabled on 2026-11-21 11:00 UTC: every attempt failed for " +
        "5 days, the last 12 in a row. Last HTTP status: 500. The receiver answered 500."
    )
    expect(path).toBe("/dashboard/org_1/webhooks")
    expect(JSON.stringify(told)).not.toContain("token")
  })

  it("contract §2, Webhooks: 410 Gone is named; without an answer there is no status", () => {
    const gone = { ...aDisabled({ failingSinceMs: novemberMs, failureCount: 1 }), lastStatus: 410 }
    expect(tellsOf([gone])[0]?.values["why"]).toBe("its receiver answered 410 Gone")
    const silent = { ...aDisabled({}), lastStatus: null, lastError: null }
    expect(tellsOf([silent])[0]?.values["status"]).toBe("none, no answer came")
  })

  it("each disabling is told once; an endpoint set active again is not", () => {
    const again = aDisabled({ updatedAtMs: novemberMs + dayMs })
    expect(tellsOf([aDisabled({}), aDisabled({}), again, aDisabled({})])).toHaveLength(2)
    expect(tellsOf([aDisabled({ status: "active" })])).toEqual([])
  })
})

describe("sign-ins", () => {
  const device = deviceText({ address: "203.0.113.7", agent: "Browser/1.2 (X11)" })
  it("a device is new when it was not seen for 30 days, and the very first is not", () => {
    const seen = [{ device: "one", seenAtMs: 0 }]
    expect(judgeSignIn([], { device, nowMs: 0 })).toBe("first")
    expect(judgeSignIn(seen, { device, nowMs: 0 })).toBe("new")
    expect(judgeSignIn(seen, { device: "one", nowMs: 30 * dayMs - 1 })).toBe("known")
    expect(judgeSignIn(seen, { device: "one", nowMs: 30 * dayMs })).toBe("new")
  })

  it("a browser's version and an address within its IPv6 network do not make a device new", () => {
    expect(deviceText({ address: "203.0.113.7", agent: "Browser/3.0 (X11)" })).toBe(device)
    expect(deviceText({ address: "203.0.113.8", agent: "Browser/1.2 (X11)" })).not.toBe(device)
    expect(deviceText({ address: "203.0.113.7", agent: "Other/1.2 (X11)" })).not.toBe(device)
    const at = (address: string) => deviceText({ address, agent: null })
    expect(at("2001:db8:0:7::1")).toBe(at("2001:DB8::7:ffff:1:2:3"))
    expect(at("2001:db8:0:7::1")).not.toBe(at("2001:db8:0:8::1"))
    expect(at("::ffff:203.0.113.7")).not.toBe(at("::ffff:203.0.113.8"))
  })
})

describe("emails", () => {
  it("every sentence of every row is filled from the values that come with it", () => {
    const signIn = signInNotice({ device: "d", address: "203.0.113.7", agent: null, nowMs: novemberMs })
    const notices = [...tellsOf(fc.sample(everyReached, { numRuns: 200, seed: 1 }).flat()), signIn]
    // What is decided as it is told (noticeRotation.test.ts).
    const looked = noticeKinds.filter((kind) => kind !== "key_rotated")
    expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(looked))
    for (const { kind, values } of notices) {
      const { sentence, advice } = rowOf(kind)
      const named = [...(sentence + advice).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "")
      for (const name of named) expect(Object.keys(values)).toContain(name)
      expect(noticeText(kept({ kind, values })).sentence).not.toMatch(/[{}]|undefined|NaN|Infinity/)
    }
  })

  it("an email leads to the page that mends it, each link on a line of its own", () => {
    const values = { name: "billing", key: "key_1", expires: "2026-12-01 00:00 UTC" }
    const email = noticeEmail(kept({ kind: "key_expires_1d", values }), "a@example.com", service)
    expect(email.to).toBe("a@example.com")
    expect(email.subject).toBe("Example Clinic: An API key expires within a day")
    const links = email.text.split("\n").filter((line) => line.startsWith("https:"))
    expect(links).toEqual(["https://api.example.com/dashboard/org_1/keys", service.supportUrl])
  })

  it("no name breaks a subject, and none makes it longer than 150 characters", () => {
    const name = `Clinic\r\nBcc: x@example.com\u202e${"x".repeat(300)}`
    const { subject } = noticeEmail(kept(accountNotice, name), "a@example.com", service)
    expect(subject).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(subject.length).toBeLessThanOrEqual(150)
  })

  it("one's own email names no organization", () => {
    const signIn = signInNotice({ device: "d", address: "203.0.113.7", agent: null, nowMs: novemberMs })
    const email = noticeEmail(kept(signIn, null), "a@example.com", service)
    expect(email.subject).toBe("A new sign-in to your account")
    expect(email.text).toContain("https://api.example.com/forgot")
  })

  it("an email that fails is tried for four days and then given up", () => {
    expect(emailRetryAtMs(1, 0)).toBe(60_000)
    expect(emailRetryAtMs(emailDelaysMs.length, 0)).not.toBeNull()
    expect(emailRetryAtMs(emailDelaysMs.length + 1, 0)).toBeNull()
    expect(emailDelaysMs.reduce((sum, delayMs) => sum + delayMs, 0)).toBeGreaterThan(3 * dayMs)
  })
})

const accountNotice = {
  kind: "credits_100" as const,
  values: tellsOf([{ ...accountFacts({ pack: "build", allowance: 0 }) }])[0]?.values ?? {}
}

describe("the account's facts", () => {
  it("name what is left with what was bought", () => {
    const facts = { ...accountFacts({ pack: "build", allowance: 0, purchased: 1_500 }) }
    expect(tellsOf([facts])[0]?.values).toMatchObject({ left: "1,500", granted: "100,000", price: "$0.002" })
  })
})
