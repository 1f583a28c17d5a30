import { staticFiles } from "../../../adapters/http/docs/documents.ts"
import { guides } from "../../../adapters/http/docs/navigation.ts"
import { page } from "../../../adapters/http/docs/page.ts"
import { feedOf } from "./changelogFeed.ts"
import { llmsText } from "./llms.ts"
import { markdown, titleOf } from "./markdown.ts"
import { operationsTable } from "./operations.ts"
import { referencePage } from "./referencePage.ts"
import { robotsText } from "./robotsText.ts"

/** The folder of the static files, which holds nothing else. */
export const siteFolder = "adapters/http/docs/site"

type Read = (file: string) => string

/** The static files of the documentation by path from the root, each with what belongs into it. */
export const siteFiles = (read: Read): Readonly<Record<string, () => string>> =>
  Object.fromEntries(staticFiles.map(({ path, file }) => [`${siteFolder}/${file}`, () => textAt(path, read)]))

const textAt = (path: string, read: Read): string => {
  const guide = guides.find((each) => each.path === path)
  if (guide !== undefined) {
    const text = read(guide.file)
    return page(path, titleOf(text), markdown(text, guide.file)).body
  }
  const write = others[path]
  if (write === undefined) throw new Error(`nothing writes ${path}`)
  return write(read)
}

const others: Readonly<Record<string, (read: Read) => string>> = {
  "/docs": referencePage,
  "/docs/operations": () => page("/docs/operations", "Operations", operationsTable()).body,
  "/docs/changelog.atom": (read) => feedOf(read("CHANGELOG.md")),
  "/llms.txt": llmsText,
  "/robots.txt": robotsText
}
