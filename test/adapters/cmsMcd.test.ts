import { describe, expect, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { policyCodes } from "../../core/coverage/view.ts"
import { contentsAt, editedFixture, fixture, newestOf } from "../kit/cmsFixtures.ts"

const documents = Effect.map(contentsAt(fixture("mcd")), newestOf)

const the = (id: string) =>
  Effect.map(documents, (all): PolicyDocument => {
    const document = all.get(id)
    if (document === undefined) throw new Error(`${id} is not in the fixture`)
    return document
  })

/** The table with one column the same in every row. */
const withCell = (table: string, column: string, cell: string): string => {
  const [header = [], ...rows] = parse(table) as Array<Array<string>>
  const changed = rows.map((row) => row.with(header.indexOf(column), cell))
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  return [header, ...changed].map((row) => row.map(quoted).join(",")).join("\n")
}

const policyIds = [
  ...["NCD 160.90", "NCD 20.8.1.1", "NCD 240.90", "NCD 270.90", "NCD 280.6", "NCD 280.60"],
  ...["DL90005", "L90001", "L90002", "L90003", "L90004", "L90006"],
  ...["L90010", "L90011", "L90012", "L90014", "L90015", "L90016", "L90017"],
  ...["A95001", "A95002", "A95010", "A95011", "A95012", "A95014", "A95015", "DA95003"]
]

describe("a download of the Medicare Coverage Database (coverage-domain §1.1)", () => {
  it.effect("is one snapshot with its policies, newest day, jurisdictions and gaps", () =>
    Effect.gen(function* () {
      const contents = yield* contentsAt(fixture("mcd"))
      expect(contents.snapshot).toMatchObject({ kind: "mcd", sourceAsOf: "2026-03-12" })
      expect(contents.policies.map((policy) => policy.policyId)).toEqual(policyIds)
      expect(
        contents.jurisdictions.map((one) => [one.jurisdictionCode, one.macType, one.states.join()])
      ).toEqual([
        ["DME JC", "DME MAC", "CO,FL,OK,TX"],
        ["J15", "A/B/HHH MAC", "KY"],
        ["J5", "A/B MAC", "IA,MO"],
        ["JE", "A/B MAC", "CA,MP"],
        ["JH", "A/B MAC", "OK,TX"]
      ])
      expect(contents.gaps).toEqual([
        "LCDs without a row of lcd.csv (no title, dates or text; never more than conditional): 1.",
        "NCDs that are referred to and not in ncd_trkg.csv: 1.",
        "Listed codes that are placeholders and were left out: 1."
      ])
    })
  )

  it.effect("makes an LCD with its sections, dates, contractors and links of the newest version", () =>
    Effect.gen(function* () {
      const lcd = yield* the("L90001")
      expect(lcd).toMatchObject({
        title: "Lumbar Epidural Injections for Radicular Pain",
        status: "active",
        effectiveDate: "2024-07-07",
        lastReviewedDate: "2025-06-20",
        states: ["OK", "TX"],
        keywords: ["epidural", "radiculopathy", "spine"],
        sourceShape: "criteria_backed",
        sourceUrl: "https://www.cms.gov/medicare-coverage-database/view/lcd.aspx?lcdid=90001&ver=12",
        related: [
          { policyId: "A95001", policyType: "Article" },
          { policyId: "L90004", policyType: "LCD" }
        ]
      })
      expect(lcd.sections.indications).toContain(
        "- pain of at least 4 weeks’ duration with a score ≥ 6 of 10;"
      )
      expect(lcd.sections.limitations).toMatch(/^Injections for axial spine pain alone are not covered/)
      expect(lcd.sections.documentation).toContain("the imaging report")
      expect(lcd.criteria.map((block) => block.section)).toEqual([
        "indications",
        "limitations",
        "documentation",
        "frequency",
        "other",
        "other"
      ])
      expect(lcd.contractors.map((one) => [one.contractorNumber, one.jurisdictionCode])).toEqual([
        ["04312", "JH"],
        ["04411", "JH"],
        ["04412", "JH"]
      ])
    })
  )

  it.effect("shows a proposal under its display id where that is not its own number", () =>
    Effect.gen(function* () {
      const path = yield* editedFixture("mcd", { lcd: (text) => text.replace(",90005,", ",90001,") })
      const proposal = newestOf(yield* contentsAt(path)).get("DL90001")
      expect(proposal).toMatchObject({ status: "proposed", title: "Remote Cardiac Monitoring" })
      expect(proposal?.sourceUrl).toMatch(/lcdid=90005&ver=2$/)
    })
  )

  it.effect("lets lcd.csv settle the version: rows of an older or a newer one are not the document's", () =>
    Effect.gen(function* () {
      const path = yield* editedFixture("mcd", {
        lcd_x_contractor: (text) => `${text}90001,13,721,12,1,2026-03-12 00:00:00\n`
      })
      expect(newestOf(yield* contentsAt(path)).get("L90001")?.states).toEqual(["OK", "TX"])
    })
  )

  it.effect(
    "takes the states of an LCD with one contractor from the document itself (trap: HHH serves eight)",
    () =>
      Effect.gen(function* () {
        expect((yield* the("L90002")).states).toEqual(["KY", "OH"])
        expect((yield* the("L90002")).retireDate).toBe("2027-01-31")
      })
  )

  it.effect("does not take contractor 05901 for everywhere (trap 3)", () =>
    Effect.gen(function* () {
      const bare = yield* the("L90006")
      expect(bare.states).toEqual(["IA", "MO"])
      expect(bare.contractors.map((one) => one.contractorNumber)).toContain("05901")
    })
  )

  it.effect("imports an LCD without a row of lcd.csv by what is known, and says so", () =>
    Effect.gen(function* () {
      expect(yield* the("L90006")).toMatchObject({
        title: "LCD L90006",
        effectiveDate: null,
        status: "unknown",
        documentVersion: "4",
        sourceShape: "metadata_only",
        sourceShapeReason: expect.stringMatching(
          /^The snapshot's lcd.csv has no row for this document: its title/
        )
      })
      const contents = yield* contentsAt(yield* editedFixture("mcd", { lcd: null }))
      const listed = newestOf(contents).get("L90003")
      expect(listed).toMatchObject({ title: "LCD L90003", sourceShape: "code_list_only" })
      expect(listed?.sourceShapeReason).toMatch(/^The snapshot holds no lcd.csv/)
      expect(listed === undefined ? [] : policyCodes(listed).map((code) => code.disposition)).toEqual([
        "conditional",
        "conditional",
        "conditional"
      ])
    })
  )

  it.effect(
    "tells retired, proposed and active documents apart, and shows a proposal under its display id",
    () =>
      Effect.gen(function* () {
        const all = yield* documents
        const flags = ["L90001", "L90004", "DL90005", "DA95003", "NCD 280.6"].map((id) => all.get(id)?.status)
        expect(flags).toEqual(["active", "retired", "proposed", "proposed", "retired"])
        expect(all.get("L90004")?.retireDate).toBe("2024-09-30")
        expect(all.get("DA95003")?.related).toEqual([{ policyId: "DL90005", policyType: "LCD" }])
      })
  )
})

describe("an Article (coverage-domain §2)", () => {
  it.effect(
    "holds its groups with paragraphs, asterisks and canonical codes, of its newest version only",
    () =>
      Effect.gen(function* () {
        const article = yield* the("A95001")
        const group = (kind: string, number: number) =>
          article.codeGroups.find((one) => one.kind === kind && one.group === number)
        expect(group("procedure", 1)?.codes.map((code) => [code.code, code.codeSystem])).toEqual([
          ["0627T", "CPT"],
          ["62321", "CPT"],
          ["62323", "CPT"]
        ])
        expect(group("procedure", 1)?.paragraph).toBe(
          "These codes are payable for the diagnoses of Group 1 and Group 2 below."
        )
        expect(group("dx_covered", 1)?.codes.map((code) => code.code)).toEqual(["M5116", "M5416", "M5417"])
        expect(group("dx_covered", 2)).toMatchObject({
          asteriskText: "*M48.061 only with a documented trial of physical therapy.",
          codes: [
            { code: "M48061", asterisk: true },
            { code: "M48062", asterisk: false }
          ]
        })
        expect(article.codeGroups.map((one) => one.kind)).toEqual([
          "bill_type",
          "dx_covered",
          "dx_covered",
          "dx_noncovered",
          "modifier",
          "procedure",
          "revenue"
        ])
      })
  )

  it.effect("promises nothing that its LCD may still ask for", () =>
    Effect.gen(function* () {
      const shown = new Map(policyCodes(yield* the("A95001")).map((code) => [code.code, code.disposition]))
      expect(["62323", "M5416", "M48061", "M48062", "M5450"].map((code) => shown.get(code))).toEqual([
        "conditional",
        "conditional",
        "conditional",
        "conditional",
        "not_covered"
      ])
    })
  )

  it.effect("is linked with its LCD both ways, whichever of them names the other", () =>
    Effect.gen(function* () {
      expect((yield* the("A95001")).related).toEqual([{ policyId: "L90001", policyType: "LCD" }])
      expect((yield* the("A95002")).related).toEqual([{ policyId: "L90003", policyType: "LCD" }])
      expect((yield* the("L90003")).related.map((one) => one.policyId)).toEqual(["A95002", "NCD 280.6"])
    })
  )

  it.effect("holds its additional ICD-10 information, of a table that has the column", () =>
    Effect.gen(function* () {
      const said = "M54.16 must be billed with a second diagnosis."
      const told = yield* editedFixture("mcd", { article: (text) => withCell(text, "add_icd10_info", said) })
      const texts = (all: ReadonlyMap<string, PolicyDocument>) =>
        all.get("A95001")?.criteria.map((block) => block.text) ?? []
      expect(texts(newestOf(yield* contentsAt(told))).join("\n")).toContain(said)
      const bare = yield* editedFixture("mcd", {
        article: (text) => text.replace("add_icd10_info", "some_other")
      })
      expect(texts(newestOf(yield* contentsAt(bare)))).toEqual(texts(yield* documents))
    })
  )

  it.effect("describes each HCPCS level II and ICD-10-CM code once, by its newest row", () =>
    Effect.gen(function* () {
      const { descriptions = [] } = yield* contentsAt(fixture("mcd"))
      const said = new Map(descriptions.map((one) => [`${one.codeSystem} ${one.code}`, one.description]))
      expect(said.size).toBe(descriptions.length)
      expect(said.get("HCPCS E0601")).toBe("CONTINUOUS POSITIVE AIRWAY PRESSURE DEVICE")
      expect(said.get("ICD10CM M5416")).toBe("Radiculopathy, lumbar region")
      expect([...said.keys()].filter((key) => !/^(HCPCS [A-CE-Z]|ICD10CM )/.test(key))).toEqual([])
      const renamed = yield* editedFixture("mcd", {
        article_x_hcpc_code: (text) =>
          text.replace(
            /(E0601,100,1,N,)2026-03-12(.*,)CONTINUOUS POSITIVE AIRWAY PRESSURE DEVICE,/,
            "$12027-01-01$2NEWER,"
          )
      })
      const again = (yield* contentsAt(renamed)).descriptions ?? []
      expect(again.find(({ code }) => code === "E0601")?.description).toBe("NEWER")
    })
  )

  it.effect("keeps no word of the AMA's in any document", () =>
    Effect.gen(function* () {
      expect(JSON.stringify([...(yield* documents).values()])).not.toContain("LICENSED DESCRIPTOR")
    })
  )
})

describe("a national determination (coverage-domain §1.5, traps 1, 2 and 7)", () => {
  it.effect("is read from Windows-1252 beside tables in UTF-8", () =>
    Effect.gen(function* () {
      expect((yield* the("NCD 270.90")).description).toBe(
        "Devices that apply pressure below that of the air to a wound – at the patient’s home."
      )
      expect((yield* the("L90003")).codeGroups[0]?.paragraph).toContain("coverage – see")
      expect((yield* the("A95002")).title).toBe("Pneumatic Compression Devices – Policy Article")
    })
  )

  it.effect(
    "has its older versions before its newest, and its headings part what is covered from what is not",
    () =>
      Effect.gen(function* () {
        const contents = yield* contentsAt(fixture("mcd"))
        const wound = contents.policies.find((policy) => policy.policyId === "NCD 270.90")
        expect(wound?.versions.map((version) => version().effectiveDate)).toEqual([
          "2012-04-01",
          "2022-10-01"
        ])
        expect((yield* the("NCD 270.90")).sections).toMatchObject({
          indications: "Chronic ulcers and surgical wounds that have not healed.",
          limitations: "Wounds with untreated infection are not covered."
        })
      })
  )

  it.effect("keeps its section as text, and its level even where CMS defines none", () =>
    Effect.gen(function* () {
      const all = yield* documents
      expect(["NCD 280.6", "NCD 280.60", "NCD 20.8.1.1"].map((id) => all.get(id)?.coverageLevel)).toEqual([
        2, 3, 4
      ])
      expect(all.get("NCD 20.8.1.1")?.sourceShape).toBe("metadata_only")
    })
  )
})
