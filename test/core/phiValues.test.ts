import * as fc from "fast-check"
import { normalize } from "../../core/phi/normalize.ts"
import { describe, expect, it } from "vitest"
import { makeKey } from "../../core/key/Key.ts"
import { timeId } from "../../core/id/timeId.ts"
import { identifiersIn } from "../../core/phi/detect.ts"
import { isNpi } from "../../core/phi/identifiers.ts"
import { scan } from "../../core/phi/scan.ts"

const inText = (text: string) => identifiersIn(text, { bareDigits: "identifying" })
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe("phi.md Values: what is an identifier and what only looks like one", () => {
  it.each([
    ["1EG4-TE5-MK73", "mbi"],
    ["1eg4te5mk73", "mbi"],
    ["1EG4–TE5–MK73", "mbi"],
    ["the member 1EG4TE5MK73 asks", "mbi"],
    ["X1EG4TE5MK73", ""],
    ["1EG4TE5MK735", ""],
    ["0EG4TE5MK73", ""],
    ["1SG4TE5MK73", ""],
    ["1EG4-TE5MK-73", ""],
    ["1EG4.TE5.MK73", "mbi"],
    ["1eg4_te5_mk73", "mbi"],
    ["order_1EG4_TE5_MK73_2026", "mbi"],
    ["1EG4,TE5,MK73", ""],
    ["123-45-6789", "ssn"],
    ["123 45 6789", "ssn"],
    ["123_45_6789", "ssn"],
    ["123·45·6789", "ssn"],
    ["123•45•6789", "ssn"],
    ["123・45・6789", "ssn"],
    ["912_70_3456", "itin"],
    ["123_45_6789A", "hicn"],
    ["123.45.6789 units", ""],
    ["1 2 3 4 5 6 7 8 9", ""],
    ["１２３－４５－６７８９", "ssn"],
    ["١٢٣-٤٥-٦٧٨٩", "ssn"],
    ["123\u200b-4\u20605-6789", "ssn"],
    ["123\u00ad45\u00ad6789 in a sentence", "ssn"],
    ["SSN123-45-6789", "ssn"],
    ["000-12-3456", ""],
    ["666-12-3456", ""],
    ["987-12-3456", ""],
    ["123-00-3456", ""],
    ["123-45-0000", ""],
    ["123456789", "ssn"],
    ["about 123456789 units", ""],
    ["my social security number is 123456789", "ssn"],
    ["912-70-3456", "itin"],
    ["912703456", "itin"],
    ["912-66-3456", ""],
    ["912-93-3456", ""],
    ["123-45-6789A", "hicn"],
    ["123456789C1", "hicn"],
    ["123-45-6789 HA", "hicn"],
    ["123-45-6789 A claim", "ssn"],
    ["(212) 555-0100", "phone"],
    ["212.555.0100", "phone"],
    ["+1-212-555-0100", "phone"],
    ["+12125550100", "phone"],
    ["112-555-0100", ""],
    ["212-155-0100", ""],
    ["2125550100", "phone"],
    ["2125550100 units", ""],
    ["1234567893", ""],
    ["call 2125550100", "phone"],
    ["jane.doe@example.com", "email"],
    ["write to <jane@mail.example.co.uk>.", "email"],
    ["https://hooks.customer.com/a@b", ""],
    ["https://user:secret@hooks.customer.com/in", ""],
    ["https://customer.com/?to=jane@example.com", "email"],
    ["https://customer.com/jane%40example.com", "email"],
    ["https://customer.com/jane%2540example.com", "email"],
    ["https://customer.com/jane%252540example.com", ""],
    ["123%2D45%2d6789", "ssn"],
    ["123%E2%80%9345%E2%80%936789", "ssn"],
    ["%EF%BC%91%32%33-%F0%9D%9F%9C5-6789", "ssn"],
    ["123％2d45％2d6789", "ssn"],
    ["Patient%20name:%20Quill%", "name"],
    ["150%20mg, 5%41, %F5%80%80%80, %", ""],
    ["@mention", ""],
    ["IP 192.0.2.1", "ip"],
    ["client IP address: 2001:db8::1", "ip"],
    ["192.0.2.1", ""],
    ["NCD section 20.8.1.1", ""],
    ["20.8.1.1", ""],
    ["DOB 1/2/1950", "dob"],
    ["born on January 2, 1950", "dob"],
    ["born in 1950", ""],
    ["on 1/2/2026", ""],
    ["MRN: 0012", "mrn"],
    ["medical record number A-77 12", "mrn"],
    ["medical records must be kept 7 years", ""],
    ["Member ID W123456789", "member_id"],
    ["the number of members is 500", ""],
    ["account number 4455667", "account"],
    ["account 4455667", "account"],
    ["account 445566", "account"],
    ["account 36415", ""],
    ["account 36415-59 to the plan", ""],
    ["account number 36415", "account"],
    ["Acct: 4455667", "account"],
    ["taking into account 2005 data", ""],
    ["medical record: A7712", "mrn"],
    ["MRN0012345", "mrn"],
    ["Patient name: Jane Doe", "name"],
    ["Mrs. Alvarez", "name"],
    ["MR. ALVAREZ", "name"],
    ["Patient: Jane Doe", "name"],
    ["the patient name is required", ""],
    ["Mr. Spirometer", ""],
    ["MR. SPIROMETER's mouthpiece", ""],
    ["Ms. Mammogram and Mrs. Colonoscopy", ""],
    ["Member: Medicare Advantage", ""],
    ["Patient name: Medicaid", ""],
    ["Mr. Spirometer and Mr. Quill", "name"],
    ["Mr. Walker", "name"],
    ["Mrs. Ingram", "name"],
    ["Mr. Politis", "name"],
    ["Member: Jane Medicare", "name"],
    ["Crohn disease, Parkinson disease, Hodgkin lymphoma", ""],
    ["MR angiography and MRS of the brain", ""],
    ["patients with MS. The drug", ""],
    ["12 Main Street", "address"],
    ["1200 N. Elm St, Springfield", "address"],
    ["44 west 4th street", "address"],
    ["PO Box 123", "address"],
    ["https://customer.com/12%20Main%20Street", "address"],
    ["64 slice CT", ""],
    ["12 months in the street and highway", ""]
  ])("%s: %s", (text, kinds) => expect(inText(text).join(", ")).toBe(kinds))

  it("every run of blanks is read as one space", () => {
    expect(normalize("MRN\u00a0\u2003 \t12345\n\n6")).toBe("MRN 12345 6")
  })

  it("a National Provider Identifier is told from a telephone number by its check digit", () => {
    expect(["1234567893", "1245319599", "2125550100", "123456789"].map(isNpi)).toEqual([
      true,
      true,
      false,
      false
    ])
  })
})

