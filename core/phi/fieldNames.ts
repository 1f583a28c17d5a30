import type { Kind } from "./kinds.ts"
import { decodePercents, normalize } from "./normalize.ts"

/** A field by its name; names are folded to lower-case letters and digits. */
export interface NameRule {
  readonly kind: Kind
  readonly names: ReadonlyArray<string>
  /** Names that go on from here or end here are meant too: "address_line_1", "shipping address". */
  readonly begin?: string
  readonly end?: string
  /**
   * Plain `name` and `id` are fine: these count only as a patient's or member's, or as those of any person.
   */
  readonly owned?: "member" | "person"
  /** What the value, or one of several, must be besides not empty. */
  readonly accepts?: (value: unknown) => boolean
}

const split = (words: string): ReadonlyArray<string> => words.split(/\s+/)

/** More digits than the first three of a postal code, which cover at least twenty thousand people each. */
const isLongPostalCode = (value: unknown): boolean => String(value).replace(/\D/g, "").length > 3

const isWord = (value: unknown): boolean => typeof value === "string" && /\p{L}/u.test(value)

/** The oldest age that may be sent as it is: those above it are few enough to be known by it. */
export const ageMax = 90
const isAboveAgeMax = (value: unknown): boolean =>
  typeof value === "number" ? value > ageMax : typeof value === "string" && Number.parseFloat(value) > ageMax

/** The rules for names of fields, a row each (phi.md, Names of fields). */
export const nameRules: ReadonlyArray<NameRule> = [
  {
    kind: "ssn",
    names: split(
      `ssn ssnlast4 ssnlastfour ssnlast4digits last4ssn lastfourssn last4ofssn lastfourofssn ssn4
      socialsecurity socialsecuritynumber socialsecurityno`
    )
  },
  { kind: "mbi", names: split("mbi mbinumber medicareid medicarenumber medicareno medicarebeneficiaryid") },
  { kind: "hicn", names: split("hicn hic hicnumber healthinsuranceclaimnumber") },
  { kind: "itin", names: split("itin") },
  {
    kind: "mrn",
    names: split(
      `mrn mrnnumber chartnumber chartno chartid rxnumber rxno rxnum rxid prescriptionnumber prescriptionno
      prescriptionid`
    ),
    begin: "medicalrecord"
  },
  { kind: "dob", names: split("dob dateofbirth birthdate birthday birthdt birthyear yearofbirth yob") },
  {
    kind: "date",
    names: split(
      `dateofdeath deathdate deceaseddate admissiondate dateofadmission admitdate dischargedate
      dateofdischarge`
    )
  },
  {
    kind: "name",
    names: split(
      `firstname lastname middlename fullname givenname familyname maidenname mothersmaidenname surname
      middleinitial fname lname mname policyholder policyholders`
    )
  },
  { kind: "name", names: [], begin: "emergencycontact" },
  { kind: "name", names: [], begin: "nextofkin" },
  { kind: "name", names: split("nickname initials"), owned: "member" },
  { kind: "name", names: split("name names"), owned: "person" },
  { kind: "name", names: split("first last middle"), owned: "person", accepts: isWord },
  {
    kind: "member_id",
    names: split(
      `medicaidid medicaidnumber medicaidno memberid subscriberid policyholderid memberno membernumber
      insuranceid insuranceno insurancenumber`
    )
  },
  {
    kind: "member_id",
    names: split(
      `id ids idnumber idno identifier identifiers identification number no num groupnumber groupno groupid`
    ),
    owned: "member"
  },
  { kind: "email", names: split("email emails emailaddress mail mailaddress") },
  {
    kind: "phone",
    names: split(
      `phone phones phonenumber phoneno telephone telephonenumber tel fax faxnumber faxno mobile mobilenumber
      mobilephone cellphone cellnumber`
    )
  },
  {
    kind: "address",
    names: split(`street streetname streetnumber streetline city cityname county countyname housenumber`),
    begin: "address",
    end: "address"
  },
  {
    kind: "address",
    names: split("zip zipcode zip5 zip9 zip4 zipplus4 postal postalcode postcode"),
    accepts: isLongPostalCode
  },
  { kind: "age", names: split("age ageyears ageinyears"), accepts: isAboveAgeMax },
  {
    kind: "account",
    names: split("account accounts accountnumber accountno accountid acct acctno acctnumber")
  },
  {
    kind: "license",
    names: split(
      `license licence licensenumber licencenumber licenseno driverslicense driverlicense driverslicensenumber
      driverlicensenumber passport passportnumber passportno`
    )
  },
  {
    kind: "vehicle",
    names: split("vin vinnumber vehicleid plate platenumber licenseplate licenseplatenumber")
  },
  {
    kind: "device",
    names: split("udi serialnumber deviceid deviceidentifier"),
    begin: "deviceserial"
  },
  { kind: "ip", names: split("ipaddress ipaddr ipv4 ipv6 ipv4address ipv6address") },
  {
    kind: "biometric",
    names: split("fingerprint fingerprints voiceprint retinascan facescan"),
    begin: "biometric"
  },
  { kind: "photo", names: split("photo photos photourl photograph photographs portrait headshot") }
]

