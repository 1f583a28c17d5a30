import type { DiagnosisSupport } from "../../../core/coverage/CoverageDecision.ts"
import type { Criterion } from "../../../core/coverage/Criterion.ts"
import { findingsOf, lacksArticle } from "./support.ts"
import type { Finding } from "./support.ts"
import type { BlockTruth, DocumentTruth, Question } from "./Truth.ts"

/** What one unit comes to for a code; of several units the first of these ranks decides (rule 9). */
export const ranks = ["denied", "covered", "conditional", "omitted"] as const
export type Rank = (typeof ranks)[number]

export interface Outcome {
  readonly rank: Rank
  readonly support: DiagnosisSupport
  /** A name that the decision's gaps must hold; null: none is certain. */
  readonly gap: string | null
}

/** A question with the texts of the conditions that its caller attests. */
export interface AttestedQuestion extends Question {
  readonly attested: ReadonlyArray<string>
}

/**
 * Every outcome that the specification allows for a unit (rules 7, 8 and 10); none where it does not list the
 * code. The documents are those that decide.
 */
export const unitOutcomes = (
  documents: ReadonlyArray<DocumentTruth>,
  code: string,
  question: AttestedQuestion
): ReadonlyArray<Outcome> => {
  if (!documents.some(({ procedures }) => procedures.includes(code))) return []
  const standing = standingOf(
    documents.flatMap(({ blocks }) => blocks),
    { question, hasLcd: hasLcdText(documents) }
  )
  const isUnknown = documents.some(({ status }) => status === "unknown")
  const speaks = documents.find(({ groups }) => groups.length > 0)
  const hasLcd = hasLcdText(documents)
  const isRefused = documents.some(
    ({ blocks, status }) => status !== "unknown" && standingOf(blocks, { question, hasLcd }).isViolated
  )
  return findingsOf(documents, code, question.diagnoses).flatMap((finding) => {
    const outcomes = outcomesOf(
      finding,
      {
        ...standing,
        isDangling: isDangling(documents),
        remark: remarkOf(documents),
        lacksArticle: lacksArticle(documents)
      },
      question
    )
    return isUnknown
      ? outcomes.flatMap((one) => capped(one, speaks?.status === "unknown" && !isRefused))
      : outcomes
  })
}

/** A document of unknown status reaches conditional at most, and denies nothing itself (rule 3). */
const capped = (outcome: Outcome, isUnknownWhoSpeaks: boolean): ReadonlyArray<Outcome> => {
  const support = outcome.support
  const supports: ReadonlyArray<DiagnosisSupport> =
    support === "not_supported"
      ? [support, "unknown"]
      : support === "supported"
        ? [support, "unknown"]
        : [support]
  const conditional = supports.map((each): Outcome => ({ rank: "conditional", support: each, gap: null }))
  const isDenial = outcome.rank === "denied" || outcome.rank === "omitted"
  return isDenial && !isUnknownWhoSpeaks ? [outcome, ...conditional] : conditional
}

/** An article that names an LCD which does not decide: whether it still covers is left open. */
const isDangling = (documents: ReadonlyArray<DocumentTruth>): boolean =>
  !documents.some(({ isLcd }) => isLcd) &&
  documents.some(({ related }) => related.some((id) => id.startsWith("L")))

/** A pointer is answered only by an LCD whose text is there (L1). */
const hasLcdText = (documents: ReadonlyArray<DocumentTruth>): boolean =>
  documents.some(({ blocks, isLcd }) => isLcd && blocks.length > 0)

/** How many of the supporting lists point to an LCD whose text is absent. */
const remarkOf = (documents: ReadonlyArray<DocumentTruth>): "all" | "some" | "none" => {
  const supporting = documents.flatMap(({ groups }) => groups.filter(({ table }) => table === "covered"))
  const pointing = supporting.filter(({ condition, hasRemark }) => hasRemark && condition === null)
  if (pointing.length === 0 || hasLcdText(documents)) return "none"
  return pointing.length === supporting.length ? "all" : "some"
}

