import { existsSync, readdirSync, readFileSync } from "node:fs"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import { fragmentsOf, withFragments } from "./fragments.ts"
import { siteFiles, siteFolder } from "./site/site.ts"
import { answersFile, json, pages, referenceFolder } from "./pages.ts"

type Files = Readonly<Record<string, () => string>>

/**
 * Every file that is generated, whole or in part, by its path from the root, with what belongs into it. Of a
 * guide only what stands between its markers is; `read` gives the rest.
 */
const sourceFiles = (answers: SandboxAnswers, read: (path: string) => string): Files => {
  const fragments = fragmentsOf(answers)
  return {
    [answersFile]: () => json(answers),
    ...Object.fromEntries(
      Object.entries(pages(answers)).map(([name, write]) => [`${referenceFolder}/${name}`, write])
    ),
    ...Object.fromEntries(
      Object.keys(fragments).map((path) => [path, () => withFragments(fragments, path, read(path))])
    )
  }
}

/** The same, and the static files of the documentation, which are made of them. */
export const generatedFiles = (answers: SandboxAnswers, read: (path: string) => string): Files => {
  const sources = sourceFiles(answers, read)
  return { ...sources, ...siteFiles((path) => sources[path]?.() ?? read(path)) }
}

/**
 * Files that differ from what belongs into them, are absent, or lie in a folder of generated files and belong
 * to nothing any more; by path, sorted.
 */
export const staleFiles = (root: string, wanted: Files): ReadonlyArray<string> => {
  const strange = [referenceFolder, siteFolder]
    .flatMap((folder) =>
      (existsSync(root + folder) ? readdirSync(root + folder) : []).map((name) => `${folder}/${name}`)
    )
    .filter((path) => !(path in wanted))
  const differing = Object.entries(wanted)
    .filter(([path, write]) => !existsSync(root + path) || readFileSync(root + path, "utf8") !== write())
    .map(([path]) => path)
  return [...strange, ...differing].toSorted()
}
