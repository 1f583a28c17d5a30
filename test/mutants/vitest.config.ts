import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { MutantsReporter } from "./reporter.ts"

/** The planted mutants alone, each with the law that killed it, for `npm run test:mutants`. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/mutants/*.test.ts"],
    globalSetup: ["test/kit/globalPostgres.ts"],
    setupFiles: ["test/kit/runs.ts"],
    reporters: [new MutantsReporter()],
    pool: "forks",
    maxWorkers: 2
  }
})
