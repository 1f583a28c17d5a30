import type { Place } from "../place.ts"
import { isEverywhere, jurisdictionsServingPlace, decidingKinds, kindsOf } from "./place.ts"
import type { Unit } from "./unit.ts"
import { unitName } from "./unit.ts"
import type { UnitQuestion } from "./unitReading.ts"
import { unitVerdict } from "./unitVerdict.ts"
import type { Gap, Verdict } from "./Verdict.ts"
import { bestSupport, stepOf, mergeVerdicts, unique, verdict, withStep } from "./Verdict.ts"

export interface LocalQuestion extends UnitQuestion {
  readonly code: string
  readonly place: Place | null
}

/**
 * What the local documents say of a procedure (coverage-domain §2.1, rules 3 and 9); undefined: there are
 * none. Which contractor decides goes by the kind of service. Where the place was not given and they
 * disagree, or a state has several jurisdictions that disagree (§1.5, trap 4), it is conditional.
 */
export const localVerdict = (units: ReadonlyArray<Unit>, question: LocalQuestion): Verdict | undefined => {
  if (units.length === 0) return undefined
  const judged = units.map((unit) => ({ unit, said: unitVerdict(unit, question) }))
  const wanted = new Set(decidingUnits(units, question))
  const deciding = judged.filter(({ unit }) => wanted.has(unit))
  const found = isSiteOpen(deciding, question) ? byKind(deciding, question) : atPlace(deciding, question)
  const others = judged.filter(({ unit }) => !wanted.has(unit))
  const steps = others.flatMap(({ said, unit }) => [
    ...said.trace,
    passed(unit, "the kind of service belongs to another contractor")
  ])
  return { ...found, trace: [...found.trace, ...steps] }
}

interface Judged {
  readonly unit: Unit
  readonly said: Verdict
}

/**
 * The units whose contractor decides the procedure here (rule 3). Only where a place has documents of both
 * kinds of contractor does the kind of service choose.
 */
export const decidingUnits = (
  units: ReadonlyArray<Unit>,
  { code, inputs, place }: LocalQuestion
): ReadonlyArray<Unit> => {
  const all = new Set(units.flatMap((unit) => [...kindsOf(unit.documents, place)]))
  const wanted = decidingKinds(code, inputs.siteOfService)
  if (place === null || all.size < 2 || wanted.length > 1) return units
  return units.filter((unit) => {
    const kinds = kindsOf(unit.documents, place)
    return kinds.size === 0 || wanted.some((kind) => kinds.has(kind))
  })
}

/** Both kinds of contractor may decide, and the site that would tell was not given. */
const isSiteOpen = (judged: ReadonlyArray<Judged>, { code, inputs, place }: LocalQuestion): boolean =>
  place !== null &&
  decidingKinds(code, inputs.siteOfService).length > 1 &&
  new Set(judged.flatMap(({ unit }) => [...kindsOf(unit.documents, place)])).size > 1

/** What each kind of contractor comes to; a disagreement is conditional, and what both ask for remains. */
const byKind = (judged: ReadonlyArray<Judged>, { place }: LocalQuestion): Verdict => {
  const sides = (["a_b", "dme"] as const).flatMap((kind): ReadonlyArray<Judged> => {
    const its = judged.filter(({ unit }) => {
      const kinds = kindsOf(unit.documents, place)
      return kinds.size === 0 || kinds.has(kind)
    })
    const [first] = its
    return first === undefined ? [] : [{ unit: first.unit, said: prevailing(its) }]
  })
  const best = prevailing(sides)
  if (isSplit(sides)) {
    return disagreeing(sides, best, {
      rule: "combine.site_missing",
      result:
        "The equipment contractor and the one for Parts A and B decide differently; the site settles it.",
      gaps: ["site_of_service"]
    })
  }
  return { ...best, ...mergeVerdicts(sides.map((one) => one.said)) }
}

const atPlace = (judged: ReadonlyArray<Judged>, { place }: LocalQuestion): Verdict => {
  const best = prevailing(judged)
  if (place === null) return anywhere(judged, best)
  const apart = place.states.length === 0 ? [] : jurisdictionsApart(judged, place)
  if (apart.length === 0) return best
  const result = `state_has_several_jurisdictions: ${apart.join(", ")} decide differently.`
  return disagreeing(judged, best, { rule: "combine.jurisdictions_differ", result, issues: [result] })
}

