import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dayOf } from "../../core/coverage/date.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { retireKey } from "../../core/key/change.ts"
import { keyNameCharactersMax, readKeyName, rotationFault } from "../../core/key/pageKey.ts"
import type { KeyRecord } from "../../core/key/state.ts"
import { csvLine } from "../../core/operation/csvCell.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { UsageLine } from "../../core/organization/usage.ts"
import { byDay, byName, daysOf, totalOf } from "../../core/organization/usageReport.ts"
import { isoTime } from "../kit/accounts.ts"
import { keyOf } from "../kit/keysLaws.ts"

const nowMs = Date.UTC(2026, 10, 21, 12)
const overlapEnd = isoTime(nowMs + 86_400_000)
const readKey: KeyRecord = {
  ...keyOf("org_1" as OrganizationId),
  scopes: ["read"],
  expiresAt: null,
  releaseId: null
}

describe("§5.7 a key of the page", () => {
  it("has a name of 1 to 100 characters on one line", () => {
    expect(readKeyName("  Night\n import ")).toEqual({ _tag: "Name", name: "Night import" })
    expect(readKeyName(" \t ")).toEqual({ _tag: "Fault", code: "required" })
    expect(readKeyName("é".repeat(keyNameCharactersMax))._tag).toBe("Name")
    expect(readKeyName("é".repeat(keyNameCharactersMax + 1))).toEqual({ _tag: "Fault", code: "too_long" })
    for (const text of ["a\u0000b", "a\u202eb", "a\u0007"])
      expect(readKeyName(text)).toEqual({ _tag: "Fault", code: "invalid" })
  })

  it("is rotated only while it works, reads and nothing else, and outlives the overlap", () => {
    const fault = (key: Partial<KeyRecord>, state: "valid" | "expired" | "revoked" | "suspended" = "valid") =>
      rotationFault({ ...readKey, ...key }, { state, overlapEnd })
    expect(fault({})).toBeUndefined()
    expect(fault({ scopes: ["read", "write"] })).toBe("not_read_only")
    expect(fault({ scopes: ["admin"] })).toBe("not_read_only")
    expect(fault({ scopes: ["certified:derived_decision:read"] })).toBe("not_read_only")
    expect(fault({ mode: "test" })).toBe("not_read_only")
    for (const state of ["expired", "revoked", "suspended"] as const)
      expect(fault({}, state)).toBe("not_usable")
    expect(fault({ expiresAt: overlapEnd })).toBe("ends_soon")
    expect(fault({ expiresAt: isoTime(nowMs + 86_400_001) })).toBeUndefined()
    expect(fault(retireKey(readKey, overlapEnd))).toBe("ends_soon")
  })
})

describe("the report of usage", () => {
  const line = (given: Partial<UsageLine>): UsageLine => ({
    day: "2026-11-21" as IsoDate,
    operation: "getPolicy",
    caller: "key_1",
    source: "api",
    tool: null,
    calls: 1,
    credits: 1,
    errors: 0,
    ...given
  })
  const days = Array.from({ length: 10 }, (_, nth) => dayOf(isoTime(nowMs - nth * 86_400_000)))
  const lines = fc.array(
    fc.record({ day: fc.constantFrom(...days), calls: fc.nat(9), credits: fc.nat(9), errors: fc.nat(9) })
  )

  it("holds every day of its range once, in order, and in all what the lines come to", () => {
    const [to, from] = [days.at(0), days.at(-1)]
    if (to === undefined || from === undefined) throw new Error("there are ten days")
    const range = { from, to }
    expect(daysOf(range)).toEqual(days.toReversed())
    fc.assert(
      fc.property(lines, (some) => {
        const all = some.map(line)
        const bars = byDay(all, range)
        expect(bars.map(({ name }) => name)).toEqual(days.toReversed())
        for (const figure of ["calls", "credits", "errors"] as const)
          expect(bars.reduce((sum, bar) => sum + bar[figure], 0)).toBe(totalOf(all)[figure])
      })
    )
  })

  it("names groups by most calls, and leaves out what belongs to none", () => {
    const some = [line({ tool: "a" }), line({ tool: "b", calls: 5 }), line({}), line({ tool: "a" })]
    expect(byName(some, ({ tool }) => tool ?? undefined)).toEqual([
      { name: "b", calls: 5, credits: 1, errors: 0 },
      { name: "a", calls: 2, credits: 2, errors: 0 }
    ])
  })

  it("as CSV a text that begins with a full-width operator or a line end is marked as text too", () => {
    for (const start of ["＝", "＋", "－", "＠", "\t"]) expect(csvLine([`${start}1`])).toBe(`'${start}1\r\n`)
    expect(csvLine(["\n=1", "\r=1"])).toBe(`"'\n=1","'\r=1"\r\n`)
  })

  it("as CSV no text begins as a formula does, and every cell is one cell", () => {
    expect(csvLine(["=1+1", "+1", "-1", "@x", -1, null, 'a "b", c', "x=1"])).toBe(
      `'=1+1,'+1,'-1,'@x,-1,,"a ""b"", c",x=1\r\n`
    )
  })
})
