import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { PolicyDocument, PolicyVersion } from "../../core/coverage/Policy.ts"
import { canonicalDocument, changeBetween, revise } from "../../core/coverage/revise.ts"
import type { Revision } from "../../core/coverage/revise.ts"
import {
  codeCountOf,
  jurisdictionsOf,
  policyCodes,
  searchTextOf,
  summaryOf
} from "../../core/coverage/view.ts"
import { day, diagnoses, documentOf, id, importedAt, passage, procedure, time } from "../kit/library.ts"

const next = (previous: PolicyVersion | undefined, document: PolicyDocument): Revision =>
  revise({ previous, document, fingerprint: canonicalDocument(document), at: importedAt })

const recorded = (document: PolicyDocument): PolicyVersion => {
  const revision = next(undefined, document)
  if (revision._tag === "Unchanged") throw new Error("a first document is always recorded")
  return revision.version
}

const base = documentOf({
  policyId: "L90001",
  codeGroups: [procedure("E0650", "E0651")],
  criteria: [passage("indications-1", "Ulcers that last.")],
  keywords: ["ulcer", "wound"]
})

/** The change that the second document makes after the first. */
const change = (from: Partial<PolicyDocument>, to: Partial<PolicyDocument>) => {
  const previous = recorded({ ...base, ...from })
  const revision = next(previous, { ...base, ...from, ...to })
  return revision._tag === "Unchanged" ? "unchanged" : revision.change
}

/** The same members in the other order. */
const turnedAround = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).toReversed()) as T

const codes = fc.uniqueArray(fc.constantFrom("E0650", "E0651", "E0652", "A4600", "K0001"), { maxLength: 5 })
const documents = fc
  .record({
    title: fc.constantFrom("One", "Two"),
    codeGroups: codes.map((given) => [procedure(...given.toSorted())]),
    criteria: fc
      .array(fc.constantFrom("a", "b"), { maxLength: 3 })
      .map((texts) => texts.map((text, index) => passage(`indications-${index + 1}`, text)))
  })
  .map((given): PolicyDocument => ({ ...base, ...given }))

const listed = (document: PolicyDocument): ReadonlyArray<string> =>
  document.codeGroups.flatMap((group) => group.codes.map((entry) => entry.code)).toSorted()

