import { existsSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { faults, groups } from "./faults.ts"
import { plantFault } from "./plant.ts"

it.each(faults)("$says: its place is in the source still", (fault) => {
  const text = readFileSync(fault.file, "utf8")
  expect(plantFault(text, fault)).not.toBe(text)
})

it.each(Object.entries(groups))("%s: its suites are there", (_, { tests }) => {
  expect(tests.filter((path) => !existsSync(path))).toEqual([])
})

it("a place that is not there, or twice, is an error", () => {
  expect(() => plantFault("a b", { sound: "c", faulty: "" })).toThrow("0 times")
  expect(() => plantFault("a b a", { sound: "a", faulty: "" })).toThrow("2 times")
})
