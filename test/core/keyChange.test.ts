import { describe, expect, it } from "vitest"
import { assignRelease, changeKey, retireKey } from "../../core/key/change.ts"
import type { KeyRecord } from "../../core/key/state.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { certifiedScope } from "../../core/operation/scope.ts"
import type { ReleaseId } from "../../core/release/ReleaseId.ts"

const record = (given: Partial<KeyRecord>): KeyRecord =>
  ({
    mark: "valid",
    mode: "live",
    reason: null,
    expiresAt: null,
    releaseId: null,
    scopes: [],
    ...given
  }) as KeyRecord

describe("§3.2 a key after an operator's action", () => {
  it("has the reason of its suspension, and loses it when that is lifted", () => {
    const suspended = changeKey(record({}), { action: "suspend", reason: "invoice" })
    expect(suspended).toMatchObject({ mark: "suspended", reason: "invoice" })
    expect(changeKey(suspended, { action: "unsuspend", reason: "paid" })).toMatchObject({
      mark: "valid",
      reason: null
    })
  })

  it.each(["suspend", "unsuspend", "revoke"] as const)("revoked, is as it was after %s", (action) => {
    const revoked = record({ mark: "revoked", reason: "leaked" })
    expect(changeKey(revoked, { action, reason: "another" })).toEqual(revoked)
  })

  it("replaced by another, ends with the overlap, or earlier where it would have", () => {
    const end = "2026-03-02T00:00:00.000Z" as IsoTime
    const earlier = "2026-03-01T00:00:00.000Z" as IsoTime
    expect(retireKey(record({}), end).expiresAt).toBe(end)
    expect(retireKey(record({ expiresAt: earlier }), end).expiresAt).toBe(earlier)
  })
})

describe("§5.8 the release of a key", () => {
  const releaseId = "rel_2026_03" as ReleaseId

  it("is that of a live key with the certified scope, the last one assigned", () => {
    const key = record({ scopes: [certifiedScope], releaseId: "rel_2026_02" })
    expect(assignRelease(key, releaseId)).toEqual({ _tag: "Assigned", key: { ...key, releaseId } })
  })

  it("is refused to a key without the scope, and to every test key", () => {
    const unfit = (because: string) => ({ _tag: "Unfit", because })
    expect(assignRelease(record({}), releaseId)).toEqual(unfit("scope"))
    const test = record({ mode: "test", scopes: [certifiedScope] })
    expect(assignRelease(test, releaseId)).toEqual(unfit("test_key"))
  })
})