describe("a revision (§2.7, coverage-domain §2)", () => {
  it("of the same document changes nothing, whatever its source's hash and the order of its members", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const previous = recorded(document)
        const turned = {
          ...document,
          sections: turnedAround(document.sections),
          sourceDocumentSha256: "f".repeat(64)
        }
        expect(next(previous, turnedAround(turned))._tag).toBe("Unchanged")
      })
    )
  })

  it("of a new version of the document alone is kept without a change", () => {
    const at = (version: number) => ({
      documentVersion: String(version),
      sourceUrl: `https://www.cms.gov/view/lcd.aspx?lcdid=90001&ver=${version}`,
      sourceDocumentSha256: `${version}`.repeat(64)
    })
    expect(change(at(1), at(2))).toBeNull()
    expect(change(at(1), { ...at(2), title: "New" })).toMatchObject({ changedFields: ["title"] })
    const ncd = (version: number) => ({
      sourceUrl: `https://www.cms.gov/view/ncd.aspx?ncdid=1&ncdver=${version}`
    })
    expect(change(ncd(1), ncd(2))).toBeNull()
  })

  it("by a newer reader of the same source rows is no change, but what other rows say of it is", () => {
    const reread = { documentVersion: "7", sourceDocumentSha256: "a".repeat(64) }
    const before = { documentVersion: null, sourceDocumentSha256: "a".repeat(64) }
    expect(change(before, { ...reread, title: "Read anew", criteria: [] })).toBeNull()
    expect(change(before, { ...reread, title: "Read anew", states: ["TX"] })).toMatchObject({
      changedFields: ["jurisdiction"]
    })
    expect(change(before, { ...reread, sourceDocumentSha256: "b".repeat(64), title: "New" })).toMatchObject({
      changedFields: ["title"]
    })
  })

  it("of a document that names no version of its own keeps the fingerprint that it always had", () => {
    expect(canonicalDocument(base)).not.toContain("documentVersion")
  })

  it("counts versions from 1, one by one", () => {
    fc.assert(
      fc.property(fc.array(documents, { minLength: 1, maxLength: 6 }), (history) => {
        let version: PolicyVersion | undefined
        for (const document of history) {
          const revision = next(version, document)
          if (revision._tag === "Unchanged") continue
          expect(revision.version.version).toBe((version?.version ?? 0) + 1)
          version = revision.version
        }
      })
    )
  })

  it("names the codes that lead from the old set to the new one", () => {
    fc.assert(
      fc.property(documents, documents, (a, b) => {
        const [previous, after] = [recorded(a), recorded(b)]
        const made = changeBetween(previous, after)
        const kept = listed(a).filter((code) => !(made?.removedCodes ?? []).includes(code))
        expect([...new Set([...kept, ...(made?.addedCodes ?? [])])].toSorted()).toEqual(listed(b))
      })
    )
  })

  it("makes no change row for white space or order alone", () => {
    expect(change({}, { title: " Policy  L90001", keywords: ["wound", "ulcer"] })).toBeNull()
    expect(change({}, { criteria: [passage("indications-1", "Ulcers  that last.\n")] })).toBeNull()
  })

  it("names one change: retired before codes before criteria before the rest", () => {
    const all = {
      title: "Other",
      criteria: [passage("indications-1", "Ulcers that heal.")],
      codeGroups: [procedure("E0650", "E0652")],
      status: "retired",
      retireDate: day("2026-02-28")
    } satisfies Partial<PolicyDocument>
    const { status, retireDate, ...active } = all
    const { codeGroups, ...worded } = active
    expect(
      [all, active, worded, { title: "Other" }].map((to) => {
        const made = change({}, to)
        return made === null || made === "unchanged" ? made : made.changeType
      })
    ).toEqual(["retired", "codes_changed", "criteria_changed", "metadata_changed"])
    expect([status, retireDate, codeGroups.length]).toEqual(["retired", "2026-02-28", 1])
  })

  it("tells what changed", () => {
    expect(change({}, { codeGroups: [procedure("E0650", "E0652")] })).toEqual({
      changeType: "codes_changed",
      changedFields: ["codes"],
      addedCodes: ["E0652"],
      removedCodes: ["E0651"],
      modifiedCriteria: [],
      changeSummary: "Codes changed: 1 code added; 1 code removed; fields: codes."
    })
    expect(change({}, { criteria: [] })).toMatchObject({ modifiedCriteria: ["indications-1"] })
  })

  it("is created first, with all codes added", () => {
    const first = next(undefined, base)
    expect(first).toMatchObject({
      version: { version: 1 },
      change: { changeType: "created", addedCodes: ["E0650", "E0651"] }
    })
  })

  it("is retired when its last day has passed by then, and only details when that day is to come", () => {
    expect(change({}, { retireDate: day("2026-03-05") })).toMatchObject({ changeType: "retired" })
    expect(change({}, { retireDate: day("2026-03-06") })).toMatchObject({ changeType: "metadata_changed" })
    expect(change({ retireDate: day("2026-03-01") }, { title: "Other" })).toMatchObject({
      changeType: "metadata_changed"
    })
    const scheduled = { ...base, retireDate: day("2026-03-10") }
    const later = {
      ...recorded({ ...scheduled, status: "retired" }),
      recordedAt: time("2026-03-20T10:00:00.000Z")
    }
    expect(changeBetween(recorded(scheduled), later)).toMatchObject({ changeType: "retired" })
  })

  it("keeps the time it was recorded at", () => {
    expect(recorded(base).recordedAt).toBe(time("2026-03-06T10:00:00.000Z"))
  })
})