/** What the blocks leave to be met. */
export interface BlockState {
  readonly isViolated: boolean
  readonly isUnmet: boolean
  /** A block that states no condition, which a cautious reader may count. */
  readonly isSoft: boolean
  /** Something was met or attested, so that coverage is more than the absence of conditions. */
  readonly hasMet: boolean
}

export const standingOf = (
  blocks: ReadonlyArray<BlockTruth>,
  { question, hasLcd }: { readonly question: AttestedQuestion; readonly hasLcd: boolean }
): BlockState => {
  const judged = blocks.map((block) => judgeBlock(block, { question, hasLcd }))
  return {
    isViolated: judged.includes("violated"),
    isUnmet: judged.includes("unmet"),
    isSoft: judged.includes("soft"),
    hasMet: judged.includes("met")
  }
}

const judgeBlock = (
  { meaning, text, logic }: BlockTruth,
  { question, hasLcd }: { readonly question: AttestedQuestion; readonly hasLcd: boolean }
): "violated" | "unmet" | "soft" | "met" => {
  const met = meaning === "structured" && logic !== null ? evaluate(logic, question) : undefined
  if (met === false) return "violated"
  if (met === true || isAttested(text, question)) return "met"
  if (meaning === "instruction" || (meaning === "pointer" && hasLcd)) return "soft"
  return "unmet"
}

/** A condition may be listed as the whole block or as a sentence of it. */
const isAttested = (text: string, { attested }: AttestedQuestion): boolean =>
  attested.some((each) => text.includes(each) || each.includes(text))

/** Three-valued: undefined where the question does not say. */
const evaluate = (criterion: Criterion, question: Question): boolean | undefined => {
  switch (criterion.op) {
    case "sex":
      return among(question.sex, criterion.any_of)
    case "site":
      return among(question.site, criterion.any_of)
    case "specialty":
      return among(question.specialty, criterion.any_of)
    case "modifier":
      if (question.modifiers.length === 0) return undefined
      return criterion.any_of.some((each) => question.modifiers.includes(each))
    case "not":
      return inverse(evaluate(criterion.criterion, question))
    case "all":
    case "any": {
      const values = criterion.criteria.map((each) => evaluate(each, question))
      const decisive = criterion.op === "any"
      if (values.includes(decisive)) return decisive
      return values.includes(undefined) ? undefined : !decisive
    }
    case "within":
    case "age":
    case "cmp":
    case "has_code":
      return undefined
  }
}

const among = (given: string | null, wanted: ReadonlyArray<string>): boolean | undefined =>
  given === null ? undefined : wanted.includes(given)

const inverse = (value: boolean | undefined): boolean | undefined =>
  value === undefined ? undefined : !value

const outcomesOf = (
  finding: Finding,
  standing: BlockState & {
    readonly isDangling: boolean
    readonly remark: "all" | "some" | "none"
    readonly lacksArticle: boolean
  },
  question: AttestedQuestion
): ReadonlyArray<Outcome> => {
  const support = supportOf(finding)
  const gap = finding._tag === "unknown" ? finding.gap : null
  const ranked = (...all: ReadonlyArray<Rank>) => all.map((rank): Outcome => ({ rank, support, gap }))
  if (standing.isViolated) return ranked("denied", "omitted")
  switch (finding._tag) {
    case "named":
      return ranked("denied")
    case "omitted":
      return ranked("omitted")
    case "unknown":
      return ranked("conditional")
    case "silent":
      return standing.isUnmet || !standing.hasMet ? ranked("conditional") : ranked("covered", "conditional")
    case "supported": {
      const isMet = finding.alternatives.some((all) => all.every((each) => isAttested(each, question)))
      if (standing.isUnmet || !isMet || standing.remark === "all" || standing.lacksArticle)
        return ranked("conditional")
      return standing.isSoft || standing.remark === "some" || standing.isDangling || finding.isSoft
        ? ranked("covered", "conditional")
        : ranked("covered")
    }
  }
}

const supportOf = ({ _tag }: Finding): DiagnosisSupport => {
  switch (_tag) {
    case "silent":
      return "not_applicable"
    case "supported":
      return "supported"
    case "named":
    case "omitted":
      return "not_supported"
    case "unknown":
      return "unknown"
  }
}
