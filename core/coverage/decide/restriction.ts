import type { CriteriaBlock, PolicyVersion } from "../Policy.ts"
import type { Lacking, RuleInputs, Truth } from "./criteria.ts"
import { judge, lacking } from "./criteria.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, unique, verdict } from "./Verdict.ts"

/** A passage with a condition that a machine can judge, and what it came to. */
export interface JudgedBlock {
  readonly block: CriteriaBlock
  readonly truth: Truth
  readonly lacking: Lacking
}

/**
 * The passages of a policy that carry a condition, judged once for a query. A condition says what has to hold
 * for coverage, in whichever section it stands.
 */
export const judgedBlocks = (policy: PolicyVersion, inputs: RuleInputs): ReadonlyArray<JudgedBlock> =>
  policy.criteria.flatMap((block) =>
    block.logicAst === null
      ? []
      : [{ block, truth: judge(block.logicAst, inputs), lacking: lacking(block.logicAst, inputs) }]
  )

/** Whether some passage is narrative text alone. */
export const hasTextAlone = (policy: PolicyVersion): boolean =>
  policy.criteria.some((block) => block.logicAst === null)

/**
 * What the conditions of a policy say: one that is violated refuses, one that waits for an input makes it
 * conditional and names the input (coverage-domain §2.1, step 7). A limit of frequency that hangs on a
 * history is none of these: `limited` leaves it to a person.
 */
export const restrictionVerdicts = (
  policy: PolicyVersion,
  blocks: ReadonlyArray<JudgedBlock>
): ReadonlyArray<Verdict> =>
  blocks.filter((judged) => !isLimit(judged)).map((judged) => restrictionVerdict(policy, judged))

/**
 * A verdict with the limits of frequency of the policy that it is about. They need a history of services that
 * no rule-level input holds: a person looks at them, and the status does not change.
 */
export const limited = (said: Verdict, readings: ReadonlyArray<Limited>): Verdict => {
  const steps = readings.flatMap(({ policy, blocks }) =>
    blocks.filter(isLimit).map(({ block }) =>
      stepOf(policy, {
        rule: "criteria.frequency",
        result: `${sentence(block)} needs the history of services to be judged.`,
        section: sectionOf(block)
      })
    )
  )
  if (steps.length === 0 || said.status === "not_covered") return said
  return { ...said, review: true, trace: [...said.trace, ...steps], deciding: [...said.deciding, ...steps] }
}

interface Limited {
  readonly policy: PolicyVersion
  readonly blocks: ReadonlyArray<JudgedBlock>
}

const isLimit = ({ block, truth }: JudgedBlock): boolean =>
  block.section === "frequency" && truth === "unknown"

const restrictionVerdict = (policy: PolicyVersion, { block, truth, lacking }: JudgedBlock): Verdict => {
  const step = (rule: string, result: string) => [stepOf(policy, { rule, result, section: sectionOf(block) })]
  if (truth === false) {
    return verdict("not_covered", step("criteria.violated", `${sentence(block)} is not met.`))
  }
  if (truth === true) {
    const met = step("criteria.met", `${sentence(block)} is met.`)
    return verdict("covered", met, { review: block.requiresManualReview })
  }
  const gaps = unique(lacking.gaps)
  const review = lacking.unsayable || gaps.length === 0
  const waits = gaps.length === 0 ? "a person to judge it" : gaps.join(", ")
  return verdict("conditional", step("criteria.unknown", `${sentence(block)} waits for ${waits}.`), {
    gaps,
    review,
    basis: review ? "text" : "structured"
  })
}

const sentence = (block: CriteriaBlock): string => `The condition in ${sectionOf(block)}`

const sectionOf = (block: CriteriaBlock): string => `${block.section} (${block.blockId})`
