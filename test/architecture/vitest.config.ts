import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/**
 * The tests that need no server, for `npm run check`: architecture, documents and kernel, without any set-up.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/architecture/**/*.test.ts", "test/core/**/*.test.ts", "test/docs/**/*.test.ts"],
    // These run what the documents say against a service of their own: `npm test` does.
    exclude: ["test/docs/{client,porting,quickstart,readmeCommands,sandboxReference,webhooks}.test.ts"],
    maxWorkers: 2,
    // Reading the whole tree takes its time where others work beside; a hang still ends.
    testTimeout: 60_000
  }
})
