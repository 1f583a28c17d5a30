import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/**
 * The tests that need no server, for `npm run check`: architecture, documents and kernel, without any set-up.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/architecture/**/*.test.ts", "test/core/**/*.test.ts", "test/docs/**/*.test.ts"],
    maxWorkers: 2
  }
})
