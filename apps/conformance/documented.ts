import published from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import type { OperationId } from "../../core/operation/catalogue.ts"
import { pointerStep } from "../../core/error/fieldFaults.ts"
import { at, unless } from "./request.ts"
import type { CheckResponse } from "./request.ts"

/** The answers to the examples, as the reference and openapi.json publish them. */
const answers: Readonly<Partial<Record<OperationId, unknown>>> = published.operations

/** Members that say what was decided: the fixtures answer the same example with the same on every day. */
const decisive: ReadonlySet<string> = new Set([
  "found",
  "disposition",
  "covered",
  "not_covered",
  "requires_pa",
  "conditional",
  "has_variation",
  "coverage_status",
  "prior_auth_required",
  "pa_required",
  "requires_manual_review",
  "denial_risk",
  "overall_risk",
  "confidence"
])

/** Whether the example is answered as it is documented: the members of meta, and what was decided. */
export const documentedFaults = (id: OperationId, { json, status }: CheckResponse): ReadonlyArray<string> => {
  const answer = answers[id]
  if (answer === undefined || status !== 200) return []
  const meta = Object.keys(Object(at(answer, "meta")))
  return [
    ...meta
      .filter((name) => at(json, "meta", name) === undefined)
      .map((name) => `meta.${name} is missing, and documented`),
    ...decisionFaults(at(answer, "data"), at(json, "data"), "")
  ]
}

/** Where the answer decides otherwise than the expected one, which may name some of its members only. */
export const decisionFaults = (expected: unknown, came: unknown, where: string): ReadonlyArray<string> => {
  if (typeof expected !== "object" || expected === null) return []
  return Object.entries(expected).flatMap(([name, value]) => {
    const [own, path] = [at(came, name), where + pointerStep(name)]
    return decisive.has(name) && !isNested(value)
      ? unless(own === value, `data${path} is ${JSON.stringify(own)}, and the fixtures say ${String(value)}`)
      : decisionFaults(value, own, path)
  })
}

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null
