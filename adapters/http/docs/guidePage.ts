import { readFile } from "node:fs/promises"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Content, DocumentSite } from "./Content.ts"
import { markdown, titleOf } from "./markdown.ts"
import type { Guide } from "./navigation.ts"
import { page } from "./page.ts"

/** The root of the project, whose guides the service shows as they stand. */
const root = new URL("../../../", import.meta.url)

/** A guide as a page; undefined where the service is installed without its guides. */
export const guidePage = async (guide: Guide, site: DocumentSite): Promise<Content | undefined> => {
  const text = await readGuide(guide.file)
  if (text === undefined) return undefined
  const body = markdown(text, guide.file)
  return page(guide.path, titleOf(text), guide.isGenerated === true ? addressed(body, site) : body)
}

/** Where a generated page says another address: that of a service on the reader's machine, and nobody's. */
export const standIns = { baseUrl: "http://127.0.0.1:3000", supportUrl: "SUPPORT_URL" } as const

const addressed = (body: Html, { baseUrl, supportUrl }: DocumentSite): Html => ({
  html: body.html
    .replaceAll(standIns.baseUrl, () => html`${baseUrl}`.html)
    .replaceAll(standIns.supportUrl, () => html`${supportUrl}`.html)
})

/** The text of a file of the project, or undefined where it was not brought along. */
export const readGuide = (file: string): Promise<string | undefined> =>
  readFile(new URL(file, root), "utf8").catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "ENOENT") return undefined
    throw fault
  })