/**
 * Among units of one place: explicit denial > covered > conditional > denial by omission (rule 9). A policy
 * that does not list the diagnosis never overrules one that does. Those overruled stay in the trace.
 */
const prevailing = (judged: ReadonlyArray<Judged>): Verdict => {
  const ranks = judged.map(({ said }) => rankOf(said))
  const best = Math.max(...ranks)
  const chosen = judged.filter((_, index) => ranks[index] === best)
  const others = judged.filter((_, index) => ranks[index] !== best)
  const [first] = chosen
  const said = {
    ...(first?.said ?? verdict("unknown", [])),
    ...mergeVerdicts(chosen.map((one) => one.said)),
    support: bestSupport(chosen.map((one) => one.said.support))
  }
  const overruled = others.flatMap((one) => [...one.said.trace, passed(one.unit, "another policy prevails")])
  return { ...said, trace: [...said.trace, ...overruled] }
}

/** Of conditional units those decide in which the diagnosis is supported. */
const rankOf = ({ isExplicit, status, support }: Verdict): number => {
  if (status === "not_covered") return isExplicit ? 6 : 0
  if (status === "covered") return 5
  if (status === "unknown") return 1
  return support === "supported" ? 4 : support === "unknown" ? 2 : 3
}

const passed = (unit: Unit, why: string) =>
  stepOf(unit.documents[0] ?? null, {
    rule: "combine.overruled",
    result: `${unitName(unit)} does not decide: ${why}.`
  })

const anywhere = (judged: ReadonlyArray<Judged>, best: Verdict): Verdict => {
  if (judged.every(({ unit }) => unit.documents.every(isEverywhere))) return best
  const isSame = new Set(byJurisdiction(judged).map((some) => prevailing(some).status)).size < 2
  const gaps = unique<Gap>([...best.gaps, "state"])
  if (isSame && best.status !== "covered") return { ...best, gaps }
  const rule = "combine.state_missing"
  if (isSame) {
    const result = "Every local policy at hand covers it; whether one applies hangs on the state."
    return withStep({ ...best, gaps, status: "conditional" }, stepOf(null, { rule, result }))
  }
  const result = "Local policies decide differently from place to place, and no state was given."
  return disagreeing(judged, best, { rule, result, gaps: ["state"] })
}

/** The units of each jurisdiction that any of them is about; one without any stands for itself. */
const byJurisdiction = (judged: ReadonlyArray<Judged>): ReadonlyArray<ReadonlyArray<Judged>> => {
  const places = ({ unit }: Judged) => jurisdictionsServingPlace(unit.documents, null)
  const codes = unique(judged.flatMap(places))
  return [
    ...codes.map((code) => judged.filter((one) => places(one).includes(code))),
    ...judged.filter((one) => places(one).length === 0).map((one) => [one])
  ]
}

/** What decides differently is conditional, on the conditions of those that do not deny. */
const disagreeing = (
  judged: ReadonlyArray<Judged>,
  best: Verdict,
  said: {
    readonly rule: string
    readonly result: string
    readonly gaps?: ReadonlyArray<Gap>
    readonly issues?: ReadonlyArray<string>
  }
): Verdict => {
  const all = mergeVerdicts(judged.map((one) => one.said))
  return withStep(
    {
      ...best,
      ...all,
      status: "conditional",
      isExplicit: false,
      support: bestSupport(judged.map((one) => one.said.support)),
      gaps: unique<Gap>([...all.gaps, ...(said.gaps ?? [])]),
      issues: unique([...all.issues, ...(said.issues ?? [])])
    },
    stepOf(null, said)
  )
}

/** The jurisdictions of units that have none in common and decide differently, sorted. */
const jurisdictionsApart = (judged: ReadonlyArray<Judged>, place: Place): ReadonlyArray<string> => {
  if (!isSplit(judged)) return []
  const seen = judged
    .map(({ said, unit }) => ({
      status: said.status,
      codes: jurisdictionsServingPlace(unit.documents, place)
    }))
    .filter(({ codes }) => codes.length > 0)
  const apart = seen.filter((one) =>
    seen.some((other) => other.status !== one.status && !other.codes.some((code) => one.codes.includes(code)))
  )
  return unique(apart.flatMap(({ codes }) => codes))
}

const isSplit = (judged: ReadonlyArray<Judged>): boolean =>
  judged.some((one) => one.said.status !== judged[0]?.said.status)
