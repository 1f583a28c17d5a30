import { defineConfig } from "vitest/config"

/**
 * Two workers, since most suites wait for a real store; the limits are generous for a machine that is busy.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A project of its own, which runs under test/package once the package lies beside it.
    exclude: ["test/package/example/**"],
    globalSetup: ["test/kit/globalPostgres.ts"],
    setupFiles: ["test/kit/runs.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000
  }
})
