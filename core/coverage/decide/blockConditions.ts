import type { Condition, ConditionKind } from "../CoverageDecision.ts"
import type { CriteriaBlock, PolicyVersion } from "../Policy.ts"
import { textItems } from "../textItems.ts"
import { anyOf } from "./anyOf.ts"
import { conditionOf } from "./condition.ts"
import { readOnce } from "./readOnce.ts"
import { sentencesOf, statementOf } from "./sentence.ts"

/** The section of a block with its id: `indications (indications-2)`. */
export const blockSection = (block: CriteriaBlock): string => `${block.section} (${block.blockId})`

/**
 * The conditions that a narrative block states (coverage-domain §2.1, rules 8 and 14): verbatim runs of its
 * items, exclusions apart from what has to be met. Items that state no condition are left out at both ends of
 * a run.
 */
export const blockConditions = (block: CriteriaBlock, policy: PolicyVersion): ReadonlyArray<Condition> =>
  conditionsByBlock(policy).get(block) ?? []

/** A caller may attest 50 conditions, so what a long document states beyond these is one condition. */
const conditionsMax = 40

const conditionsByBlock = readOnce(
  (policy: PolicyVersion): ReadonlyMap<CriteriaBlock, ReadonlyArray<Condition>> => {
    const blocks = policy.criteria.filter((block) => block.logicAst === null)
    const found = blocks.map((block) => [block, conditionsIn(block, policy)] as const)
    const ends = found.map(([block], index) => ({
      block,
      end: found.slice(0, index + 1).reduce((sum, [, some]) => sum + some.length, 0)
    }))
    const rest = ends.filter(({ end }) => end > conditionsMax).map(({ block }) => block)
    const [first] = rest
    if (first === undefined) return new Map(found)
    const text = rest.flatMap((block) => runsOf(block).flatMap(({ items }) => items)).join("\n")
    const position = policy.criteria.length * runsMax
    const shared = [conditionOf(policy, { text, section: first.section, kind: "narrative", position })]
    return new Map(
      found.map(([block, some]) => [block, rest.includes(block) && some.length > 0 ? shared : some])
    )
  }
)

const conditionsIn = (block: CriteriaBlock, policy: PolicyVersion): ReadonlyArray<Condition> =>
  runsOf(block).map(({ items, kind }, index) =>
    conditionOf(policy, {
      text: items.join("\n"),
      section: block.section,
      kind,
      position: policy.criteria.indexOf(block) * runsMax + index
    })
  )

/** More than any passage has. */
export const runsMax = 10_000

interface Run {
  readonly kind: ConditionKind
  readonly items: ReadonlyArray<string>
}

const runsOf = (block: CriteriaBlock): ReadonlyArray<Run> => {
  const items = textItems(block.text)
  const kinds = items.map((item) => kindOfItem(item, block))
  const runs: Array<{ readonly kind: ConditionKind; from: number; until: number }> = []
  kinds.forEach((kind, index) => {
    if (kind === undefined) return
    const last = runs.at(-1)
    if (last?.kind === kind) last.until = index
    else runs.push({ kind, from: index, until: index })
  })
  return runs.map(({ from, kind, until }) => ({ kind, items: items.slice(from, until + 1) }))
}

/** Undefined: the item states no condition. */
const kindOfItem = (item: string, { section }: CriteriaBlock): ConditionKind | undefined => {
  if (!sentencesOf(item).some((sentence) => statementOf(sentence) === "condition")) return undefined
  if (section === "documentation" || section === "frequency") return section
  return isExclusion(item, section) ? "exclusion" : "narrative"
}

/** The kind of a sentence in a group's paragraph. */
export const paragraphKind = (sentence: string): ConditionKind =>
  isExclusion(sentence, "other") ? "exclusion" : "narrative"

/**
 * Returns whether a text excludes a case from coverage, so that a caller attests that it does not apply. In
 * the limitations a bare list of nouns is an exclusion, too.
 */
const isExclusion = (text: string, section: CriteriaBlock["section"]): boolean =>
  excluding.test(text)
    ? !affirming.test(text.replaceAll(excludingEverywhere, " "))
    : section === "limitations" && !requiring.test(text)

const exclusionWritings = [
  String.raw`\b(?:is|are|be|being|was|were|considered|deemed)? ?(?:not|never|no longer) (?:be )?(?:routinely )?` +
    String.raw`(?:considered )?(?:covered|payable|paid|reimbursed|reasonable(?: and|,| or)? necessary|` +
    String.raw`reasonable and necessary|medically necessary|an? (?:covered )?(?:indication|benefit)|indicated)\b`,
  String.raw`\bnon-? ?covered\b|\bnon-? ?coverage\b|\bexclu(?:ded|des|sions?)\b|\bcontraindicat\w*`,
  String.raw`\b(?:is|are|will be) denied\b|\bno (?:coverage|payment|reimbursement)\b`,
  String.raw`\b(?:do(?:es)?|will|may|can)(?: not|n['’]t) (?:cover|pay|qualify|reimburse)\b|\bcannot be covered\b`,
  String.raw`\b(?:investigational|experimental|cosmetic)\b`
]
const excluding = anyOf(...exclusionWritings)
const excludingEverywhere = new RegExp(excluding, "gi")

const affirming = anyOf(
  String.raw`\b(?:is|are|be|may be|will be) (?:considered )?(?:covered|payable|reasonable and necessary)\b`,
  String.raw`\b(?:covers|will cover)\b`
)

/** A limitation with a verb or a limit of its own is to be met, and excludes nothing by itself. */
const requiring = anyOf(
  String.raw`\b(?:is|are|was|were|has|have|must|shall|should|may|can|will|do|does)\b`,
  String.raw`\b(?:require\w*|limit\w*|at least|at most|no more than|not more|only|per|once|twice|every)\b|\d`
)
