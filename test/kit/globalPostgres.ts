import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { TestProject } from "vitest/node"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"
import { forget } from "./dataDir.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresFolder: string
  }
}

/**
 * One PostgreSQL for the whole run, without durability; every suite takes a database of its own from it.
 */
export async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), "coverage-test-"))
  const scope = await Effect.runPromise(Scope.make())
  const settings = ["fsync=off", "full_page_writes=off"]
  const start = startEmbedded({ dataDir, role: "server", settings })
  const connection = await Effect.runPromise(Scope.provide(start, scope))
  if ("folder" in connection) project.provide("postgresFolder", connection.folder)
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    forget(dataDir)
  }
}
