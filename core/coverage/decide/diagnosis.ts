import type { PolicyVersion } from "../Policy.ts"
import type { DiagnosisGroup } from "./DiagnosisGroup.ts"
import { written } from "./DiagnosisGroup.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, verdict } from "./Verdict.ts"
import { supportOf } from "./support.ts"

/** What is asked of a document's groups: one procedure (null: none was named) and the query's diagnoses. */
export interface DiagnosisQuestion {
  readonly policy: PolicyVersion
  readonly groups: ReadonlyArray<DiagnosisGroup>
  readonly code: string | null
  readonly diagnoses: ReadonlyArray<string>
}

/**
 * What the groups of diagnoses say of a procedure (coverage-domain §2.1, steps 4 and 6); undefined: the
 * document has none about it. One supporting diagnosis suffices unless its group's role asks for a second.
 */
export const diagnosisVerdict = (question: DiagnosisQuestion): Verdict | undefined => {
  const { policy, code, diagnoses } = question
  const about = question.groups.filter((one) => isAbout(one, code))
  if (about.length === 0) return undefined
  const scoped = about.filter((one) => one.scope !== null && (code !== null || one.scope === "all"))
  if (diagnoses.length === 0) return withoutDiagnosis(policy, scoped.length > 0)
  const covered = scoped.filter(isCovered)
  const supported = supportOf(policy, covered, diagnoses)
  if (supported !== undefined) return supported
  const unsure = about.find((one) => !scoped.includes(one) && isCovered(one) && one.hits.length > 0)
  if (unsure !== undefined) return unresolved(policy, unsure)
  if (covered.some((one) => one.group.codes.length > 0)) return unsupported(policy, covered)
  return scoped.length > 0
    ? denied(question, scoped)
    : unresolved(policy, about.find((one) => one.hits.length > 0) ?? about[0])
}

const isCovered = (one: DiagnosisGroup): boolean => one.group.kind === "dx_covered"

const isAbout = ({ scope }: DiagnosisGroup, code: string | null): boolean =>
  scope === null || scope === "all" || code === null || scope.includes(code)

const withoutDiagnosis = (policy: PolicyVersion, isResolved: boolean): Verdict =>
  verdict(
    "conditional",
    [
      stepOf(policy, {
        rule: "article.dx_missing",
        result: "Coverage depends on the diagnosis, and none was given.",
        section: "diagnosis codes"
      })
    ],
    { gaps: ["diagnosis_codes"], review: !isResolved, basis: isResolved ? "structured" : "text" }
  )

/** The editor's paragraph is all that says which procedures the group is about. */
const unresolved = (policy: PolicyVersion, one: DiagnosisGroup | undefined): Verdict => {
  const listed = one !== undefined && one.hits.length > 0
  const open = "but which procedures it is about is only in its text."
  const result = listed
    ? `Group ${one.group.group} lists ${written(one.hits)}, ${open}`
    : "Groups of diagnoses exist, but which procedures they are about is only in their text."
  return verdict(
    "conditional",
    [
      stepOf(policy, {
        rule: "article.dx_scope_none",
        result,
        ...(listed ? { group: one.group.group } : {}),
        section: "diagnosis codes"
      })
    ],
    { review: true, basis: "text" }
  )
}

const unsupported = (policy: PolicyVersion, covered: ReadonlyArray<DiagnosisGroup>): Verdict => {
  const numbers = covered.map((one) => one.group.group)
  const groups = numbers.length === 1 ? `group ${numbers[0]}` : `groups ${numbers.join(", ")}`
  const result = `no diagnosis given is among those that support the procedure in ${groups}.`
  return verdict("not_covered", [
    stepOf(policy, {
      rule: "article.dx_not_listed",
      result: `${unsupporting}: ${result}`,
      ...(numbers.length === 1 && numbers[0] !== undefined ? { group: numbers[0] } : {}),
      section: "diagnosis codes that support medical necessity"
    })
  ])
}

/** Only a list of what does not support it: being absent from that list is no support. */
const denied = ({ policy, diagnoses }: DiagnosisQuestion, scoped: ReadonlyArray<DiagnosisGroup>): Verdict => {
  const refused = scoped.filter((one) => !isCovered(one) && one.hits.length > 0)
  const hits = new Map(refused.flatMap((one) => one.hits).map((entry) => [entry.code, entry] as const))
  const section = "diagnosis codes that do not support medical necessity"
  if (hits.size === diagnoses.length) {
    const listed = written([...hits.values()])
    const result = `${unsupporting}: ${listed} is listed as not supporting the procedure.`
    const steps = refused.map((one) =>
      stepOf(policy, { rule: "article.dx_noncovered", result, group: one.group.group, section })
    )
    return verdict("not_covered", steps)
  }
  const result =
    "The document lists only diagnoses that do not support it; whether the given ones do is open."
  return verdict("conditional", [stepOf(policy, { rule: "article.dx_only_noncovered", result, section })], {
    review: true,
    basis: "text"
  })
}

const unsupporting = "dx_not_supporting_medical_necessity"
