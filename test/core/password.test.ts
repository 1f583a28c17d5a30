import assert from "node:assert/strict"
import { describe, it } from "vitest"
import type { PasswordFault } from "../../core/person/password.ts"
import { passwordFault, passwordSays } from "../../core/person/password.ts"

const ada = "Ada.Lovelace@clinic.example"

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
    "CoveragePolicyAPI"
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
      "correct horse battery staple",
      "Tr0ub4dor&3xyz",
      "password of the north wind",
      "ada.lovelace met babbage",
      "8374 6281 7390",
      "another password",
      "zs8dk2ls0f7a",
      "日本語の長い合言葉です今日"
    ])
      assert.equal(passwordFault(password, ada), undefined, password)
    assert.equal(passwordFault("ada.lovelace1"), undefined)
    assert.equal(passwordFault("a12837465918", "a@clinic.example"), "own_email")
  })

  it("are refused in a sentence that says what to write instead", () => {
    for (const says of Object.values(passwordSays)) assert.match(says, /Use (at|a few)/)
  })
})
