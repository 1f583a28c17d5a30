import type { Condition, ConditionKind, TraceStep } from "../CoverageDecision.ts"
import type { Criterion } from "../Criterion.ts"
import type { CriteriaBlock, PolicyVersion } from "../Policy.ts"
import { blockConditions, blockSection, runsMax } from "./blockConditions.ts"
import { conditionOf } from "./condition.ts"
import type { RuleInputs, Truth } from "./criteria.ts"
import { judge, missingInput } from "./criteria.ts"
import { readOnce } from "./readOnce.ts"
import type { Statement } from "./sentence.ts"
import { sentencesOf, statementOf } from "./sentence.ts"
import type { Gap } from "./Verdict.ts"
import { stepOf } from "./Verdict.ts"

/** What a block of text asks for (coverage-domain §2.1, L1). */
export interface BlockReading {
  readonly policy: PolicyVersion
  readonly block: CriteriaBlock
  /**
   * `met` and `violated` are judged by its structure, `open` waits for an input or a person, `silent` states
   * no condition, `pointer` sends to the related LCD, `affirms` says outright that the service is covered.
   */
  readonly state: "met" | "violated" | "open" | "silent" | "pointer" | "affirms"
  /** One of a structured block; of a narrative one each that its text states. */
  readonly conditions: ReadonlyArray<Condition>
  /** The text refers to the related LCD, whatever else it states. */
  readonly refersToLcd: boolean
  readonly gaps: ReadonlyArray<Gap>
}

/** Every block of a document, read for a query. */
export const readBlocks = (policy: PolicyVersion, inputs: RuleInputs): ReadonlyArray<BlockReading> =>
  policy.criteria.map((block) => {
    if (block.logicAst === null) {
      const conditions = blockConditions(block, policy)
      return { policy, block, conditions, ...readNarrative(block), gaps: [] }
    }
    const truth = judge(block.logicAst, inputs)
    const said = {
      text: block.text,
      section: block.section,
      kind: structuredKind(block),
      position: policy.criteria.indexOf(block) * runsMax
    }
    return {
      policy,
      block,
      conditions: [conditionOf(policy, said)],
      refersToLcd: false,
      state: states[`${truth}`],
      gaps: missingInput(block.logicAst, inputs).gaps
    }
  })

/** Whether the document's own text asks for anything, or sends to a text that does. */
export const statesConditions = ({ criteria }: Pick<PolicyVersion, "criteria">): boolean =>
  criteria.some(
    (block) => block.logicAst !== null || ["open", "pointer"].includes(readNarrative(block).state)
  )

/** A block as steps of the trace: one for each condition that the caller does not attest. */
export const blockSteps = (
  { block, conditions, policy, state }: BlockReading,
  attested: ReadonlySet<string> = nothing
): ReadonlyArray<TraceStep> => {
  const said = { rule: `criteria.${state}`, result: results[state], section: blockSection(block) }
  if (conditions.length === 0) return [stepOf(policy, { ...said, quote: block.text })]
  return conditions
    .filter(({ conditionId }) => !attested.has(conditionId))
    .map(({ conditionId, kind, text }) => {
      const result = kind === "exclusion" && state === "open" ? openExclusion : said.result
      return stepOf(policy, { ...said, result, quote: text, conditionId })
    })
}

const nothing: ReadonlySet<string> = new Set()

const openExclusion = "Whether the exclusion applies is not known."

const results: Readonly<Record<BlockReading["state"], string>> = {
  met: "The condition is met.",
  violated: "The condition is not met.",
  open: "The condition is not known to be met.",
  silent: "The text states no condition.",
  pointer: "The text refers to the related LCD, whose conditions count.",
  affirms: "The text says that the service is covered."
}

const states: Readonly<Record<`${Truth}`, BlockReading["state"]>> = {
  true: "met",
  false: "violated",
  unknown: "open"
}

const readNarrative = readOnce(
  ({ tags, text }: CriteriaBlock): Pick<BlockReading, "state" | "refersToLcd"> => {
    if (tags?.some((tag) => silentTags.has(tag)) === true) return { state: "silent", refersToLcd: false }
    const statements = new Set<Statement>(sentencesOf(text).map(statementOf))
    const refersToLcd = statements.has("pointer")
    if (statements.has("condition")) return { state: "open", refersToLcd }
    if (refersToLcd) return { state: "pointer", refersToLcd }
    return { state: statements.has("affirms") ? "affirms" : "silent", refersToLcd }
  }
)

/** Tags that an importer gives to what its source keeps apart from the policy's conditions. */
const silentTags: ReadonlySet<string> = new Set(["references", "evidence"])

const kinds: Readonly<Record<CriteriaBlock["section"], ConditionKind>> = {
  indications: "narrative",
  limitations: "narrative",
  documentation: "documentation",
  frequency: "frequency",
  other: "narrative"
}

/** A condition on one input is of its kind; one that mixes several is for a person to read. */
const structuredKind = ({ logicAst, section }: CriteriaBlock): ConditionKind => {
  const found = logicAst === null ? [] : [...new Set(leavesOf(logicAst).map((leaf) => leafKinds[leaf.op]))]
  const [only] = found
  return found.length === 1 && only !== undefined ? only : kinds[section]
}

type Leaf = Exclude<Criterion, { readonly op: "all" | "any" | "not" }>

const leavesOf = (criterion: Criterion): ReadonlyArray<Leaf> => {
  switch (criterion.op) {
    case "all":
    case "any":
      return criterion.criteria.flatMap(leavesOf)
    case "not":
      return leavesOf(criterion.criterion)
    case "cmp":
    case "has_code":
    case "age":
    case "sex":
    case "site":
    case "modifier":
    case "specialty":
    case "within":
      return [criterion]
  }
}

const leafKinds: Readonly<Record<Leaf["op"], ConditionKind>> = {
  cmp: "narrative",
  has_code: "narrative",
  age: "age",
  sex: "sex",
  site: "site",
  modifier: "modifier",
  specialty: "specialty",
  within: "frequency"
}
