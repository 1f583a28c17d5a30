import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { takeAnswers } from "./answers.ts"
import { generatedFiles, staleFiles } from "./generated.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/**
 * `npm run generate` writes the reference, the sandbox's answers and the generated parts of the guides; with
 * `--check` it only says which files are stale, and fails if any is.
 */
const main = async (flags: ReadonlySet<string>): Promise<void> => {
  const files = generatedFiles(await takeAnswers(), (path) => readFileSync(root + path, "utf8"))
  const stale = staleFiles(root, files)
  if (flags.has("--check")) return report(stale)
  for (const path of stale) {
    const write = files[path]
    if (write === undefined) rmSync(root + path)
    else {
      mkdirSync(dirname(root + path), { recursive: true })
      writeFileSync(root + path, write())
    }
  }
}

const report = (stale: ReadonlyArray<string>): void => {
  if (stale.length === 0) return
  console.error(`stale: ${stale.join(", ")}; run \`npm run generate\``)
  process.exitCode = 1
}

await main(new Set(process.argv.slice(2)))
