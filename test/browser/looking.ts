import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { axeFaults, overflowOf } from "../kit/chromium.ts"
import type { Visitor } from "./stage.ts"

/** Where pictures of the pages are put for people to look at; absent: none are taken. */
const folder = process.env["COVERAGE_SCREENSHOTS"]

const themes = ["light", "dark"] as const
const widths = { wide: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const
type Width = keyof typeof widths

/** Each theme and each width is looked at; all four together only where pictures are taken. */
const looks: ReadonlyArray<readonly [(typeof themes)[number], Width]> =
  folder === undefined
    ? [
        ["light", "wide"],
        ["dark", "phone"]
      ]
    : themes.flatMap((theme) => [[theme, "wide"] as const, [theme, "phone"] as const])

/** What is wrong with the page a visitor is on: for axe, wider than its window, or complained of. */
export const faultsOf = async (
  { complaints, page }: Pick<Visitor, "complaints" | "page">,
  name: string
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const [theme, width] of looks) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" })
    await page.setViewportSize(widths[width])
    const look = `${theme}, ${width}`
    for (const fault of await axeFaults(page)) faults.push(`${look}: ${fault}`)
    const overflow = await overflowOf(page)
    if (overflow > 0) faults.push(`${look}: ${overflow} pixels too wide`)
    await picture(page, name, [theme, width])
  }
  faults.push(...new Set(complaints.splice(0)))
  return faults
}

const picture = async (page: Page, name: string, look: ReadonlyArray<string>): Promise<void> => {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const file = [name.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "") || "front", ...look].join(".")
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true })
}
