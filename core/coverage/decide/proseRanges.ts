import { displayCode } from "../codeText.ts"
import type { TraceStep } from "../CoverageDecision.ts"
import type { DiagnosisGroup } from "./groups.ts"
import type { Hit } from "./hits.ts"
import { diagnosisSections } from "./hits.ts"
import { stepOf } from "./Verdict.ts"

/** A group and the diagnoses that its paragraph includes by a range and its table does not spell out. */
export interface RangedHit {
  readonly group: Hit["group"]
  readonly diagnoses: ReadonlyArray<string>
}

/** Finds them, in the order of the groups (coverage-domain §2.1, rule 15). */
export const rangedHits = (
  groups: ReadonlyArray<DiagnosisGroup>,
  diagnoses: ReadonlyArray<string>
): ReadonlyArray<RangedHit> =>
  groups.flatMap((group) => {
    const includes = rangesIn(group.group.paragraph ?? "")
    const found = diagnoses.filter((code) => includes(code) && !isSpelledOut(group, code))
    return found.length === 0 ? [] : [{ group, diagnoses: found }]
  })

export const codesInDoubt = (hits: ReadonlyArray<RangedHit>): ReadonlySet<string> =>
  new Set(hits.flatMap((one) => one.diagnoses))

export const rangeStep = ({ diagnoses, group }: RangedHit): TraceStep => {
  const codes = diagnoses.map((code) => displayCode({ codeSystem: "ICD10CM", code })).join(", ")
  return stepOf(group.policy, {
    rule: "article.dx_range",
    result: `The paragraph of group ${group.group.group} includes ${codes} by a range, and its table does not list it.`,
    group: group.group.group,
    section: diagnosisSections[group.kind],
    quote: group.group.paragraph
  })
}

const isSpelledOut = ({ group }: DiagnosisGroup, code: string): boolean =>
  group.codes.some((entry) => entry.code === code)

/** Whether a paragraph includes a canonical diagnosis by `E11.00 through E11.9` or `category E11`. */
const rangesIn = (paragraph: string): ((code: string) => boolean) => {
  const text = paragraph.toUpperCase()
  const ranges = [...text.matchAll(range)].map(
    ([, first = "", last = ""]) => [bare(first), bare(last)] as const
  )
  const categories = [
    ...[...text.matchAll(categoryList)].flatMap(([list]) =>
      [...list.matchAll(diagnosis)].map(([code]) => bare(code))
    ),
    ...[...text.matchAll(wildcard)].map(([, code = ""]) => bare(code))
  ]
  return (code) =>
    ranges.some(([first, last]) => first <= code && (code <= last || code.startsWith(last))) ||
    categories.some((category) => code.startsWith(category))
}

const bare = (code: string): string => code.replace(".", "")

const shape = String.raw`[A-Z]\d[0-9AB](?:\.[0-9A-Z]{1,4})?`
const diagnosis = new RegExp(String.raw`(?<![0-9A-Z.])${shape}(?![0-9A-Z])`, "g")
/** A procedure such as `G0101` has four digits and no period, so it has not this shape. */
const range = new RegExp(
  String.raw`(?<![0-9A-Z.])(${shape})\s*(?:-|–|—|\bTHROUGH\b|\bTHRU\b|\bTO\b)\s*(${shape})(?![0-9A-Z])`,
  "g"
)
const categoryList = new RegExp(
  String.raw`\bCATEGOR(?:Y|IES)\b[^.;]{0,20}?${shape}(?:(?:,| AND| OR|, AND|, OR) ${shape})*(?![0-9A-Z])`,
  "g"
)
const wildcard = /(?<![0-9A-Z.])([A-Z]\d[0-9AB](?:\.[0-9A-Z]{1,3})?)\.?[-*](?![0-9A-Z])/g
