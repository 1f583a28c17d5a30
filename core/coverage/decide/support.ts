import { codeShapes } from "../codeShape.ts"
import type { DiagnosisSupport, TraceStep } from "../CoverageDecision.ts"
import type { DiagnosisGroup } from "./groups.ts"
import { codeList } from "./groups.ts"
import type { Hit } from "./hits.ts"
import { codesIn, hitsOf, listStep, scopeStep } from "./hits.ts"
import { isPaired, partnersOf } from "./pairs.ts"
import { codesInDoubt, rangedHits, rangeStep } from "./proseRanges.ts"
import type { Gap } from "./Verdict.ts"
import { stepOf } from "./Verdict.ts"

/** What the lists of diagnoses of one unit say of a procedure (coverage-domain §2.1, rule 7). */
export interface Support {
  readonly support: DiagnosisSupport
  /** `name`: every given diagnosis is on a list of denials; `omission`: no supporting list has any. */
  readonly deniedBy: "name" | "omission" | null
  /** The groups that support, with the entries that they list; empty for an exclusion list. */
  readonly supporting: ReadonlyArray<Hit>
  /** The groups that the roles of these need beside them. */
  readonly partners: ReadonlyArray<Hit>
  /** Groups whose role leaves it open whether the diagnosis stands where it must. */
  readonly openRoles: ReadonlyArray<DiagnosisGroup>
  readonly gaps: ReadonlyArray<Gap>
  readonly steps: ReadonlyArray<TraceStep>
}

/** A procedure and the diagnoses that are given for it. */
export interface SupportQuestion {
  readonly code: string
  readonly diagnoses: ReadonlyArray<string>
  /** Those of the diagnoses that the table of the day does not hold, or holds as headers. */
  readonly invalid: ReadonlySet<string>
  /** The articles that would list diagnoses are not at hand. */
  readonly lacksArticle: boolean
}

/** `groups`: those of every document of the unit; one supporting diagnosis suffices. */
export const supportOf = (groups: ReadonlyArray<DiagnosisGroup>, question: SupportQuestion): Support => {
  const { code, diagnoses, lacksArticle } = question
  if (groups.length === 0) return lacksArticle ? open(["related_policy"], []) : none
  const relevant = groups.filter((one) => one.scope?.has(code) === true || isUnscoped(one, code))
  const doubtful = rangedHits(relevant, diagnoses)
  const inDoubt = codesInDoubt(doubtful)
  if (inDoubt.size === 0) return supportByLists(groups, question)
  // A diagnosis inside a range that no table spells out is unknown before any list is read (rule 15).
  const others = diagnoses.filter((one) => !inDoubt.has(one))
  const found = others.length === 0 ? none : supportByLists(groups, { ...question, diagnoses: others })
  return found.support === "supported" ? found : open(["group_scope"], doubtful.map(rangeStep))
}

const isUnscoped = ({ named, scope }: DiagnosisGroup, code: string): boolean =>
  scope === null && named?.has(code) !== false

const supportByLists = (
  groups: ReadonlyArray<DiagnosisGroup>,
  { code, diagnoses, invalid }: SupportQuestion
): Support => {
  const scoped = groups.filter((one) => one.scope?.has(code) === true)
  const unscoped = hitsOf(
    groups.filter((one) => isUnscoped(one, code)),
    diagnoses
  )
  if (diagnoses.length === 0) return open(["diagnosis_codes"], [missingStep(scoped[0] ?? groups[0])])
  const lists = {
    covered: hitsOf(
      scoped.filter((one) => one.kind === "dx_covered" && one.polarity === "listed"),
      diagnoses
    ),
    exclusions: hitsOf(
      scoped.filter((one) => one.kind === "dx_covered" && one.polarity === "all_except"),
      diagnoses
    ),
    denials: hitsOf(
      scoped.filter((one) => one.kind === "dx_noncovered"),
      diagnoses
    )
  }
  return judged({ lists, unscoped, scoped, groups, diagnoses, invalid })
}

interface Lists {
  readonly covered: ReadonlyArray<Hit>
  readonly exclusions: ReadonlyArray<Hit>
  readonly denials: ReadonlyArray<Hit>
}

