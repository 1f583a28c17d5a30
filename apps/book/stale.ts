import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Files that differ from what belongs into them, are absent, or belong to nothing any more; by name,
 * sorted.
 */
export const staleFiles = (
  folder: string,
  wanted: Readonly<Record<string, () => string>>
): ReadonlyArray<string> => {
  const present = existsSync(folder) ? readdirSync(folder) : []
  const strange = present.filter((name) => !(name in wanted))
  const differing = Object.entries(wanted)
    .filter(
      ([name, write]) => !present.includes(name) || readFileSync(join(folder, name), "utf8") !== write()
    )
    .map(([name]) => name)
  return [...strange, ...differing].toSorted()
}