describe("what the wire shows of a document (contract §2, GET /policies)", () => {
  const group = (kind: "dx_covered" | "dx_noncovered", ...given: ReadonlyArray<string>) => ({
    ...diagnoses(...given),
    kind
  })
  const shown = (document: PolicyDocument) =>
    Object.fromEntries(policyCodes(document).map((code) => [code.code, code.disposition]))

  it("calls procedures conditional, and a supporting diagnosis covered where nothing else is asked", () => {
    const document = {
      ...base,
      criteria: [],
      codeGroups: [
        group("dx_noncovered", "M545", "M542"),
        procedure("62323"),
        group("dx_covered", "M5416", "M542")
      ]
    }
    expect(shown(document)).toEqual({
      62323: "conditional",
      M545: "not_covered",
      M542: "conditional",
      M5416: "covered"
    })
    expect(codeCountOf(document)).toBe(4)
    const asking = { ...document, criteria: [passage("b1", "Covered only after a failed trial.")] }
    expect(shown(asking)["M5416"]).toBe("conditional")
    const related = [{ policyId: id("L33718"), policyType: "LCD" as const }]
    const article = { ...document, policy: { ...document.policy, policyType: "Article" as const }, related }
    expect(shown(article)["M5416"]).toBe("conditional")
  })

  it("a list of exceptions denies what it lists", () => {
    const paragraph = "All ICD-10-CM codes are covered except the following."
    const codeGroups = [procedure("62323"), { ...group("dx_covered", "M5416"), paragraph }]
    expect(shown({ ...base, codeGroups })["M5416"]).toBe("not_covered")
  })

  it("makes a diagnosis with an asterisk conditional", () => {
    const marked = diagnoses("M48061")
    const codeGroups = [{ ...marked, codes: marked.codes.map((code) => ({ ...code, asterisk: true })) }]
    expect(shown({ ...base, codeGroups })).toEqual({ M48061: "conditional" })
  })

  it("promises nothing above conditional where neither dates nor text are known", () => {
    const codeGroups = [group("dx_covered", "M5416"), group("dx_noncovered", "M545")]
    const bare = { ...base, codeGroups, effectiveDate: null, sourceShape: "code_list_only" } as const
    expect(shown(bare)).toEqual({ M545: "conditional", M5416: "conditional" })
  })

  it("leaves out modifiers, and does not depend on the order of groups", () => {
    const modifier = { ...procedure("KX"), kind: "modifier" } as const
    const codeGroups = [
      { ...modifier, codes: modifier.codes.map((code) => ({ ...code, codeSystem: "MODIFIER" as const })) },
      procedure("E0650"),
      group("dx_covered", "I890"),
      group("dx_noncovered", "I890")
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(codeGroups, { minLength: 4 }), (turned) => {
        expect(shown({ ...base, codeGroups: turned })).toEqual({ E0650: "conditional", I890: "conditional" })
      })
    )
  })

  it("summarizes in whole words, at most 400 characters and a mark", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 120 }), (description) => {
        const summary = summaryOf({ ...base, description }) ?? ""
        expect(summary.length).toBeLessThanOrEqual(401)
        const words = summary.replace(/…$/, "")
        expect(description.startsWith(words)).toBe(true)
      })
    )
    expect(summaryOf(base)).toBe("Ulcers that last.")
    expect(summaryOf({ ...base, criteria: [] })).toBeNull()
  })

  it("names jurisdictions, without the number that lists nearly every state", () => {
    const contractors = [
      { contractorNumber: "05901", name: "W", jurisdictionCode: "J5" },
      { contractorNumber: "08101", name: "W", jurisdictionCode: "J8" },
      { contractorNumber: "99999", name: "W", jurisdictionCode: null }
    ]
    expect(jurisdictionsOf({ ...base, contractors })).toEqual(["J8"])
  })

  it("is found by its id, title, keywords and texts", () => {
    expect(searchTextOf(base)).toEqual({
      title: "L90001 Policy L90001",
      keywords: "ulcer wound",
      body: "Ulcers that last."
    })
  })
})