interface Question {
  readonly lists: Lists
  readonly unscoped: ReadonlyArray<Hit>
  readonly scoped: ReadonlyArray<DiagnosisGroup>
  readonly groups: ReadonlyArray<DiagnosisGroup>
  readonly diagnoses: ReadonlyArray<string>
  readonly invalid: ReadonlySet<string>
}

const judged = (question: Question): Support => {
  const { lists, unscoped, scoped, groups, diagnoses } = question
  const denied = codesIn([...lists.denials, ...lists.exclusions])
  const listing = lists.covered.filter((one) => one.entries.length > 0)
  const plain = listing
    .map((one) => ({ ...one, entries: one.entries.filter(({ code }) => !denied.has(code)) }))
    .filter((one) => one.entries.length > 0)
  const found = supported(question, plain) ?? allExcept(question, denied)
  if (found !== undefined) return withDoubt(found, unscoped)
  if (plain.length > 0) return withoutPrimary(plain)
  if (listing.length > 0 || isAffirmedAndDenied(lists)) return contradictory(lists, listing)
  const elsewhere = unscoped.filter((one) => one.entries.length > 0)
  if (elsewhere.length > 0) {
    return open(["group_scope"], elsewhere.map(scopeStep))
  }
  if (diagnoses.every((one) => denied.has(one))) return deniedByName(lists)
  if (lists.covered.length > 0) return deniedByOmission(lists)
  return open(
    [scoped.length === 0 ? "group_scope" : "supporting_diagnoses"],
    [silentStep(scoped[0] ?? groups[0])]
  )
}

/** Supported by a list whose role is satisfied; asterisks are conditions of the unit and not judged here. */
const supported = (question: Question, plain: ReadonlyArray<Hit>): Support | undefined => {
  const paired = plain.filter((one) => isPaired(one, question.lists.covered))
  if (paired.length === 0) return undefined
  // A list without an asterisk beside one with it settles the matter.
  const unmarked = paired
    .map((one) => ({ ...one, entries: one.entries.filter((entry) => !entry.asterisk) }))
    .filter((one) => one.entries.length > 0)
  const supporting = unmarked.length > 0 ? unmarked : paired
  const openRoles = supporting.map((one) => one.group).filter((group) => isOrderOpen(group, question))
  return {
    ...none,
    support: "supported",
    supporting,
    partners: supporting.flatMap((one) => partnersOf(one, question.lists.covered)),
    openRoles: openRoles.length === supporting.length ? openRoles : [],
    steps: supporting.map((one) =>
      listStep(one, "dx_covered", `${codeList(one.entries)} supports the procedure`)
    )
  }
}

/** Which of several diagnoses is the primary one no rule-level question says. */
const isOrderOpen = ({ role }: DiagnosisGroup, { diagnoses }: Question): boolean =>
  role === "primary" && diagnoses.length > 1

/** A list of exceptions affirms real diagnoses alone: a header or an invented code is no diagnosis (L2). */
const allExcept = (
  { diagnoses, invalid, lists: { exclusions } }: Question,
  denied: ReadonlySet<string>
): Support | undefined => {
  const others = diagnoses.filter((one) => !denied.has(one))
  if (exclusions.length === 0 || others.length === 0) return undefined
  const affirmed = others.filter((one) => !invalid.has(one) && isApart(one, exclusions))
  if (affirmed.length === 0) {
    return open(
      ["diagnosis_codes"],
      exclusions.map((one) =>
        listStep(
          one,
          "dx_not_valid",
          "No diagnosis given is a valid code that the exclusion list leaves over"
        )
      )
    )
  }
  return {
    ...none,
    support: "supported",
    supporting: exclusions.map(({ group }) => ({ group, entries: [] })),
    steps: exclusions.map((one) =>
      listStep(
        one,
        "dx_all_except",
        "Every diagnosis but the listed ones supports the procedure (all_except)"
      )
    )
  }
}

/** Neither a header of a listed code nor a longer one below it: no code of a diagnosis begins another. */
const isApart = (code: string, exclusions: ReadonlyArray<Hit>): boolean =>
  codeShapes.diagnosis.test(code) &&
  !exclusions.some(({ group }) =>
    group.group.codes.some((one) => one.code.startsWith(code) || code.startsWith(one.code))
  )

