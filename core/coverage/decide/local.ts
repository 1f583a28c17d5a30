import type { Place } from "../place.ts"
import { jurisdictionsOf } from "../view.ts"
import { saidOf, together as asOne } from "./document.ts"
import { isEverywhere } from "./place.ts"
import { mostRestrictive, together, weighed } from "./restrict.ts"
import type { Unit } from "./unit.ts"
import type { Verdict } from "./Verdict.ts"
import { stepOf, unique } from "./Verdict.ts"

/**
 * What the local documents say of a procedure (coverage-domain §2.1, steps 3 and 5); undefined: there are
 * none. The most restrictive wins where they speak for the same place. Where the place was not given and they
 * disagree, or a state has several jurisdictions that disagree (§1.5, trap 4), it is conditional.
 */
export const localVerdict = (
  units: ReadonlyArray<Unit>,
  asked: { readonly code: string; readonly place: Place | null }
): Verdict | undefined => {
  const local = units.map((unit) => ({
    unit,
    verdict: asOne(unit.map((one) => saidOf(one, asked.code)))
  }))
  const verdicts = local.map((one) => one.verdict)
  const strictest = mostRestrictive(verdicts)
  if (strictest === undefined) return undefined
  if (asked.place === null) return anywhere(local, strictest)
  if (asked.place.states.length === 0) return strictest
  const apart = jurisdictionsApart(local)
  if (apart.length === 0) return strictest
  const who = `${apart.join(", ")} decide differently; the place of service settles it.`
  const result = `state_has_several_jurisdictions: ${who}`
  return disagreeing(verdicts, {
    rule: "combine.jurisdictions_differ",
    result,
    issues: [result],
    review: true
  })
}

interface Local {
  readonly unit: Unit
  readonly verdict: Verdict
}

const anywhere = (local: ReadonlyArray<Local>, strictest: Verdict): Verdict => {
  if (local.every(({ unit }) => unit.every(({ policy }) => isEverywhere(policy)))) return strictest
  if (disagree(local)) {
    const result = "Local policies decide differently from place to place, and no state was given."
    const verdicts = local.map((one) => one.verdict)
    return disagreeing(verdicts, { rule: "combine.state_missing", result, gaps: ["state"] })
  }
  return { ...strictest, gaps: unique([...strictest.gaps, "state"]) }
}

const disagreeing = (
  verdicts: ReadonlyArray<Verdict>,
  said: { readonly rule: string; readonly result: string } & Partial<
    Pick<Verdict, "gaps" | "issues" | "review">
  >
): Verdict => {
  const all = together(verdicts)
  return weighed(
    {
      status: "conditional",
      ...all,
      gaps: unique([...all.gaps, ...(said.gaps ?? [])]),
      issues: unique([...all.issues, ...(said.issues ?? [])]),
      review: all.review || (said.review ?? false),
      trace: verdicts.flatMap((one) => one.trace),
      deciding: verdicts.flatMap((one) => one.deciding)
    },
    stepOf(null, said)
  )
}

/** The jurisdictions of units that have none in common and decide differently, sorted. */
const jurisdictionsApart = (local: ReadonlyArray<Local>): ReadonlyArray<string> => {
  if (!disagree(local)) return []
  const seen = new Map<string, { readonly status: string; readonly codes: ReadonlyArray<string> }>()
  for (const { unit, verdict } of local) {
    const codes = unique(unit.flatMap(({ policy }) => jurisdictionsOf(policy)))
    seen.set(`${verdict.status} ${codes.join()}`, { status: verdict.status, codes })
  }
  const kinds = [...seen.values()].filter(({ codes }) => codes.length > 0)
  const apart = kinds.filter((one) =>
    kinds.some(
      (other) => other.status !== one.status && !other.codes.some((code) => one.codes.includes(code))
    )
  )
  return unique(apart.flatMap(({ codes }) => codes))
}

const disagree = (local: ReadonlyArray<Local>): boolean =>
  local.some((one) => one.verdict.status !== local[0]?.verdict.status)
