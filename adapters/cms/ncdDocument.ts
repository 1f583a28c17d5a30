import { passagesOf, sectionsOf } from "../../core/coverage/passages.ts"
import type { PolicyDocument, PolicyId, PolicyStatus } from "../../core/coverage/Policy.ts"
import { ncdId } from "../../core/coverage/policyId.ts"
import { day, keywords, line, text } from "./cell.ts"
import type { NcdRow } from "./LoadedTables.ts"
import { ncdColumns } from "./referenceTables.ts"

/** An NCD is known by its section of the manual: `NCD 220.6`. */
export const ncdPolicyId = (row: NcdRow): PolicyId => ncdId(cell(row, "ncd_mnl_sect").trim())

/** A row of ncd_trkg.csv as a document. It has no code lists: what reaches a code says so elsewhere. */
export const ncdDocument = (row: NcdRow): PolicyDocument => {
  const criteria = passagesOf(narrativesOf(row))
  const flag = cell(row, "ncd_lab").trim().toLowerCase()
  const level = Number(cell(row, "cvrg_lvl_cd").trim())
  return {
    policy: { policyId: ncdPolicyId(row), policyType: "NCD", payerCode: "medicare", lineOfBusiness: null },
    title: line(cell(row, "ncd_mnl_sect_title")) || ncdPolicyId(row),
    documentVersion: String(row.version),
    status: statusOf(row),
    effectiveDate: day(cell(row, "ncd_efctv_dt")),
    retireDate: day(cell(row, "ncd_trmntn_dt")),
    lastReviewedDate: null,
    coverageLevel: Number.isInteger(level) && level > 0 ? level : null,
    ...(flag === "" ? {} : { laboratory: flag === "true" }),
    description: text(cell(row, "itm_srvc_desc")),
    keywords: keywords(cell(row, "ncd_keyword")),
    sections: sectionsOf(criteria),
    contractors: [],
    states: [],
    national: true,
    codeGroups: [],
    criteria,
    related: [],
    sourceUrl: `https://www.cms.gov/medicare-coverage-database/view/ncd.aspx?ncdid=${row.number}&ncdver=${row.version}`,
    sourceShape: criteria.length > 0 ? "criteria_backed" : "metadata_only",
    sourceShapeReason:
      criteria.length > 0
        ? "The source holds the text of the determination, and no code list: CMS publishes none with it."
        : "The source holds neither indications nor a code list of the determination.",
    sourceDocumentSha256: row.sha256
  }
}

const cell = (row: NcdRow, name: (typeof ncdColumns)[number]): string =>
  row.cells[ncdColumns.indexOf(name)] ?? ""

const narrativesOf = (row: NcdRow): Parameters<typeof passagesOf>[0] => {
  const [indications, other] = [text(cell(row, "indctn_lmtn")), text(cell(row, "othr_txt"))]
  return [
    ...(indications === null ? [] : [{ section: "indications" as const, text: indications }]),
    ...(other === null ? [] : [{ section: "other" as const, text: other }])
  ]
}

/** CMS retires an NCD by saying so in its title; most of these rows have no termination date (trap 2). */
const statusOf = (row: NcdRow): PolicyStatus =>
  /\bretired\b/i.test(cell(row, "ncd_mnl_sect_title")) ? "retired" : "active"
