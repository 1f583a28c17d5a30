import type { CriteriaBlock, CriteriaSection, PolicySections } from "./Policy.ts"
import { continuesList } from "./textItems.ts"

/** A text of the document and the section that it is about until a heading in it says otherwise. */
export interface Narrative {
  readonly section: CriteriaSection
  /** Lines, as `htmlText` makes them. */
  readonly text: string
}

/**
 * A passage ends at the next line once it is this long, unless that line continues a list: one screen, and
 * short enough to read among search results.
 */
export const passageCharacters = 1_200

/**
 * The passages of a document in its order. A heading (a short line that names a section) moves what follows
 * it to that section, because CMS keeps indications and limitations in one field. A heading that says nothing
 * but its section ("B. Nationally Covered Indications") is left out of the text, and so is "N/A" under it:
 * what is left is what a person has to read. Ids count within their section, and equal texts give equal
 * passages. All are narrative: none is evaluated, each asks for a person's judgement.
 */
export const passagesOf = (narratives: ReadonlyArray<Narrative>): ReadonlyArray<CriteriaBlock> => {
  const passages = narratives.flatMap(cut)
  const counts = new Map<CriteriaSection, number>()
  return passages.map(({ section, text }) => {
    const count = (counts.get(section) ?? 0) + 1
    counts.set(section, count)
    return {
      blockId: `${section}-${count}`,
      section,
      text,
      logicAst: null,
      tags: null,
      requiresManualReview: true,
      confidenceScore: null
    }
  })
}

/**
 * The three sections that a policy shows whole (contract §2, GET /policies/{id}); null where nothing is in
 * one.
 */
export const sectionsOf = (criteria: ReadonlyArray<CriteriaBlock>): PolicySections => {
  const whole = (section: CriteriaSection): string | null => {
    const texts = criteria.filter((block) => block.section === section).map((block) => block.text)
    return texts.length === 0 ? null : texts.join("\n")
  }
  return {
    indications: whole("indications"),
    limitations: whole("limitations"),
    documentation: whole("documentation")
  }
}

const cut = (narrative: Narrative): ReadonlyArray<Narrative> => {
  const passages: Array<{ readonly section: CriteriaSection; text: string }> = []
  let section = narrative.section
  let open: { readonly section: CriteriaSection; text: string } | undefined
  let previous = ""
  for (const line of narrative.text.split("\n").filter((each) => each !== "")) {
    const named = headingOf(line)
    const isContinued = open !== undefined && continuesList(line, previous)
    previous = line
    section = named ?? section
    if (named !== undefined) open = undefined
    if ((named !== undefined && isBareHeading(line)) || (open === undefined && saysNothing.test(line)))
      continue
    if (open === undefined || (open.text.length >= passageCharacters && !isContinued)) {
      open = { section, text: line }
      passages.push(open)
    } else {
      open.text += `\n${line}`
    }
  }
  return passages
}

const saysNothing = /^(n\/?a|none|not applicable)\.?$/i

/** Longer lines are sentences, whatever they begin with. */
const headingCharactersMax = 90

/** List items, rows of tables and sentences are no headings. */
const headingOf = (line: string): CriteriaSection | undefined => {
  const isHeading = line.length <= headingCharactersMax && !line.startsWith("- ") && !/[.;,]$| \| /.test(line)
  return isHeading ? headings.find((heading) => heading.pattern.test(line))?.section : undefined
}

/** Whether the heading is made of the words of sections alone, and so names no subject of its own. */
const isBareHeading = (line: string): boolean =>
  line
    .replace(new RegExp(mark, "i"), "")
    .split(/[\s,/&:()-]+/)
    .every((word) => word === "" || sectionWords.has(word.toLowerCase()))

const sectionWords: ReadonlySet<string> = new Set(
  `a and or of for the medicare medical necessity coverage cover covered noncovered non not nationally
   generally general specific indication indications limitation limitations exclusion exclusions
   contraindication contraindications condition conditions criteria documentation requirement requirements
   utilization guideline guidelines frequency other background source sources bibliography definition
   definitions summary evidence information`.split(/\s+/)
)

/** A heading may carry a mark before its words: `B.`, `2)`, `III.`, `C.1`. The first match decides. */
const mark = "^(?:(?:[A-Za-z]|[IVXivx]{1,4}|[0-9]{1,2})(?:\\.[0-9]+)*[.):]?\\s+)?"
const heading = (words: string): RegExp => new RegExp(`${mark}(?:${words})(?![a-z])`, "i")

const headings: ReadonlyArray<{ readonly section: CriteriaSection; readonly pattern: RegExp }> = [
  { section: "other", pattern: heading("covered code lists?") },
  {
    section: "indications",
    pattern: heading("(?:coverage )?indications(?:,| and| &)(?: and/or)? ?limitations|coverage indications")
  },
  { section: "limitations", pattern: /\bnon-? ?covered indications:?$/i },
  { section: "indications", pattern: /\bcovered indications:?$/i },
  {
    section: "limitations",
    pattern: heading(
      "limitations?|(?:nationally |generally )?non-? ?covered|not covered|exclusions?|contraindications?"
    )
  },
  { section: "documentation", pattern: heading("(?:general |specific )?documentation(?: requirements?)?") },
  { section: "frequency", pattern: heading("utilization(?: guidelines?)?|frequency(?: limitations?)?") },
  {
    section: "indications",
    pattern: heading(
      "(?:nationally |covered |general )?(?:covered )?indications?|covered|coverage criteria|criteria"
    )
  },
  {
    section: "other",
    pattern: heading("other|general|background|sources|bibliography|definitions?|summary of evidence")
  }
]
