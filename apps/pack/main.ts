import { spawnSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describedTypes } from "./describedTypes.ts"
import { writeEntries } from "./entries.ts"

/**
 * Builds what `npm pack` takes along: the kernel, the adapters and the kit of laws as JavaScript with types.
 * Node strips no types under node_modules, so those who install the
 * package get them stripped.
 */
const root = join(import.meta.dirname, "..", "..")
const built = join(root, "dist")
const compiler = join(root, "node_modules/@effect/tsgo-linux-x64/lib/tsc")

rmSync(built, { recursive: true, force: true })
const { status, stdout } = spawnSync(compiler, ["-p", join(root, "tsconfig.build.json")], {
  encoding: "utf8"
})
const errors = stdout.split("\n").filter((line) => / error TS/.test(line))
if (status !== 0 && errors.length > 0) {
  process.stderr.write(`${errors.join("\n")}\n`)
  process.exit(1)
}
// What is no TypeScript and is read at run time, beside the module that reads it.
cpSync(join(root, "adapters"), join(built, "adapters"), {
  recursive: true,
  filter: (path) => !path.endsWith(".ts")
})
writeFileSync(join(built, "adapters/client/fields.d.ts"), describedTypes())
await writeEntries(built)
