import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { IsoDate } from "../../core/coverage/date.ts"
import { dayAfter, dayBefore, isIsoDate } from "../../core/coverage/date.ts"
import { policyStatuses } from "../../core/coverage/Policy.ts"
import type { DatedVersion } from "../../core/coverage/reading.ts"
import { isInForce, readingOn, timeline } from "../../core/coverage/reading.ts"

const day = (text: string): IsoDate => text as IsoDate

/** Few days, the ends of months among them, so that versions often meet. */
const days = fc.constantFrom(
  ...["2019-12-31", "2020-01-01", "2020-02-29", "2020-03-01", "2021-06-30", "2021-07-01", "2024-12-31"].map(
    day
  )
)
const given = fc.record({
  status: fc.constantFrom(...policyStatuses),
  effectiveDate: fc.option(days),
  retireDate: fc.option(days)
})
const histories = fc
  .array(given, { maxLength: 6 })
  .map((rows) => rows.map((row, index): DatedVersion => ({ ...row, version: index + 1 })))

const inForce = (versions: ReadonlyArray<DatedVersion>, on: IsoDate) => {
  const reading = readingOn(versions, on)
  return reading !== undefined && isInForce(reading.status) ? reading.version : undefined
}

const versionOf = (version: number, rest: Partial<DatedVersion>): DatedVersion => ({
  version,
  status: "active",
  effectiveDate: null,
  retireDate: null,
  ...rest
})

describe("the version in force on a date (coverage-domain §2)", () => {
  it("is one at most, and the intervals of the timeline say the same on every day", () => {
    fc.assert(
      fc.property(histories, days, (versions, on) => {
        const spans = timeline(versions).filter(
          (span) => (span.from === null || span.from <= on) && (span.until === null || on <= span.until)
        )
        expect(spans.map((span) => span.version)).toEqual(
          [inForce(versions, on)].filter((one) => one !== undefined)
        )
      })
    )
  })

  it("does not depend on the order in which versions are given", () => {
    fc.assert(
      fc.property(histories, days, (versions, on) => {
        expect(readingOn(versions.toReversed(), on)).toEqual(readingOn(versions, on))
      })
    )
  })

  it("is never proposed, and lies within its own days", () => {
    fc.assert(
      fc.property(histories, days, (versions, on) => {
        const version = inForce(versions, on)
        if (version === undefined) return
        expect(version.status).not.toBe("proposed")
        expect((version.effectiveDate ?? on) <= on && on <= (version.retireDate ?? on)).toBe(true)
      })
    )
  })

  it("is the greatest (effective date, version) that holds the date, while nothing was retired", () => {
    const lasting = histories.map((versions) =>
      versions.map((one): DatedVersion => ({ ...one, status: "active", retireDate: null }))
    )
    fc.assert(
      fc.property(lasting, days, (versions, on) => {
        const holding = versions.filter((one) => (one.effectiveDate ?? "") <= on)
        const greatest = holding
          .toSorted((a, b) =>
            (a.effectiveDate ?? "") === (b.effectiveDate ?? "")
              ? a.version - b.version
              : (a.effectiveDate ?? "") < (b.effectiveDate ?? "")
                ? -1
                : 1
          )
          .at(-1)
        expect(inForce(versions, on)).toEqual(greatest)
      })
    )
  })

  it("answers for every history but the empty one", () => {
    fc.assert(
      fc.property(histories, days, (versions, on) => {
        expect(readingOn(versions, on) === undefined).toBe(versions.length === 0)
      })
    )
  })

  it("holds on its first and its last day, and on no other side of them", () => {
    const versions = [versionOf(1, { effectiveDate: day("2020-01-01"), retireDate: day("2020-02-29") })]
    const statuses = ["2019-12-31", "2020-01-01", "2020-02-29", "2020-03-01"].map(
      (on) => readingOn(versions, day(on))?.status
    )
    expect(statuses).toEqual(["future", "active", "active", "retired"])
  })
})

describe("a version of unknown status (contract §2, GET /policies)", () => {
  const on = (dates: Partial<DatedVersion>) =>
    readingOn([versionOf(1, { ...dates, status: "unknown" })], day("2026-03-01"))?.status
  it("is in force as far as its dates say, and says that nobody knows", () => {
    expect(on({})).toBe("unknown")
    expect(on({ effectiveDate: day("2020-01-01"), retireDate: day("2026-03-01") })).toBe("unknown")
    expect(on({ retireDate: day("2026-02-28") })).toBe("retired")
    expect(on({ effectiveDate: day("2026-03-02") })).toBe("future")
  })
})

describe("before any version is in force", () => {
  it("the nearest to come answers, and of several on one day the newest", () => {
    const versions = ["2021-07-01", "2020-01-01", "2020-01-01"].map((from, index) =>
      versionOf(index + 1, { effectiveDate: day(from) })
    )
    expect(readingOn(versions, day("2019-12-31"))).toMatchObject({
      status: "future",
      version: { version: 3 }
    })
  })
})

describe("a retirement that became known later", () => {
  it("ends the versions that were kept before", () => {
    const versions = [
      versionOf(1, { effectiveDate: day("2019-01-01") }),
      versionOf(2, { effectiveDate: day("2019-01-01"), retireDate: day("2024-06-30"), status: "retired" })
    ]
    expect(readingOn(versions, day("2024-06-30"))).toMatchObject({
      status: "active",
      version: { version: 2 }
    })
    expect(readingOn(versions, day("2024-07-01"))).toMatchObject({
      status: "retired",
      version: { version: 2 }
    })
  })

  it("without a last day, ends them the day before it took effect (NCD 220.6)", () => {
    const versions = [
      versionOf(1, { effectiveDate: day("2013-06-11") }),
      versionOf(2, { effectiveDate: day("2023-04-10"), status: "retired" })
    ]
    expect(timeline(versions)).toEqual([{ version: versions[0], from: "2013-06-11", until: "2023-04-09" }])
    expect(readingOn(versions, day("2026-01-01"))).toMatchObject({
      status: "retired",
      version: { version: 2 }
    })
  })

  it("without days of its own, or with an end before its beginning, is retired on every day", () => {
    const lone = [versionOf(1, { effectiveDate: day("2023-04-10"), status: "retired" })]
    const inverted = [versionOf(1, { effectiveDate: day("2023-04-10"), retireDate: day("2021-01-01") })]
    for (const versions of [lone, inverted]) {
      expect(
        ["2020-01-01", "2022-01-01", "2026-01-01"].map((on) => readingOn(versions, day(on))?.status)
      ).toEqual(["retired", "retired", "retired"])
    }
  })
})

describe("days", () => {
  const real = fc
    .tuple(
      fc.integer({ min: 1, max: 9998 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 31 })
    )
    .map(([year, month, date]) =>
      day(
        `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`
      )
    )
    .filter(isIsoDate)

  it("have the one before and the one after as neighbours", () => {
    fc.assert(
      fc.property(real, (on) => {
        const [before, after] = [dayBefore(on), dayAfter(on)]
        expect(before !== undefined && isIsoDate(before) && before < on && dayAfter(before)).toBe(on)
        expect(after !== undefined && isIsoDate(after) && after > on && dayBefore(after)).toBe(on)
      })
    )
  })

  it("know leap years", () => {
    expect([dayAfter(day("2024-02-28")), dayAfter(day("2100-02-28")), dayBefore(day("2000-03-01"))]).toEqual([
      "2024-02-29",
      "2100-03-01",
      "2000-02-29"
    ])
  })
})
