/** The kinds of patient identifier, as `details.findings` names them, and what each is (phi.md). */
export const kinds = {
  mbi: "Medicare Beneficiary Identifier",
  ssn: "Social Security number",
  itin: "Individual Taxpayer Identification Number",
  hicn: "Health Insurance Claim Number: a Social Security number with a beneficiary code",
  phone: "telephone or fax number",
  email: "e-mail address",
  ip: "IP address",
  dob: "date of birth",
  date: "date of death, admission or discharge",
  age: "age above 90",
  mrn: "number of a medical record, chart or prescription",
  member_id: "number of a patient, member, subscriber or beneficiary",
  account: "account number",
  name: "name of a person",
  address: "street, city, county, or a postal code of more than three digits",
  license: "licence or passport number",
  vehicle: "vehicle identification or plate number",
  device: "device identifier or serial number",
  biometric: "biometric record",
  photo: "photograph"
} as const

export type Kind = keyof typeof kinds
