import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, it } from "vitest"
import type { PasswordFault } from "../../core/person/password.ts"
import { commonWordsFile, commonWordsText } from "../../apps/reference/commonWords.ts"
import { passwordFault, passwordSays } from "../../core/person/password.ts"

const ada = "Ada.Lovelace@clinic.example"

/** Long enough, and yet among the first that a list of stolen passwords and a few rules would produce. */
const commonPasswords = [
  ...["Summer2026!!!", "Winter2026!!!", "Spring2026!@#", "December2026!", "Monday123456!", "Football2026!"],
  ...["Liverpool1234!", "Chelsea2026!!", "Arsenal123456", "Yankees2026!!", "Cowboys12345!", "Manchester2026"],
  ...["Iloveyou2026!!", "Michael12345!", "Charlie123456", "Jennifer1990!", "Elizabeth1987!", "Princess!2026"],
  ...["Sunshine1234!", "Monkey123456!", "Dragon123456!", "Superman1234!", "Trustno1!2026", "Letmein12345!"],
  ...["letmeinplease1", "Computer2026#", "Google123456!", "Basketball23!", "Chocolate123!", "Ch0c0late2026"],
  ...[
    "W3lcome2026!!",
    "Welcome to 2026!",
    "Hello World 123",
    "NewYork2026!!",
    "California1!!",
    "bigdog2026!!!"
  ],
  ...["1qaz2wsx3edc", "1qaz2wsx3edc4rfv", "qazwsxedcrfv", "zaq12wsxcde3", "zaq12wsx2026", "qweasdzxc123!"],
  ...["!QAZ2wsx#EDC", "!QAZ@WSX#EDC", "147258369000!", "drowssap2026!"],
  ...[
    "Hospital2026!",
    "Doctor123456!",
    "abc123abc123!",
    "another password",
    "SummerSummer2026",
    "summer summer summer"
  ],
  ...["correct horse battery staple", "CorrectHorseBatteryStaple1", "the quick brown fox", "aaaaaaaaaaaab"]
]

/** What anybody would try first, each with the reason that the form gives. */
const guessed: Readonly<Record<Exclude<PasswordFault, "too_short" | "too_long">, ReadonlyArray<string>>> = {
  repeated: ["aaaaaaaaaaaa", " ".repeat(12), "x".repeat(128), "abcdabcdabcd", "121212121212", "ÄÄÄÄÄÄÄÄÄÄÄÄ"],
  run: [
    "123456789012",
    "1234567890123456",
    "987654321098",
    "abcdefghijkl",
    "QWERTYUIOPAS",
    "mnbvcxzlkjhgf",
    "1q2w3e4r5t6y",
    "123456abcdef",
    "qwertyuiop12"
  ],
  own_email: ["ada.lovelace@clinic.example", "ada.lovelace1", "AdaLovelace2026!", "1815adalovelace"],
  well_known: [
    "password1234",
    "Password2026!",
    "P@ssw0rd1234",
    "passwordpassword",
    "mypassword123",
    "welcome12345",
    "adminadmin12",
    "iloveyou!!!!!",
    "coverage2026",
    "Coverage-Policy1",
    "CoveragePolicyAPI",
    ...commonPasswords
  ]
}

describe("contract §3 passwords", () => {
  it("have 12 to 128 characters, spaces among them", () => {
    const faults = [11, 12, 128, 129].map((length) =>
      passwordFault("a few good words".padEnd(length, " it").slice(0, length))
    )
    assert.deepEqual(faults, ["too_short", undefined, undefined, "too_long"])
  })

  for (const [fault, passwords] of Object.entries(guessed))
    it.each(passwords)(`are not what anybody would try (${fault}): %s`, (password) => {
      assert.equal(passwordFault(password, ada), fault)
    })

  it("are taken where they only hold such a thing, or are long enough to be anything", () => {
    for (const password of [
      "four words make it",
      "violet kettle morning bridge",
      "Tr0ub4dor&3xyz",
      "password of the north wind",
      "ada.lovelace met babbage",
      "8374 6281 7390",
      "another password here",
      "zs8dk2ls0f7a",
      "日本語の長い合言葉です今日"
    ])
      assert.equal(passwordFault(password, ada), undefined, password)
    assert.equal(passwordFault("ada.lovelace1"), undefined)
    assert.equal(passwordFault("a12837465918", "a@clinic.example"), "own_email")
  })

  it.each([
    ["four words", () => words(4).join(" ")],
    ["three words and a year", () => `${words(3).join("-")}2026`],
    ["four words without spaces", () => words(4).join("")],
    [
      "12 random letters and digits",
      () => characters(12, "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    ],
    ["12 random small letters", () => characters(12, "abcdefghijklmnopqrstuvwxyz")],
    ["16 random hexadecimal digits", () => characters(16, "0123456789abcdef")],
    ["14 random digits", () => characters(14, "0123456789")]
  ])("are taken if a generator wrote them: %s", (_, generate) => {
    const refused = Array.from({ length: 100 }, generate).filter(
      (password) => passwordFault(password) !== undefined
    )
    assert.deepEqual(refused, [])
  })

  it.each([
    "abc123".repeat(22),
    `${"mythisisthenew".repeat(9)}é`,
    "passpasswordadmin".repeat(8),
    "!1@2#3$4".repeat(16),
    "summersummer1a".repeat(10),
    "\uD83D\uDE00a1".repeat(32)
  ])("of 128 characters are checked within a few milliseconds: %s", (text) => {
    const password = text.slice(0, 128)
    passwordFault(password, ada)
    const startedMs = performance.now()
    for (let round = 0; round < 10; round++) passwordFault(password, ada)
    assert.ok((performance.now() - startedMs) / 10 < 20)
  })

  it("are judged by the words of the pinned list", () => {
    assert.equal(
      readFileSync(new URL(`../../${commonWordsFile}`, import.meta.url), "utf8"),
      commonWordsText(),
      "stale: run `node apps/reference/commonWords.ts`"
    )
  })

  it("are refused in a sentence that says what to write instead", () => {
    for (const says of Object.values(passwordSays)) assert.match(says, /Use (at|a few)/)
  })
})

/** Ordinary words, about half of which are common passwords. */
const ordinary = [
  ...["violet", "kettle", "morning", "bridge", "silver", "pencil", "garden", "thunder", "lantern", "pepper"],
  ...["marble", "orange", "window", "ticket", "planet", "copper", "meadow", "rocket", "button", "winter"],
  ...["anchor", "velvet", "castle", "gravel", "hammer", "island", "jacket", "ladder", "magnet", "needle"]
]

/** A linear congruential generator (Numerical Recipes), so that every run checks the same passwords. */
let state = 20_261_125
const below = (count: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * count)
}

const words = (count: number): ReadonlyArray<string> => {
  const left = [...ordinary]
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] ?? "")
}

const characters = (count: number, alphabet: string): string =>
  Array.from({ length: count }, () => alphabet[below(alphabet.length)] ?? "").join("")
