import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Acknowledgement } from "../../core/compliance/Acknowledgement.ts"
import { acknowledgedEvents } from "../../core/compliance/acknowledgedEvents.ts"
import { foldBulk } from "../../core/compliance/bulk.ts"
import { countReviews, isCritical, reviewSince, reviewStats } from "../../core/compliance/stats.ts"
import { changeTypes } from "../../core/coverage/revise.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { PolicyId } from "../../core/coverage/Policy.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { eventBody, eventBytesMax, utf8Bytes } from "../../core/webhook/event.ts"
import type { WebhookId } from "../../core/webhook/event.ts"
import "../kit/runs.ts"

const someIds = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 })
const idSet = fc.uniqueArray(fc.integer({ min: 1, max: 12 })).map((ids) => new Set(ids))

describe("contract §2 bulk acknowledgement", () => {
  it("answers as its ids would one after the other", () =>
    fc.assert(
      fc.property(someIds, idSet, idSet, (diffIds, existing, before) => {
        const known = new Set([...before].filter((id) => existing.has(id)))
        const folded = foldBulk(diffIds, { existing, acknowledged: known })
        if (!diffIds.some((id) => existing.has(id))) {
          expect(folded).toEqual({ _tag: "NoneExists" })
          return
        }
        const seen = new Set(known)
        const fresh: Array<number> = []
        for (const id of diffIds.filter((each) => existing.has(each) && !known.has(each)))
          if (!seen.has(id)) {
            seen.add(id)
            fresh.push(id)
          }
        const invalidIds = diffIds.filter((id) => !existing.has(id))
        expect(folded).toEqual({
          _tag: "Folded",
          fresh,
          answer: {
            acknowledged: fresh.length,
            alreadyAcknowledged: diffIds.length - invalidIds.length - fresh.length,
            invalidIds,
            total: diffIds.length
          }
        })
      })
    ))
})

describe("contract §2 compliance stats", () => {
  const reviews = fc.array(
    fc.record({ changeType: fc.constantFrom(...changeTypes), acknowledged: fc.boolean() })
  )

  it("add up, and the rate is 100 exactly when nothing is left", () =>
    fc.assert(
      fc.property(reviews, (changes) => {
        const stats = reviewStats(countReviews(changes))
        const unreviewed = changes.filter(({ acknowledged }) => !acknowledged)
        expect(stats.totalChanges).toBe(changes.length)
        expect(stats.acknowledgedCount + stats.unreviewedCount).toBe(stats.totalChanges)
        expect(stats.unreviewedCount).toBe(unreviewed.length)
        expect(stats.criticalUnreviewed).toBe(
          unreviewed.filter(({ changeType }) => ["codes_changed", "criteria_changed"].includes(changeType))
            .length
        )
        expect(stats.acknowledgmentRate).toBeGreaterThanOrEqual(0)
        expect(stats.acknowledgmentRate === 100).toBe(unreviewed.length === 0)
      })
    ))

  it("round down, so that one of ten thousand still shows", () => {
    const rate = (total: number, acknowledged: number) =>
      reviewStats({ total, acknowledged, criticalUnreviewed: 0 }).acknowledgmentRate
    expect(rate(3, 1)).toBe(33.33)
    expect(rate(1_000_000, 999_999)).toBe(99.99)
    expect(rate(0, 0)).toBe(100)
  })

  it("take changed codes and criteria for critical, and look back 30 days", () => {
    expect(changeTypes.filter(isCritical)).toEqual(["codes_changed", "criteria_changed"])
    expect(reviewSince(Date.UTC(2026, 2, 31, 12))).toBe("2026-03-01T12:00:00.000Z")
  })
})

describe("contract §2 the event of an acknowledgement", () => {
  const acknowledgement = (diffId: number, policyId: string): Acknowledgement => ({
    acknowledgementId: Number.MAX_SAFE_INTEGER - diffId,
    organizationId: "org_1" as OrganizationId,
    diffId,
    policyId: policyId as PolicyId,
    notes: "seen by the committee",
    acknowledgedAt: "2026-01-31T12:00:00.000Z" as IsoTime
  })
  const bodyOf = (data: Readonly<Record<string, unknown>>): string =>
    eventBody({
      webhookId: `msg_${"z".repeat(26)}` as WebhookId,
      type: "compliance.acknowledged",
      occurredAtMs: 0,
      data
    })

  it("is one that lists all of a bulk, each policy once and no notes", () => {
    const twice = [acknowledgement(1, "L33831"), acknowledgement(2, "L33831")]
    const [event, ...more] = acknowledgedEvents(twice)
    expect(more).toEqual([])
    expect(event).toEqual({
      acknowledgement_ids: twice.map(({ acknowledgementId }) => acknowledgementId),
      diff_ids: [1, 2],
      policy_ids: ["L33831"],
      acknowledged_at: "2026-01-31T12:00:00.000Z"
    })
    const many = Array.from({ length: 200 }, (_, index) => acknowledgement(index, `L${10_000 + index}`))
    expect(acknowledgedEvents(many)).toHaveLength(1)
  })

  it("is several where the ids of 200 policies are too long for one, and then leaves nothing out", () => {
    const all = Array.from({ length: 200 }, (_, index) => acknowledgement(index, `${index}${"é".repeat(97)}`))
    const events = acknowledgedEvents(all)
    expect(events.length).toBeGreaterThan(1)
    for (const event of events) expect(utf8Bytes(bodyOf(event))).toBeLessThan(eventBytesMax)
    expect(events.flatMap((event) => event.diff_ids)).toEqual(all.map(({ diffId }) => diffId))
    expect(events.flatMap((event) => event.policy_ids)).toEqual(all.map(({ policyId }) => policyId))
  })

  it("is under 20 kB whatever the policies are called, and leaves nothing out", () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }), { maxLength: 200 }),
        (names) => {
          const all = names.map((name, index) => acknowledgement(index, name.toWellFormed().slice(0, 100)))
          const events = acknowledgedEvents(all)
          for (const event of events) expect(utf8Bytes(bodyOf(event))).toBeLessThan(eventBytesMax)
          expect(events.flatMap((event) => event.diff_ids)).toEqual(all.map(({ diffId }) => diffId))
        }
      )
    ))
})
