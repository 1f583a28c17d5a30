import { webhookFragments } from "./webhookFragments.ts"

/** The parts of guides that are written from the tables: by guide, then by the name in its markers. */
export const fragments: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  "docs/webhooks.md": webhookFragments
}

const marked = /<!-- from (\S+), (\S+) -->\n[\s\S]*?\n<!-- end -->/g

/** A guide with what stands between its markers written anew; a marker that names nothing is a fault. */
export const withFragments = (path: string, text: string): string =>
  text.replaceAll(marked, (_, source: string, name: string) => {
    const write = fragments[path]?.[name]
    if (write === undefined) throw new Error(`${path} has a marker "${name}" that nothing writes`)
    return `<!-- from ${source}, ${name} -->\n${write()}\n<!-- end -->`
  })
