import type { Condition, ConditionKind, TraceStep } from "../CoverageDecision.ts"
import type { Criterion } from "../Criterion.ts"
import type { CriteriaBlock, PolicyVersion } from "../Policy.ts"
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
  readonly condition: Condition
  readonly gaps: ReadonlyArray<Gap>
}

/** Every block of a document, read for a query. */
export const readBlocks = (policy: PolicyVersion, inputs: RuleInputs): ReadonlyArray<BlockReading> =>
  policy.criteria.map((block) => {
    const condition = conditionOf(policy, {
      text: block.text,
      section: blockSection(block),
      kind: block.logicAst === null ? kinds[block.section] : structuredKind(block)
    })
    if (block.logicAst === null) return { policy, block, condition, state: narrativeState(block), gaps: [] }
    const truth = judge(block.logicAst, inputs)
    return {
      policy,
      block,
      condition,
      state: states[`${truth}`],
      gaps: missingInput(block.logicAst, inputs).gaps
    }
  })

/** Whether the document's own text asks for anything, or sends to a text that does. */
export const statesConditions = ({ criteria }: Pick<PolicyVersion, "criteria">): boolean =>
  criteria.some((block) => block.logicAst !== null || ["open", "pointer"].includes(narrativeState(block)))

/** A block as a step of the trace. */
export const blockStep = (reading: BlockReading): TraceStep =>
  stepOf(reading.policy, {
    rule: `criteria.${reading.state}`,
    result: results[reading.state],
    section: blockSection(reading.block),
    quote: reading.block.text
  })

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

const narrativeState = readOnce(({ tags, text }: CriteriaBlock): BlockReading["state"] => {
  if (tags?.some((tag) => silentTags.has(tag)) === true) return "silent"
  const statements = new Set<Statement>(sentencesOf(text).map(statementOf))
  if (statements.has("condition")) return "open"
  if (statements.has("pointer")) return "pointer"
  return statements.has("affirms") ? "affirms" : "silent"
})

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

const blockSection = (block: CriteriaBlock): string => `${block.section} (${block.blockId})`