const withoutPrimary = (plain: ReadonlyArray<Hit>): Support => ({
  ...none,
  support: "unknown",
  openRoles: plain.map((one) => one.group),
  gaps: ["primary_diagnosis"],
  steps: plain.map((one) =>
    listStep(
      one,
      "dx_second_missing",
      `${codeList(one.entries)} supports the procedure only beside another one`
    )
  )
})

const contradictory = (lists: Lists, listing: ReadonlyArray<Hit>): Support => ({
  ...none,
  support: "unknown",
  gaps: ["contradictory_lists"],
  steps: [...listing, ...[...lists.denials, ...lists.exclusions].filter((one) => one.entries.length > 0)].map(
    (one) => listStep(one, "dx_contradictory", `contradictory_lists: ${codeList(one.entries)} is listed`)
  )
})

/** An exclusion list that does not name a diagnosis affirms it, whatever another list denies. */
const isAffirmedAndDenied = ({ denials, exclusions }: Lists): boolean => {
  const denied = codesIn([...denials, ...exclusions])
  return exclusions.some((one) => [...denied].some((code) => !codesIn([one]).has(code)))
}

/** A list that nobody can place and that may deny what another one supports is a gap (L2). */
const withDoubt = (found: Support, unscoped: ReadonlyArray<Hit>): Support => {
  const supporting = codesIn(found.supporting)
  const doubts = unscoped.filter(
    (one) =>
      mayDeny(one) &&
      (isTurned(one) || one.entries.some(({ code }) => supporting.size === 0 || supporting.has(code)))
  )
  return doubts.length === 0
    ? found
    : { ...found, gaps: ["group_scope"], steps: [...found.steps, ...doubts.map(scopeStep)] }
}

/** A list that nobody can place, and that may be one of denials. */
const mayDeny = ({ group }: Hit): boolean =>
  group.scopeBasis !== "foreign_codes" && (group.kind === "dx_noncovered" || group.polarity !== "listed")

/** A list of denials whose paragraph speaks of those that it does not list, or of nobody knows which. */
const isTurned = ({ group }: Hit): boolean =>
  group.kind === "dx_noncovered" && group.polarity === "unreadable"

/** A document of unknown status never denies (rule 3): its list is told of and decides nothing. */
const isKnown = ({ group }: Hit): boolean => group.policy.status !== "unknown"

const deniedByName = (lists: Lists): Support => ({
  ...none,
  support: "not_supported",
  deniedBy: [...lists.denials, ...lists.exclusions].some((one) => one.entries.length > 0 && isKnown(one))
    ? "name"
    : null,
  steps: [...lists.denials, ...lists.exclusions]
    .filter((one) => one.entries.length > 0)
    .map((one) =>
      listStep(
        one,
        "dx_noncovered",
        `${unsupporting}: ${codeList(one.entries)} is listed as not supporting it`
      )
    )
})

const deniedByOmission = (lists: Lists): Support => ({
  ...none,
  support: "not_supported",
  deniedBy: lists.covered.some(isKnown) ? "omission" : null,
  steps: lists.covered.map((one) =>
    listStep(one, "dx_not_listed", `${unsupporting}: no diagnosis given is among those that support it`)
  )
})

const none: Support = {
  support: "not_applicable",
  deniedBy: null,
  supporting: [],
  partners: [],
  openRoles: [],
  gaps: [],
  steps: []
}

/** Nobody can tell from the lists. */
const open = (gaps: ReadonlyArray<Gap>, steps: ReadonlyArray<TraceStep>): Support => ({
  ...none,
  support: "unknown",
  gaps,
  steps
})

const missingStep = (group: DiagnosisGroup | undefined): TraceStep =>
  stepOf(group?.policy ?? null, {
    rule: "article.dx_missing",
    result: "Coverage depends on the diagnosis, and none was given.",
    section: "diagnosis codes",
    quote: group?.group.paragraph ?? null
  })

const silentStep = (group: DiagnosisGroup | undefined): TraceStep =>
  stepOf(group?.policy ?? null, {
    rule: "article.dx_silent",
    result: "No list of diagnoses that is known to be about the procedure names the given ones.",
    section: "diagnosis codes",
    quote: group?.group.paragraph ?? null
  })

const unsupporting = "dx_not_supporting_medical_necessity"
