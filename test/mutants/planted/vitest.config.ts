import type { TestCase } from "vitest/node"
import { defineConfig } from "vitest/config"
import mutants from "../vitest.config.ts"
import { groups } from "./faults.ts"
import { plant } from "./plant.ts"

const says = process.env["PLANTED"] ?? ""
const group = groups.find(({ faults }) => faults.some((each) => each.says === says))
const fault = group?.faults.find((each) => each.says === says)
if (fault === undefined && says !== "") throw new Error(`PLANTED names no mistake: ${says}`)

/** The suites over one planted mistake, the one that PLANTED names, or over none. */
export default defineConfig({
  plugins: fault === undefined ? [] : [plant(fault)],
  test: {
    ...mutants.test,
    include: (group === undefined ? groups : [group]).flatMap(({ tests }) => tests),
    bail: fault === undefined ? 0 : 1,
    // The text of a source says whether its cached form is still good, and that is the same with a mistake.
    fsModuleCache: false,
    reporters: [
      {
        onTestCaseResult: (test: TestCase) => {
          if (test.result().state === "failed") console.log(`noticed by: ${test.name}`)
        }
      }
    ],
    testTimeout: 30_000,
    hookTimeout: 120_000
  }
})
