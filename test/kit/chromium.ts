import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { chromium } from "playwright-core"
import type { Page } from "playwright-core"

/** Where Debian puts it; CHROMIUM says another place. */
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

/** Whether there is a browser to look with: a suite that has none is left out with these words. */
export const noBrowser = existsSync(executablePath) ? undefined : `no browser at ${executablePath}`

/**
 * A browser with an empty profile of its own, which asks nobody for anything by itself. Where none is, it
 * fails with what to do: pages that nobody looked at are not pages that work.
 */
export const launch = () => {
  if (noBrowser !== undefined) throw new Error(`There is ${noBrowser}: ${installing}`)
  return chromium.launch({ executablePath, headless: true, args: quietly })
}

const installing = "run `apt-get install chromium`, or set CHROMIUM to where one is."

const quietly = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run"
]

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds wrong with a page, or with one part of it, each with what it found it at. */
export const axeFaults = async (page: Page, part?: string): Promise<ReadonlyArray<string>> => {
  // Its source is large: a page that is looked at twice reads it once.
  if ((await page.evaluate("'axe' in window")) === false) await page.evaluate(axeSource)
  const script = `axe.run(${part === undefined ? "document" : JSON.stringify(part)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 120)).join(" ;; ")))`
  return (await page.evaluate(script)) as ReadonlyArray<string>
}

/** By how many pixels a page is wider than its window. */
export const overflowOf = async (page: Page): Promise<number> =>
  (await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")) as number