describe("phi.md Must pass", () => {
  it.each([
    ["age", 0],
    ["age", 90],
    ["age_category", "medicare_age"],
    ["sex", "female"],
    ["sex_when_policy_relevant", "female"],
    ["state", "TX"],
    ["jurisdiction", "JH"],
    ["procedure_codes", ["64493", "E0601", "0037U", "K0001"]],
    ["diagnosis_codes", ["E11.65", "Z9989", "S72.001A"]],
    ["modifiers", ["26", "LT", "XU"]],
    ["modifier", "59"],
    ["npi", "1234567893"],
    ["npi", 1234567893],
    ["taxonomy", "207RC0000X"],
    ["provider_specialty", "interventional cardiology"],
    ["specialty", "06"],
    ["date_of_service", "2026-01-31"],
    ["site_of_service", "outpatient_hospital"],
    ["place_of_service", "22"],
    ["payer", "UnitedHealthcare"],
    ["plan", "Gold PPO 2026"],
    ["plan_type", "medicare_advantage"],
    ["bmi", 41.5],
    ["ejection_fraction", "35%"],
    ["hemoglobin_a1c", 9.1],
    ["units", { "64493": 2 }],
    ["policy_id", "L33831"],
    ["policy_id", "NCD 220.6"],
    ["policy_number", "2026-0042"],
    ["url", "https://hooks.customer.com:443/in/8f14?x=1"],
    ["source_url", "https://www.cms.gov/medicare-coverage-database/view/lcd.aspx?lcdid=33831&ver=42"],
    ["ndc", "50242-0413-01"],
    ["ndc", "12345-1234-12"],
    ["contractor_number", "05901"],
    ["contractor_number", 4412],
    ["patient_age", 72],
    ["patient_sex", "male"],
    ["patient_state", "CA"],
    ["member_count", 1200],
    ["name", "Manual wheelchair bases"],
    ["id", 42],
    ["q", "patients over 65 with 20/40 vision, 150 mg every 4 weeks, 10-20 units, 2026-01-31"],
    ["q", "1EG4"],
    ["bill_type", "0131"],
    ["revenue_code", "0636"],
    ["icd10pcs", "02RF38Z"],
    ["drg", "470"],
    ["sha256", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]
  ])("%s %j", (name, value) => {
    const scanned = scan([{ base: "/body", value: { [name]: value }, shape: undefined }])
    expect(scanned).toEqual({ _tag: "Scanned", findings: [] })
  })

  const passes = (text: string): void => void expect(inText(text)).toEqual([])

  it("UUIDs", () => fc.assert(fc.property(fc.uuid(), passes), { numRuns: 3_000 }))

  it("NDC 5-4-2", () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
    const ndc = fc.tuple(digits(5), digits(4), digits(2)).map((parts) => parts.join("-"))
    fc.assert(fc.property(ndc, passes), { numRuns: 1_000 })
  })

  it("request ids and ids of organizations and keys", () => {
    const ids = fc.record({ nowMs: fc.nat({ max: 4_000_000_000_000 }), randomBytes: bytes(10) }).map(timeId)
    fc.assert(
      fc.property(ids, (id) => [`req_${id}`, `org_${id}`, `key_${id}`].forEach(passes)),
      { numRuns: 1_000 }
    )
  })

  it("our own keys", () => {
    const keys = fc.record({ mode: fc.constantFrom("live", "test"), randomBytes: bytes(27) }).map(makeKey)
    fc.assert(fc.property(keys, passes), { numRuns: 1_000 })
  })
})
