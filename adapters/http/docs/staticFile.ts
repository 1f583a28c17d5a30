import { readFile } from "node:fs/promises"
import { html } from "../../html/html.ts"
import { openly } from "./Content.ts"
import type { Content, DocumentSite } from "./Content.ts"
import { pageHeaders } from "./page.ts"

/** A file of `site/`, which `npm run generate` writes. */
export interface StaticFile {
  readonly path: `/${string}`
  /** Its name in `site/`; the end of the name says what it is. */
  readonly file: string
  /** It holds `standIns` where the addresses of the service belong. */
  readonly isAddressed?: true
}

/** Where a generated file says another address: that of a service on the reader's machine, and nobody's. */
export const standIns = { baseUrl: "http://127.0.0.1:3000", supportUrl: "SUPPORT_URL" } as const

const contentTypes = {
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8"
} as const

/** The file as it is sent by the service at these addresses. */
export const staticContent = async (
  { file, isAddressed, path }: StaticFile,
  site: DocumentSite
): Promise<Content> => {
  const text = await readFile(new URL(`./site/${file}`, import.meta.url), "utf8")
  const kind = file.slice(file.lastIndexOf(".") + 1) as keyof typeof contentTypes
  return {
    contentType: contentTypes[kind],
    body: isAddressed === undefined ? text : addressed(text, site, kind === "txt"),
    headers: kind === "html" ? pageHeaders(path === "/docs") : openly
  }
}

const addressed = (text: string, { baseUrl, supportUrl }: DocumentSite, isPlain: boolean): string => {
  const written = (address: string): string => (isPlain ? address : html`${address}`.html)
  return text
    .replaceAll(standIns.baseUrl, () => written(baseUrl))
    .replaceAll(standIns.supportUrl, () => written(supportUrl))
}
