import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import { answerFragments } from "./answerFragments.ts"
import { mcpFragments } from "./mcpFragments.ts"
import { webhookFragments } from "./webhookFragments.ts"

type Fragments = Readonly<Record<string, Readonly<Record<string, () => string>>>>

/** Returns the generated parts of guides: by guide, then by the name in its markers. */
export const fragmentsOf = (answers: SandboxAnswers): Fragments => ({
  "docs/reading-a-coverage-answer.md": answerFragments(answers),
  "docs/mcp.md": mcpFragments,
  "docs/webhooks.md": webhookFragments
})

const marked = /<!-- from (\S+), (\S+) -->\n(?:[\s\S]*?\n)??<!-- end -->/g

/** Returns a guide with the text between its markers written anew. Throws if nothing writes a marker. */
export const withFragments = (fragments: Fragments, path: string, text: string): string =>
  text.replaceAll(marked, (_, source: string, name: string) => {
    const write = fragments[path]?.[name]
    if (write === undefined) throw new Error(`${path} has a marker "${name}" that nothing writes`)
    return `<!-- from ${source}, ${name} -->\n${write()}\n<!-- end -->`
  })
