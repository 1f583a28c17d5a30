import type { TestCase } from "vitest/node"
import { defineConfig } from "vitest/config"
import mutants from "../vitest.config.ts"
import type { Group } from "./Fault.ts"
import { groups } from "./faults.ts"
import { plant } from "./plant.ts"

const says = process.env["PLANTED"] ?? ""
const group: Group | undefined = Object.entries(groups).find(([area]) => area === process.env["AREA"])?.[1]
if (group === undefined) throw new Error(`AREA names no area: ${process.env["AREA"]}`)
const fault = group.faults.find((each) => each.says === says)
if (fault === undefined && says !== "") throw new Error(`PLANTED names no mistake: ${says}`)

/** The suites of one area over one planted mistake, the one that PLANTED names, or over none. */
export default defineConfig({
  plugins: fault === undefined ? [] : [plant(fault)],
  test: {
    ...mutants.test,
    // Suites of the kernel alone need no PostgreSQL.
    ...(group.tests.every((path) => path.startsWith("test/core/")) && { globalSetup: [] }),
    include: [...group.tests],
    bail: fault === undefined ? 0 : 1,
    // The text of a source says whether its cached form is still good, and that is the same with a mistake.
    fsModuleCache: false,
    maxWorkers: 1,
    reporters: [
      {
        onTestCaseResult: (test: TestCase) => {
          if (test.result().state === "failed") console.log(`noticed by: ${test.fullName}`)
        }
      }
    ],
    testTimeout: 30_000,
    hookTimeout: 120_000
  }
})
