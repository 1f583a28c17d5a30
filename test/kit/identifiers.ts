import * as fc from "fast-check"
import type { Kind } from "../../core/phi/kinds.ts"
import { isNpi } from "../../core/phi/identifiers.ts"

/** An invented identifier of a patient, and where the rules promise to see it. */
export interface Identifier {
  readonly kind: Kind
  readonly text: string
  /** Bare digits count as a whole value only. */
  readonly stands: "anywhere" | "alone"
}

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length })
const from = (letters: string, length = 1) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length })
const joined = (...parts: ReadonlyArray<fc.Arbitrary<string>>) =>
  fc.tuple(...parts).map((texts) => texts.join(""))
const oneOf = (...words: ReadonlyArray<string>) => fc.constantFrom(...words)

/** Area, group and serial of a Social Security number that may exist. */
const socialSecurity = fc.tuple(
  digits(3).filter((area) => !/^(000|666|9)/.test(area)),
  digits(2).filter((group) => group !== "00"),
  digits(4).filter((serial) => serial !== "0000")
)
const taxpayer = fc.tuple(
  digits(2).map((rest) => `9${rest}`),
  digits(2).filter((group) => {
    const number = Number(group)
    return number >= 50 && ![66, 67, 68, 69, 89, 93].includes(number)
  }),
  digits(4)
)
const phone = fc.tuple(joined(from("23456789"), digits(2)), joined(from("23456789"), digits(2)), digits(4))
const grouped = (groups: fc.Arbitrary<ReadonlyArray<string>>, ...separators: ReadonlyArray<string>) =>
  fc.tuple(groups, oneOf(...separators)).map(([parts, separator]) => parts.join(separator))

