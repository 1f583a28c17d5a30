import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { isOn } from "../../core/operation/Operation.ts"
import { makeAsk, patiently } from "./request.ts"
import type { Ask } from "./request.ts"
import { makeBench } from "./Bench.ts"
import type { Bench } from "./Bench.ts"
import { checkAnswer } from "./checks/answer.ts"
import { checkCursor } from "./checks/cursor.ts"
import { checkDecisions } from "./checks/decisions.ts"
import { checkElsewhere } from "./checks/elsewhere.ts"
import { checkEtag } from "./checks/etag.ts"
import { checkIdempotency } from "./checks/idempotency.ts"
import { checkKeyless, checkLive } from "./checks/live.ts"
import type { LiveRun } from "./checks/live.ts"
import { checkPreflight } from "./checks/preflight.ts"
import { checkReservedInputs, checkRefusals } from "./checks/refusals.ts"
import { verdictOf } from "./Verdict.ts"
import type { CheckName, Subject, Verdict } from "./Verdict.ts"

/** What a run is asked to check. */
export interface ConformanceTarget {
  readonly baseUrl: string
  /** A live key; without one the live surface is checked as far as that goes. */
  readonly key: string | undefined
  /** At most so many live credits are spent. */
  readonly credits: number
  /** Only these operations; undefined: all, and what concerns none of them. */
  readonly only: ReadonlyArray<OperationId> | undefined
  /** Told why it takes long. */
  readonly say: (sentence: string) => void
}

/**
 * Checks a running server against the catalogue, operation by operation: in the sandbox whatever can be met
 * there, on the live surface what costs little and changes nothing. A check that cannot be carried out has
 * failed.
 */
export const conform = async (asked: ConformanceTarget): Promise<ReadonlyArray<Verdict>> => {
  const ask = makeAsk(asked.baseUrl)
  const bench = makeBench(ask, asked.say)
  const ids = operationIds.filter((id) => asked.only?.includes(id) ?? true)
  const known = { policyId: undefined, jurisdiction: undefined, webhook: undefined }
  const run: LiveRun = { key: asked.key, budget: asked.credits, spent: 0, known }
  const verdicts: Array<Verdict> = []
  for (const id of ids) verdicts.push(...(await inSandbox(bench, id)))
  const patient = patiently(ask, asked.say)
  // Lists are asked first: they name what the others ask for.
  for (const id of liveOrder(ids)) verdicts.push(...(await onLive(patient, id, run)))
  if (asked.only !== undefined) return verdicts
  verdicts.push(...(await attempted(everywhere, "refusals", () => checkReservedInputs(bench))))
  verdicts.push(...(await attempted(everywhere, "refusals", () => checkElsewhere(ask))))
  return verdicts
}

const everywhere: Subject = { operation: "(no operation)", surface: "any" }

const inSandbox = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "sandbox" } as const
  return [
    ...(await attempted(subject, "answer", () => checkAnswer(bench, id))),
    ...(await attempted(subject, "answer", () => checkDecisions(bench, id))),
    ...(await attempted(subject, "etag", () => checkEtag(bench, id))),
    ...(await attempted(subject, "cursor", () => checkCursor(bench, id))),
    ...(await attempted(subject, "idempotency", () => checkIdempotency(bench, id))),
    ...(await attempted(subject, "preflight", () => checkPreflight(bench.ask, id, "sandbox"))),
    ...(await attempted(subject, "refusals", () => checkRefusals(bench, id)))
  ]
}

const onLive = async (ask: Ask, id: OperationId, run: LiveRun): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "live" } as const
  return [
    ...(await attempted(subject, "answer", () => checkLive(ask, id, run))),
    ...(await attempted(subject, "preflight", () => checkPreflight(ask, id, "live"))),
    ...(await attempted(subject, "refusals", () => checkKeyless(ask, id)))
  ]
}

const liveOrder = (ids: ReadonlyArray<OperationId>): ReadonlyArray<OperationId> =>
  ids.filter((id) => isOn("live", operationRow(id))).toSorted((one, other) => rank(one) - rank(other))

const rank = (id: OperationId): number =>
  operationRow(id).credits * 3 + (id === "listDeliveries" ? 1 : id.startsWith("list") ? 0 : 2)

const attempted = async (
  subject: Subject,
  check: CheckName,
  carryOut: () => Promise<ReadonlyArray<Verdict>>
): Promise<ReadonlyArray<Verdict>> => {
  try {
    return await carryOut()
  } catch (error) {
    return [verdictOf(subject, check, [`it could not be carried out: ${wordsOf(error)}`])]
  }
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
