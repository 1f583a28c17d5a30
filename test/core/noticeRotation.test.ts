import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"
import type { IsoTime } from "../../core/coverage/date.ts"
import { retireKey } from "../../core/key/change.ts"
import { overlapEndMs } from "../../core/key/pageKey.ts"
import type { KeyId, KeyRecord } from "../../core/key/state.ts"
import { noticeText } from "../../core/notice/noticeEmail.ts"
import { keyPeriod } from "../../core/notice/key.ts"
import { asRotated, successorOf } from "../../core/notice/rotation.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { keyOf } from "../kit/keysLaws.ts"
import { novemberMs } from "../kit/noticeFacts.ts"

const organizationId = "org_00000000000000000000000001" as OrganizationId
const iso = (ms: number) => DateTime.formatIso(DateTime.makeUnsafe(ms)) as IsoTime
const dayMs = 86_400_000

const aKey = (given: Partial<KeyRecord>): KeyRecord => ({
  ...keyOf(organizationId),
  name: "billing",
  createdAt: iso(novemberMs - 30 * dayMs),
  expiresAt: null,
  ...given
})

const untilMs = overlapEndMs(novemberMs)
const old = retireKey(aKey({ keyId: "key_old" as KeyId }), iso(untilMs))
const successor = aKey({ keyId: "key_new" as KeyId, createdAt: iso(novemberMs + 40) })

const noticeOf = (expiresAtMs: number) => ({
  kind: "key_expires_1d" as const,
  period: keyPeriod({ keyId: "key_old", expiresAtMs }),
  values: { name: "billing", key: "key_old", expires: "2026-11-22 11:00 UTC" },
  organizationId,
  organizationName: "Example Clinic"
})

describe("§9 a key that ends because it was rotated", () => {
  it("is told as what it is, with the key that takes its place", () => {
    const told = noticeText(asRotated(noticeOf(untilMs), [old, successor]))
    expect(told.title).toBe("A rotated API key ends within a day")
    expect(told.sentence).toBe(
      "The key billing (key_old) was rotated: key_new takes its place, and it ends on 2026-11-22 11:00 UTC."
    )
    expect(`${told.sentence} ${told.advice}`).not.toMatch(/[{}]/)
  })

  it("is told apart from a key that expires by itself, also beside another of its name", () => {
    for (const other of [
      { ...successor, name: "else" },
      { ...successor, createdAt: iso(novemberMs - 1) },
      { ...successor, createdAt: iso(novemberMs + 15_001) }
    ])
      expect(asRotated(noticeOf(untilMs), [old, other]).kind).toBe("key_expires_1d")
    expect(asRotated(noticeOf(untilMs), []).kind).toBe("key_expires_1d")
    expect(successorOf({ ...old, expiresAt: null }, [old, successor])).toBeUndefined()
  })

  it("is not read into a notice of the end that it had before", () => {
    expect(asRotated(noticeOf(untilMs + dayMs), [old, successor]).kind).toBe("key_expires_1d")
  })
})
