import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pages, referenceFolder } from "./pages.ts"
import { staleFiles } from "./stale.ts"

/**
 * `npm run generate` writes the reference; with `--check` it only says which files are stale, and fails if
 * any is.
 */
const main = (flags: ReadonlySet<string>): void => {
  const folder = fileURLToPath(new URL(`../../${referenceFolder}`, import.meta.url))
  const stale = staleFiles(folder, pages)
  if (flags.has("--check")) return report(stale)
  mkdirSync(folder, { recursive: true })
  for (const name of stale) rmSync(join(folder, name), { force: true })
  for (const [name, write] of Object.entries(pages)) {
    if (stale.includes(name)) writeFileSync(join(folder, name), write())
  }
}

const report = (stale: ReadonlyArray<string>): void => {
  if (stale.length === 0) return
  const names = stale.map((name) => `${referenceFolder}/${name}`)
  console.error(`stale: ${names.join(", ")}; run \`npm run generate\``)
  process.exitCode = 1
}

main(new Set(process.argv.slice(2)))
