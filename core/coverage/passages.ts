import type { CriteriaBlock, CriteriaSection, PolicySections } from "./Policy.ts"

/** A text of the document and the section that it is about until a heading in it says otherwise. */
export interface Narrative {
  readonly section: CriteriaSection
  /** Lines, as `htmlText` makes them. */
  readonly text: string
}

/**
 * A passage is cut at the next line once it is this long: one screen, and little enough to read in a search.
 */
export const passageCharacters = 1_200

/**
 * The passages of a document in its order. A heading (a short line that names a section) moves what follows
 * it to that section, because CMS keeps indications and limitations in one field. Ids count within their
 * section, and equal texts give equal passages. All are narrative: none is evaluated, each asks for a
 * person's judgement.
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
  const passages: Array<{ section: CriteriaSection; text: string }> = []
  let section = narrative.section
  let open: { section: CriteriaSection; text: string } | undefined
  for (const line of narrative.text.split("\n").filter((each) => each !== "")) {
    const named = headingOf(line)
    section = named ?? section
    if (open === undefined || named !== undefined || open.text.length >= passageCharacters) {
      open = { section, text: line }
      passages.push(open)
    } else {
      open.text += `\n${line}`
    }
  }
  return passages
}

/** Longer lines are sentences, whatever they begin with. */
const headingCharactersMax = 90

const headingOf = (line: string): CriteriaSection | undefined => {
  const isHeading = line.length <= headingCharactersMax && !line.startsWith("- ") && !/[.;,]$/.test(line)
  return isHeading ? headings.find((heading) => heading.pattern.test(line))?.section : undefined
}

/** A heading may carry a mark before its words: `B.`, `2)`, `III.`. The first row that matches decides. */
const mark = "^(?:[A-Za-z0-9]{1,4}(?:\\.[0-9]+)*[.):]?\\s+)?"
const heading = (words: string): RegExp => new RegExp(`${mark}(?:${words})(?![a-z])`, "i")

const headings: ReadonlyArray<{ readonly section: CriteriaSection; readonly pattern: RegExp }> = [
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