/** Whose a field is, in front of its name or as the name of the object around it. */
const owner = /^(?:patient|member|beneficiary|subscriber|insured|enrollee|guarantor|policyholder|pt)s?/
const anyPerson = new RegExp(`${owner.source}|^(?:person|contact)s?`)
const record = "(?:info|information|details|data|record|demographics)?$"
const ownersRecord = new RegExp(`(?:${owner.source})${record}`)
const personsRecord = new RegExp(`(?:${anyPerson.source})${record}`)
/** What leaves a field the same: "home phone", "mailing address". */
const qualifier =
  /^(?:home|work|mailing|billing|residential|permanent|current|primary|secondary|contact|emergencycontact)/

/** Each name's rules, so that a name costs a look-up however many rules there are. */
const byName: ReadonlyMap<string, ReadonlyArray<NameRule>> = nameRules.reduce(
  (found, rule) => rule.names.reduce((all, name) => all.set(name, [...(all.get(name) ?? []), rule]), found),
  new Map<string, ReadonlyArray<NameRule>>()
)
const openEnded = nameRules.filter((rule) => rule.begin !== undefined || rule.end !== undefined)

/** A longer name is no field's. */
const nameLengthMax = 64

/** A field's name as the rules read it. */
export interface FieldName {
  readonly folded: string
  /** Whose the field is, by its name or by that of the object around it. */
  readonly owned: NameRule["owned"]
}

/** Reads the name of a field in an object, which is itself the field `within`. */
export const fieldName = (name: string, within: FieldName | undefined): FieldName => {
  const folded =
    name.length > nameLengthMax
      ? ""
      : decodePercents(decodePercents(normalize(name)))
          .toLowerCase()
          .replace(/[^a-z0-9]/g, "")
  return { folded, owned: ownerOf(folded, within?.folded ?? "") }
}

const ownerOf = (folded: string, around: string): NameRule["owned"] => {
  if (owner.test(folded) || ownersRecord.test(around)) return "member"
  return anyPerson.test(folded) || personsRecord.test(around) ? "person" : undefined
}

/** The kind of identifier that a field of this name holds with this value. */
export const kindByName = ({ folded, owned }: FieldName, value: unknown): Kind | undefined => {
  if (folded === "") return undefined
  const own = folded.replace(anyPerson, "")
  const plain = own.replace(qualifier, "")
  const rules = [
    ...(byName.get(folded) ?? []),
    ...(byName.get(own) ?? []),
    ...(byName.get(plain) ?? []),
    ...(byName.get(plain.replace(/\d$/, "")) ?? []),
    ...openEnded.filter(({ begin, end }) => isOpen(own, begin, end))
  ]
  if (rules.length === 0 || isEmpty(value)) return undefined
  return rules.find((rule) => isOwned(rule, owned) && isMeant(rule, value))?.kind
}

/** A patient or member is a person too. */
const isOwned = (rule: NameRule, owned: NameRule["owned"]): boolean =>
  rule.owned === undefined || owned === "member" || rule.owned === owned

const isOpen = (name: string, begin: string | undefined, end: string | undefined): boolean =>
  (begin !== undefined && name.startsWith(begin)) || (end !== undefined && name.endsWith(end))

const isMeant = ({ accepts }: NameRule, value: unknown): boolean =>
  accepts === undefined || (Array.isArray(value) ? value.some(accepts) : accepts(value))

/** Whether text in the field is read as if it stood after the name: "patient: Jane Doe", "ip: 192.0.2.1". */
export const isCue = ({ folded }: FieldName): boolean => cues.has(folded)

const cues: ReadonlySet<string> = new Set(
  split("patient member beneficiary subscriber insured enrollee guarantor ip clientip remoteip sourceip")
)

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "string" && normalize(value).trim() === "") ||
  (typeof value === "object" && Object.keys(value).length === 0)
