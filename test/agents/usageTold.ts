import type { Browser } from "../dashboard/browsing.ts"

/** A call that a test made and that was answered. */
export interface MadeCall {
  /** The client's id. */
  readonly app: string
  readonly tool: string
  /** The operation that its usage is written under. */
  readonly operation: string
  readonly credits: number
  readonly failed: boolean
}

/** What calls come to, as the pages and the export count them. */
export interface UsageTotals {
  readonly name: string
  readonly calls: number
  readonly errors: number
  readonly credits: number
}

/** The rows of one table of the usage page, by its caption; the name is all that its first cell says. */
export const tableOf = (text: string, caption: string): ReadonlyArray<UsageTotals> => {
  const start = text.indexOf(`<caption class="heard">${caption}</caption>`)
  if (start < 0) return []
  const body = text.slice(text.indexOf("<tbody>", start), text.indexOf("</tbody>", start))
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) => {
    const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => saying(cell))
    const [name = "", calls, errors, credits] = cells
    return { name, calls: Number(calls), errors: Number(errors), credits: Number(credits) }
  })
}

/** The figures at the top of the usage page, by their names. */
export const figuresOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<dt>([^<]*)<\/dt><dd class="value">([^<]*)<\/dd>/g)].map(([, name, value]) => [
      name ?? "",
      value ?? ""
    ])
  )

/** The export's lines, each by the names of its columns. No cell of these tests holds a comma or a quote. */
export const csvOf = async (
  browser: Browser,
  home: string
): Promise<ReadonlyArray<Readonly<Record<string, string>>>> => {
  const { text } = await browser.get(`${home}/usage.csv?days=7`)
  const [head = "", ...lines] = text.trimEnd().split("\r\n")
  const names = head.split(",")
  return lines.map((line) => {
    const cells = line.split(",")
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]))
  })
}

/** The calls together that bear the same name, in the order of their names. */
export const usageTotals = (calls: ReadonlyArray<MadeCall>, nameOf: (call: MadeCall) => string) =>
  [...Map.groupBy(calls, nameOf)]
    .map(([name, group]) => ({
      name,
      of: group[0] as MadeCall,
      calls: group.length,
      credits: group.reduce((sum, { credits }) => sum + credits, 0),
      errors: group.filter(({ failed }) => failed).length
    }))
    .toSorted(byName)

export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1

const saying = (cell: string): string =>
  cell
    .replaceAll(/<svg.*?<\/svg>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .trim()
    .replaceAll(/\s+/g, " ")
