import { fileURLToPath } from "node:url"
import type { TestCase } from "vitest/node"
import { defineConfig } from "vitest/config"
import { faults, tests } from "./faults.ts"
import { plant } from "./plant.ts"

const fault = faults.find(({ says }) => says === process.env["PLANTED"])

/** The suites over one planted mistake, the one that PLANTED names, or over none. */
export default defineConfig({
  plugins: fault === undefined ? [] : [plant(fault)],
  test: {
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    include: [...tests],
    globalSetup: ["test/kit/globalPostgres.ts"],
    setupFiles: ["test/kit/runs.ts"],
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
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2
  }
})