const mbiLetters = "ACDEFGHJKMNPQRTUVWXY"
const mbi = fc.tuple(
  joined(from("123456789"), from(mbiLetters), from(`${mbiLetters}0123456789`), digits(1)),
  joined(from(mbiLetters), from(`${mbiLetters}0123456789`), digits(1)),
  joined(from(mbiLetters, 2), digits(2))
)
const upper = from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
const lower = fc.string({
  unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
  minLength: 2,
  maxLength: 8
})
const surname = joined(upper, lower).filter((name) => name.length > 4)
const host = joined(lower, oneOf(".example", ".com", ".org", ".co.uk"))
const octet = fc.integer({ min: 0, max: 255 }).map(String)
const day = fc
  .record({
    year: fc.integer({ min: 1910, max: 2025 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    writing: fc.nat({ max: 3 })
  })
  .map(({ year, month, day, writing }) => {
    const [mm, dd] = [month, day].map((part) => String(part).padStart(2, "0"))
    const name = ["January", "Feb.", "March", "Apr", "May", "June", "July", "Aug", "Sept", "Oct"][month % 10]
    return [
      `${month}/${day}/${year}`,
      `${year}-${mm}-${dd}`,
      `${name} ${day}, ${year}`,
      `${mm}-${dd}-${year}`
    ][writing] as string
  })
const cued = (cues: ReadonlyArray<string>, value: fc.Arbitrary<string>) =>
  joined(oneOf(...cues), oneOf(": ", " ", " is ", " = "), value)

const kind = (name: Kind, text: fc.Arbitrary<string>, stands: Identifier["stands"] = "anywhere") =>
  text.map((written): Identifier => ({ kind: name, text: written, stands }))

/** One generator for every way of every kind of value (phi.md, Values). */
export const identifierKinds: Readonly<Record<string, fc.Arbitrary<Identifier>>> = {
  mbi: kind("mbi", grouped(mbi, "", "-", ".", "_")),
  "mbi in small letters": kind(
    "mbi",
    grouped(mbi, "", "-").map((text) => text.toLowerCase())
  ),
  ssn: kind("ssn", grouped(socialSecurity, "-", " ", "_", "·")),
  "nine bare digits": kind("ssn", grouped(socialSecurity, ""), "alone"),
  "nine digits after a cue": kind(
    "ssn",
    cued(["SSN", "ssn", "Social Security number", "SS#"], grouped(socialSecurity, ""))
  ),
  itin: kind("itin", grouped(taxpayer, "-", " ", "_", "·")),
  hicn: kind(
    "hicn",
    joined(grouped(socialSecurity, "-", ""), oneOf("A", "B1", "C1", "D", "HA", "M", "T", "W", "a", "-D6"))
  ),
  phone: kind("phone", grouped(phone, "-", ".", " ")),
  "phone with a bracket": kind(
    "phone",
    phone.map(([area, exchange, line]) => `(${area}) ${exchange}-${line}`)
  ),
  "phone with its country": kind("phone", joined(oneOf("+1 ", "1-", "+1"), grouped(phone, "-"))),
  "ten bare digits": kind(
    "phone",
    grouped(phone, "").filter((text) => !isNpi(text)),
    "alone"
  ),
  "ten digits after a cue": kind(
    "phone",
    cued(
      ["phone", "Tel", "call", "Fax", "mobile number"],
      grouped(phone, "").filter((text) => !isNpi(text))
    )
  ),
  "email, percent-encoded": kind("email", joined(lower, oneOf("%40", "%2540"), host)),
  email: kind("email", joined(lower, oneOf("", ".", "+", "_"), lower, fc.constant("@"), host)),
  "IPv4 after a cue": kind(
    "ip",
    cued(
      ["IP", "ip address", "IPv4"],
      fc.array(octet, { minLength: 4, maxLength: 4 }).map((parts) => parts.join("."))
    )
  ),
  "IPv6 after a cue": kind(
    "ip",
    cued(["IP", "IPv6 address"], joined(fc.constant("2001:db8::"), from("123456789abcdef", 3)))
  ),
  dob: kind("dob", cued(["DOB", "dob", "D.O.B.", "Date of birth", "born", "born on", "birthdate"], day)),
  mrn: kind(
    "mrn",
    cued(
      ["MRN", "mrn", "Medical record number", "chart no."],
      joined(digits(3), fc.string({ unit: upper, maxLength: 2 }))
    )
  ),
  member: kind(
    "member_id",
    cued(
      ["Member ID", "subscriber number", "patient id", "beneficiary no.", "Medicaid ID", "Medicare number"],
      joined(upper, digits(6))
    )
  ),
  account: kind("account", cued(["account number", "Acct #", "account no."], digits(7))),
  "name with a title": kind("name", joined(oneOf("Mrs. ", "Mr. ", "Ms. ", "Mr ", "Mrs "), surname)),
  "name with a title in any case": kind(
    "name",
    joined(oneOf("Mrs. ", "Mr. "), surname).chain((text) => oneOf(text.toUpperCase(), text.toLowerCase()))
  ),
  "name after a cue": kind(
    "name",
    joined(
      oneOf("Patient name: ", "member name = ", "Insured's name: ", "last name: "),
      surname,
      fc.constant(" "),
      surname
    )
  ),
  address: kind(
    "address",
    joined(
      fc.integer({ min: 1, max: 99_999 }).map(String),
      fc.constant(" "),
      surname,
      oneOf(" Street", " Avenue", " St", " Rd.", " Drive", " street", " BLVD", " Ln", " Court")
    )
  )
}

const wide = (character: string): string => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)
const oddDashes = [..."\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2043\u2e3a\u02d7"]
const unseen = [..."\u200b\u200c\u200d\u2060\ufeff\u180e\u034f\ufe0f\u00ad"]

/** The text in another writing: full-width characters, odd dashes and blanks, zero-width characters. */
export const disguise = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.nat({ max: 99 }), { minLength: text.length, maxLength: text.length }).map((chances) =>
    [...text]
      .map((character, index) => {
        const chance = chances[index] ?? 0
        const shown =
          character === "-"
            ? (oddDashes[chance % (oddDashes.length + 3)] ?? "-")
            : character === " "
              ? (["\u00a0", "\u3000", "\u2009"][chance % 6] ?? " ")
              : /[!-~]/.test(character) && chance % 3 === 0
                ? wide(character)
                : character
        return chance > 60 ? shown + (unseen[chance % unseen.length] ?? "") : shown
      })
      .join("")
  )

/** A value somewhere in JSON, and the pointer to it. */
export interface PlacedValue {
  readonly path: string
  readonly json: unknown
}

const step = fc.oneof(
  fc.constantFrom("notes", "comment", "items", "a/b", "x~y", "Note", "name", "id", "filter"),
  fc.nat({ max: 3 })
)

/** The text at any path, ten levels deep at most. */
export const placeAnywhere = (text: string): fc.Arbitrary<PlacedValue> =>
  fc.array(step, { minLength: 1, maxLength: 10 }).map((steps) =>
    steps.reduceRight<PlacedValue>(
      ({ path, json }, at) =>
        typeof at === "number"
          ? { path: `/${at}${path}`, json: [...Array.from({ length: at }, () => "E0601"), json] }
          : {
              path: `/${at.replace("~", "~0").replace("/", "~1")}${path}`,
              json: { code: "E0601", [at]: json }
            },
      { path: "", json: text }
    )
  )
