import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { faults } from "./faults.ts"
import { planted } from "./plant.ts"

it.each(faults)("$says: its place is in the source still", (fault) => {
  const text = readFileSync(fault.file, "utf8")
  expect(planted(text, fault)).not.toBe(text)
})

it("a place that is not there, or twice, is an error", () => {
  expect(() => planted("a b", { sound: "c", faulty: "" })).toThrow("0 times")
  expect(() => planted("a b a", { sound: "a", faulty: "" })).toThrow("2 times")
})
