import { createHash } from "node:crypto"
import { script } from "./script.ts"
import { frameStyle } from "./style/frame.ts"
import { partsStyle } from "./style/parts.ts"

/** A static file. Its path holds a hash of its content, so that browsers can cache it forever. */
export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly text: string
}

const asset = (name: string, contentType: string, text: string): Asset => ({
  path: `/assets/${createHash("sha256").update(text).digest("hex").slice(0, 16)}/${name}`,
  contentType,
  text
})

const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8"
fill="#0d5c69"/><path d="M9 16.5l5 5 9.5-11" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"
stroke-linejoin="round"/></svg>`

export const assets = {
  style: asset("style.css", "text/css; charset=utf-8", frameStyle + partsStyle),
  script: asset("dashboard.js", "text/javascript; charset=utf-8", script),
  mark: asset("mark.svg", "image/svg+xml", mark)
} as const

/** The file at a path; undefined for any other path, such as the hash of an earlier release. */
export const assetAt = (path: string): Asset | undefined =>
  Object.values(assets).find((asset) => asset.path === path)

export const assetHeaders = ({ contentType }: Asset): Readonly<Record<string, string>> => ({
  "content-type": contentType,
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin"
})
