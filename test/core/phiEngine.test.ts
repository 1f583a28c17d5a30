import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { identifiersIn } from "../../core/phi/detect.ts"

/** One text for each pattern or nearly so, the cues in several writings. */
const texts: ReadonlyArray<string> = [
  "SSN 123-45-6789",
  "social security number is 123 45 6789",
  "1EG4-TE5-MK73",
  "Medicare ID 123-45-6789A",
  "call (212) 555-0100",
  "phone 2125550100",
  "jane@clinic.example",
  "ip address 192.0.2.7",
  "Date of Birth: Jan 2, 1960",
  "born on 1960-01-02",
  "Medical Record No. 445566",
  "Member ID: A12345678",
  "Account # 99887766",
  "Mr. Jones",
  "MRS. JONES",
  "Ms Rivera",
  "First Name: Ana",
  "FIRST NAME - ANA",
  "patient's name is Jane Roe",
  "Patient: Jane Roe",
  "BENEFICIARY = Jane Roe",
  "7500 Security Blvd.",
  "7500 Security BOULEVARD",
  "7500 5th avenue",
  "12 Oak St",
  "PO Box 12"
]

const script = `
import { identifiersIn } from ${JSON.stringify(new URL("../../core/phi/detect.ts", import.meta.url).href)}
const texts = JSON.parse(process.argv[1])
console.log(JSON.stringify(texts.map((text) => identifiersIn(text, { bareDigits: "identifying" }))))
`

describe("phi.md: what is found does not depend on how V8 compiles a pattern", () => {
  // Once a process has compiled a megabyte of patterns, V8 stops optimizing further ones.
  it.each(["", " \u2014 two bytes a character"])("without optimization as with it%s", (end) => {
    const all = texts.map((text) => text + end)
    const here = all.map((text) => identifiersIn(text, { bareDigits: "identifying" }))
    expect(all.filter((_, index) => here[index]?.length === 0)).toEqual([])
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--no-regexp-optimization", "--input-type=module", "--eval", script, JSON.stringify(all)],
      { encoding: "utf8" }
    )
    expect(JSON.parse(stdout || "null"), stderr).toEqual(here)
  })
})
