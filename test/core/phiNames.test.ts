import { describe, expect, it } from "vitest"
import { fieldName, kindByName } from "../../core/phi/fieldNames.ts"
import { scan } from "../../core/phi/scan.ts"

describe("phi.md Names of fields", () => {
  const kindOf = (name: string, value: unknown = "x") => kindByName(fieldName(name, undefined), value) ?? ""

  it.each([
    ["ssn mbi hicn", "ssn mbi hicn"],
    ["medicare_id medicare_number medicaid_id", "mbi mbi member_id"],
    ["mrn medical_record medical_record_number medicalRecordNo chart_number", "mrn mrn mrn mrn mrn"],
    ["dob date_of_birth birth_date BirthDate date-of-birth", "dob dob dob dob dob"],
    ["date_of_death admission_date discharge_date", "date date date"],
    [
      "first_name last-name middleName full_name given_name family_name MAIDEN_NAME",
      "name name name name name name name"
    ],
    [
      "patient_name patientname member_id beneficiary_number subscriber_dob",
      "name name member_id member_id dob"
    ],
    ["insured_phone enrollee_email guarantor_address patient_first_name", "phone email address name"],
    ["subscriber_id policyholder_id insured_id_number", "member_id member_id member_id"],
    ["email phone fax mobile home_phone phone2", "email phone phone phone phone phone"],
    [
      "address address_line_1 mailing_address street city county",
      "address address address address address address"
    ],
    ["account account_number license passport vin plate", "account account license license vehicle vehicle"],
    ["device_serial udi ip_address biometric photo", "device device ip biometric photo"],
    ["ｓｓｎ s\u200bsn", "ssn ssn"],
    ["patient%5Fname patient%255Fname ssn%00", "name name ssn"],
    ["birthYear birth_year year_of_birth patient_birth_year", "dob dob dob dob"],
    ["insurance_id policyholder policyholder_id", "member_id name member_id"],
    ["member_group_number subscriber_group_no", "member_id member_id"],
    ["pt_name pt_id pt_dob pt_phone PtFirstName pt_last", "name member_id dob phone name name"],
    ["fname lname f_name person_name contact_last", "name name name name name"],
    ["ssn_last_four last4ssn ssn_last_4 last_4_of_ssn", "ssn ssn ssn ssn"],
    ["emergency_contact emergency_contact_name emergency_contact_phone", "name name phone"],
    ["next_of_kin next_of_kin_relation", "name name"],
    ["rx_number rx_no prescription_number fingerprint", "mrn mrn mrn biometric"],
    ["group_number contact_id person_id first last ptt pt_inr pt_sex rxcui", "        "]
  ])("%s are %s", (names, kinds) => {
    expect(
      names
        .split(" ")
        .map((name) => kindOf(name))
        .join(" ")
    ).toBe(kinds)
  })

  it("are refused with any value but an empty one", () => {
    expect([1, true, ["x"], { a: 1 }, "0"].map((value) => kindOf("ssn", value))).toEqual(
      Array.from({ length: 5 }, () => "ssn")
    )
    expect([null, "", "  ", "\u200b", [], {}].map((value) => kindOf("ssn", value)).join("")).toBe("")
  })

  it("zip and postal codes of three digits pass, longer ones do not", () => {
    expect(["750", "", 750, ["750"]].map((value) => kindOf("zip", value)).join("")).toBe("")
    expect(["75001", 75001, "75001-1234", ["75001"]].map((value) => kindOf("postal_code", value))).toEqual(
      Array.from({ length: 4 }, () => "address")
    )
  })

  it("ages up to 90 pass, older ones do not", () => {
    expect(
      [0, 65, 90, "90", "0"].flatMap((age) => [kindOf("age", age), kindOf("patient_age", age)]).join("")
    ).toBe("")
    expect([91, 120, "93", 90.5].map((age) => kindOf("age", age))).toEqual(["age", "age", "age", "age"])
  })

  it("plain name and id pass, unless they stand in a patient or a member", () => {
    const found = (value: unknown) => scan([{ base: "", value, shape: undefined }])
    expect(found({ name: "x", id: 1, plan: { name: "x", id: 2 } })).toMatchObject({ findings: [] })
    expect(found({ patient: { id: 1, name: "x" }, members: [{ name: "y" }] })).toMatchObject({
      findings: [
        { path: "/patient/id", kind: "member_id" },
        { path: "/patient/name", kind: "name" },
        { path: "/members/0/name", kind: "name" }
      ]
    })
  })

  it("first, last and name are refused in a person, contact, patient or insured", () => {
    const found = (value: unknown) => {
      const scanned = scan([{ base: "", value, shape: undefined }])
      return scanned._tag === "Scanned" ? scanned.findings.map(({ path }) => path) : scanned._tag
    }
    const parts = { first: "Jane", last: "Roe", name: "Jane Roe" }
    for (const name of ["person", "contact", "patient", "insured", "pt", "contact_info"])
      expect(found({ [name]: parts })).toEqual([`/${name}/first`, `/${name}/last`, `/${name}/name`])
    expect(found({ contact: { id: 1, first: 10, last: "", kind: "x" }, page: parts })).toEqual([])
    expect(found({ member: { group_number: "77" }, plan: { group_number: "77" } })).toEqual([
      "/member/group_number"
    ])
  })

  it("patient or ip as a name is the cue of its text", () => {
    const found = (value: unknown) => scan([{ base: "", value, shape: undefined }])
    expect(found({ patient: "Jane Doe", ip: "192.0.2.1" })).toMatchObject({
      findings: [
        { path: "/patient", kind: "name" },
        { path: "/ip", kind: "ip" }
      ]
    })
    expect(found({ patient: "adult", ip: true, version: "1.2.3.4" })).toMatchObject({ findings: [] })
  })
})
