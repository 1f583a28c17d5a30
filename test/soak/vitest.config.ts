import { defineConfig } from "vitest/config"

/** `npm run test:soak`: up to twenty minutes, and so beside the suites and not among them. */
export default defineConfig({
  test: {
    include: ["test/soak/kills.ts"],
    globalSetup: ["test/kit/globalPostgres.ts"],
    pool: "forks",
    testTimeout: 1_500_000,
    hookTimeout: 120_000
  }
})
