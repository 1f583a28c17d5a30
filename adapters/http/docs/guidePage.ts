import { readFile } from "node:fs/promises"
import type { Content } from "./Content.ts"
import { markdown, titleOf } from "./markdown.ts"
import type { Guide } from "./navigation.ts"
import { page } from "./page.ts"

/** The root of the project, whose guides the service shows as they stand. */
const root = new URL("../../../", import.meta.url)

/** A guide as a page; undefined where the service is installed without its guides. */
export const guidePage = async (guide: Guide): Promise<Content | undefined> => {
  const text = await readGuide(guide.file)
  return text === undefined ? undefined : page(guide.path, titleOf(text), markdown(text, guide.file))
}

/** The text of a file of the project, or undefined where it was not brought along. */
export const readGuide = (file: string): Promise<string | undefined> =>
  readFile(new URL(file, root), "utf8").catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "ENOENT") return undefined
    throw fault
  })
