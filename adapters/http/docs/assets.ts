import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { Content } from "./Content.ts"
import { forGood } from "./Content.ts"

/** Where pages load what they need from. */
export const assetsPath = "/docs/assets"

/**
 * The interactive reference, kept packed in the tree as it was published: `npm install` would bring 272
 * packages along for this one file. `sha256` is of the file before it was packed.
 */
export const scalar = {
  package: "@scalar/api-reference",
  version: "1.72.1",
  integrity:
    "sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==",
  sha256: "bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c"
} as const

const javascript = "text/javascript; charset=utf-8"

const inBrowser = (name: string): URL => new URL(`./browser/${name}`, import.meta.url)

const nameOf = (stem: string, sha256: string): string => `${stem}-${sha256.slice(0, 16)}.js`

const scalarName = nameOf("scalar", scalar.sha256)

const ourScript = (): Content & { readonly name: string } => {
  const body = readFileSync(inBrowser("reference.js"), "utf8")
  return { name: nameOf("reference", hash("sha256", body)), contentType: javascript, body, headers: forGood }
}

/** The paths of both scripts of /docs; a changed script has another. */
export const scriptPaths = () => ({
  scalar: `${assetsPath}/${scalarName}`,
  reference: `${assetsPath}/${ourScript().name}`
})

/** What lies under `assetsPath`, by its name; undefined: nothing does. */
export const assetOf = async (name: string): Promise<Content | undefined> => {
  if (name === scalarName) {
    const body = await readFile(inBrowser("scalar.js.gz"))
    return { contentType: javascript, body, headers: forGood, packed: "gzip" }
  }
  const script = ourScript()
  return name === script.name ? script : undefined
}
