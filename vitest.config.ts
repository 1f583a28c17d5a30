import { defineConfig } from "vitest/config"
import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"

/** Suites that take longest, most of it waiting for processes, browsers or the clock. They begin first. */
const longest = [
  "test/faults/",
  "test/cli/",
  "test/browser/",
  "test/http/serverFaults.test.ts",
  "test/package/",
  "test/agents/",
  "test/adapters/webhookStores.test.ts",
  "test/adapters/policies.test.ts",
  "test/conformance/",
  "test/docs/"
]

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((part) => moduleId.includes(part))
      return found === -1 ? longest.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/**
 * Three workers for two cores, since a third of the suites wait for stores and processes. Files share their
 * worker's modules, as calls share those of a server: what one leaves behind another may meet.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A project of its own, which runs under test/package once the package lies beside it; and the mistakes
    // planted into stores, which `npm run test:mutants` runs.
    exclude: ["test/package/example/**", "test/mutants/*.test.ts"],
    globalSetup: ["test/kit/globalPostgres.ts"],
    setupFiles: ["test/kit/runs.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000
  }
})
