import type { DiagnosisSupport } from "../../../core/coverage/CoverageDecision.ts"
import type { CoverageStatus } from "../../../core/coverage/CoverageDecision.ts"
import { ranks, unitOutcomes } from "./outcomes.ts"
import type { AttestedQuestion, Outcome, Rank } from "./outcomes.ts"
import { combinations } from "./support.ts"
import type { ContractorTruth, Days, DocumentTruth, Question, Truth } from "./Truth.ts"

/** What the local units come to for a code; `none`: nothing bears on it. */
export interface LocalOutcome extends Omit<Outcome, "rank"> {
  readonly rank: Rank | "none"
}

export const statusOf: Readonly<Record<LocalOutcome["rank"], CoverageStatus>> = {
  denied: "not_covered",
  covered: "covered",
  conditional: "conditional",
  omitted: "not_covered",
  none: "unknown"
}

/** Every outcome that is allowed for the local units together (rules 3 and 9); none where none lists it. */
export const localOutcomes = (
  truth: Truth,
  question: AttestedQuestion,
  code: string
): ReadonlyArray<LocalOutcome> => {
  const units = localUnits(truth, question, code)
  if (units.length === 0) return []
  const decide = (wanted?: Kind) =>
    unitsTogether(
      units
        .filter((unit) => wanted === undefined || kindOf(unit) === wanted)
        .map((unit) => unitOutcomes(unit, code, question))
    )
  if (question.place === null) {
    const each = units.flatMap((unit) => unitOutcomes(unit, code, question))
    return withoutPlace(decide(), new Set(each.map(({ support }) => support)))
  }
  const kinds = new Set(units.map(kindOf))
  if (kinds.size > 1) return bothKinds(decide("A/B"), decide("DME"))
  const wanted = kindFor(code, question.site)
  const isOther = wanted !== null && !kinds.has(wanted) && "state" in question.place
  // Whether the other kind's documents decide where the code's own has none is not specified.
  return isOther ? [...decide(), ...nothing] : decide()
}

const nothing: ReadonlyArray<LocalOutcome> = [
  { rank: "none", support: "unknown", gap: null },
  { rank: "none", support: "not_applicable", gap: null }
]

/** Nobody says whose documents apply, and absence neither covers nor denies (L2). */
const withoutPlace = (
  outcomes: ReadonlyArray<LocalOutcome>,
  supports: ReadonlySet<DiagnosisSupport>
): ReadonlyArray<LocalOutcome> => [
  ...outcomes.filter(({ rank }) => rank !== "covered").map((one) => ({ ...one, gap: "state" })),
  // Where places decide differently no unit is the deciding one, and any may lend its support.
  ...[...supports].map((support): LocalOutcome => ({ rank: "conditional", support, gap: "state" }))
]

/** Rule 3: which contractor answers for a code at a site; null: the site would say, and is not given. */
const kindFor = (code: string, site: string | null): Kind | null => {
  if (/^(A[4-9]|[BEKL])/.test(code)) return "DME"
  if (!/^[JQ]/.test(code)) return "A/B"
  return site === null ? null : site === "home" ? "DME" : "A/B"
}

/** Where the two disagree the answer is conditional. */
const bothKinds = (
  one: ReadonlyArray<LocalOutcome>,
  other: ReadonlyArray<LocalOutcome>
): ReadonlyArray<LocalOutcome> =>
  combinations([one, other]).flatMap((pair) => {
    const statuses = new Set(pair.map(({ rank }) => statusOf[rank]))
    return statuses.size === 1
      ? pair
      : pair.map((each) => ({ ...each, rank: "conditional", gap: "site_of_service" }))
  })

/** Rule 9 among local units; equals of the deciding rank may each lend their support. */
const unitsTogether = (units: ReadonlyArray<ReadonlyArray<Outcome>>): ReadonlyArray<LocalOutcome> =>
  combinations(units).flatMap((outcomes) => {
    const rank = ranks.find((each) => outcomes.some((outcome) => outcome.rank === each))
    return outcomes.filter((outcome) => outcome.rank === rank)
  })

type Unit = ReadonlyArray<DocumentTruth>
type Kind = ContractorTruth["kind"]

const kindOf = (unit: Unit): Kind | undefined => unit[0]?.contractors[0]?.kind

/**
 * The units that list the code, of the documents that decide; articles whose LCD does not are units of their
 * own. Of several kinds of contractor the code and the site pick one, where they can.
 */
export const localUnits = (truth: Truth, question: Question, code: string): ReadonlyArray<Unit> => {
  const units = truth.units
    .flatMap(({ documents }): ReadonlyArray<Unit> => {
      const deciding = inForce(
        documents.filter(({ status }) => status !== "proposed"),
        question
      ).filter(({ contractors }) => contractors.some((one) => serves(one, question.place)))
      return deciding.some(({ isLcd }) => isLcd) ? [deciding] : deciding.map((document) => [document])
    })
    .filter((unit) => unit.some(({ procedures }) => procedures.includes(code)))
  const kinds = new Set(units.map(kindOf))
  const wanted = question.place === null || kinds.size === 1 ? null : kindFor(code, question.site)
  return wanted === null ? units : units.filter((unit) => kindOf(unit) === wanted)
}

/** The version of each policy that is in force: the greatest by effective date and version. */
const inForce = (
  documents: ReadonlyArray<DocumentTruth>,
  { date }: Question
): ReadonlyArray<DocumentTruth> => {
  const standing = documents.filter((document) => holds(document, date))
  const later = (a: DocumentTruth, b: DocumentTruth): boolean => {
    const [from, other] = [a.from ?? "", b.from ?? ""]
    return from > other || (from === other && a.version > b.version)
  }
  return standing.filter(
    (one) => !standing.some((other) => other.policyId === one.policyId && later(other, one))
  )
}

export const holds = ({ from, until }: Days, date: string): boolean =>
  (from === null || from <= date) && (until === null || date <= until)

const serves = (contractor: DocumentTruth["contractors"][number], place: Question["place"]): boolean =>
  place === null ||
  ("state" in place
    ? contractor.states.includes(place.state)
    : contractor.jurisdiction === place.jurisdiction)
