import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { rootFolder } from "../../adapters/postgres/embedded/dataDirectory.ts"

/**
 * An empty DATA_DIR that goes with the scope, together with the cluster that root keeps for it elsewhere.
 */
export const dataDir = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "coverage-test-"))),
  (folder) => Effect.sync(() => forget(folder))
)

/** The folder of the cluster that serves a DATA_DIR. */
export const clusterOf = (folder: string): string => {
  const file = join(folder, "cluster.json")
  if (!existsSync(file)) return join(folder, "postgres")
  return join(rootFolder, JSON.parse(readFileSync(file, "utf8")).id)
}

/** Removes a DATA_DIR and its cluster. */
export const forget = (folder: string): void => {
  rmSync(clusterOf(folder), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
