import type { ErrorCode } from "../../../core/error/table.ts"
import { isWrite, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import { at, unless } from "../request.ts"
import type { Ask, CheckRequest, CheckResponse } from "../request.ts"
import { answerFaults, limitFaults, refusalFaults, unlimitedFaults } from "../faults.ts"
import { learn, liveRequest } from "../liveRequests.ts"
import type { KnownIds } from "../liveRequests.ts"
import { particularFaults } from "../particulars.ts"
import { withHeaders, withQuery } from "../samples.ts"
import { verdictOf, skippedVerdict } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

/** Refusals that anybody meets, without a key and for nothing: the header in the key's place. */
const keyless: ReadonlyArray<readonly [ErrorCode, string | undefined]> = [
  ["AUTH_MISSING", undefined],
  ["AUTH_INVALID_FORMAT", "Basic dGVzdDp0ZXN0"],
  ["AUTH_INVALID_KEY_FORMAT", "Bearer sk_test_1"],
  ["AUTH_INVALID_TOKEN", `Bearer ${"t".repeat(43)}`],
  ["AUTH_KEY_NOT_FOUND", `Bearer svc_live_${"0".repeat(27)}_1111`]
]

/** What the gates of a live operation refuse before they look at anything but the credential. */
export const checkKeyless = async (ask: Ask, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const row = operationRow(id)
  if (row.requirement === null) return []
  const path = surfacePrefix.live + row.path.replaceAll(/\{\w+\}/g, "1")
  const verdicts: Array<Verdict> = []
  for (const [code, authorization] of keyless) {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await ask({ method: row.method, path, headers })
    const faults = [...refusalFaults(code, response, row), ...unlimitedFaults(response)]
    verdicts.push(verdictOf({ operation: id, surface: "live" }, "refusals", faults, code))
  }
  return verdicts
}

/** One live run: what it may spend, has spent, and knows to ask for. */
export interface LiveRun {
  readonly key: string | undefined
  readonly budget: number
  spent: number
  readonly known: KnownIds
}

/**
 * One success of each reading operation as long as the budget of credits lasts, and refusals of step 8, which
 * are free; what changes something is checked in the sandbox alone.
 */
export const checkLive = async (ask: Ask, id: OperationId, run: LiveRun): Promise<ReadonlyArray<Verdict>> => {
  const row = operationRow(id)
  const subject = { operation: id, surface: "live" } as const
  const request = liveRequest(id, run.known)
  const why = reasonToSkip(id, run)
  if (why !== undefined || request === undefined)
    return [skippedVerdict(subject, "answer", why ?? nothingNamed)]
  const asked = run.key === undefined || row.requirement === null ? request : { ...request, key: run.key }
  const response = await paying(ask, asked, run)
  const lacking = lacks[String(at(response.json, "error", "code"))]
  if (lacking !== undefined) return [skippedVerdict(subject, "answer", lacking)]
  learn(id, response, run.known)
  return [
    verdictOf(subject, "answer", [...answerFaults(row, asked, response), ...particularFaults(id, response)]),
    verdictOf(
      subject,
      "headers",
      row.requirement === null ? unlimitedFaults(response) : paidFaults(response, row.credits)
    ),
    ...(row.etag === true ? await checkTag(ask, { id, asked, response }, run) : []),
    ...(row.paged === true ? await checkPage(ask, id, asked) : [])
  ]
}

interface Answered {
  readonly id: OperationId
  readonly asked: CheckRequest
  readonly response: CheckResponse
}

/** An answer costs the same when it has not changed (contract §1). */
const checkTag = async (
  ask: Ask,
  { asked, response, id }: Answered,
  run: LiveRun
): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "live" } as const
  const { credits } = operationRow(id)
  const why = reasonToSkip(id, run)
  if (why !== undefined) return [skippedVerdict(subject, "etag", why)]
  const tag = response.headers.get("etag") ?? ""
  const { key, ...sample } = asked
  const same = withHeaders(sample, { "if-none-match": tag })
  const { headers, status, text } = await paying(ask, key === undefined ? same : { ...same, key }, run)
  return [
    verdictOf(subject, "etag", [
      ...unless(/^W\/"[^"]+"$/.test(tag), "ETag is missing or not weak"),
      ...unless(
        status === 304 && text === "",
        `If-None-Match with its ETag answers ${status}, not an empty 304`
      ),
      ...unless(
        headers.get("x-credits-cost") === String(credits),
        `X-Credits-Cost of a 304 is not ${credits}`
      )
    ])
  ]
}

const checkPage = async (
  ask: Ask,
  id: OperationId,
  { key, ...sample }: CheckRequest
): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "live" } as const
  const refusals = [
    ["REQUEST_INVALID_CURSOR", { cursor: "made.up" }],
    ["VALIDATION_OUT_OF_RANGE", { limit: "101" }]
  ] as const
  const verdicts: Array<Verdict> = []
  for (const [code, query] of refusals) {
    const response = await ask({ ...withQuery(sample, query), ...(key === undefined ? {} : { key }) })
    const isFree = response.headers.get("x-credits-cost") === "0"
    const faults = [
      ...refusalFaults(code, response),
      ...limitFaults(response),
      ...unless(isFree, "X-Credits-Cost is not 0")
    ]
    verdicts.push(verdictOf(subject, "refusals", faults, code))
  }
  return verdicts
}

const paying = async (ask: Ask, asked: CheckRequest, run: LiveRun): Promise<CheckResponse> => {
  const response = await ask(asked)
  run.spent += Number(response.headers.get("x-credits-cost") ?? 0)
  return response
}

const reasonToSkip = (id: OperationId, { budget, key, spent }: LiveRun): string | undefined => {
  const { credits, requirement } = operationRow(id)
  if (isWrite(id)) return "it changes something; checked in the sandbox"
  if (requirement !== null && key === undefined) return "no --key"
  return spent + credits > budget ? `it would pass the budget of ${budget} credits` : undefined
}

const nothingNamed = "no list has named anything to ask for"

const paidFaults = (response: CheckResponse, credits: number): ReadonlyArray<string> => [
  ...limitFaults(response),
  ...unless(response.headers.get("x-credits-cost") === String(credits), `X-Credits-Cost is not ${credits}`),
  ...unless(/^\d+$/.test(response.headers.get("x-credits-remaining") ?? ""), "X-Credits-Remaining is missing")
]

/** What says something of the key and nothing of the server. */
const lacks: Readonly<Record<string, string>> = {
  AUTH_TEST_KEY_SANDBOX_ONLY: "the key is a test key, and the sandbox is checked without it",
  AUTHZ_SCOPE_REQUIRED: "the key lacks the scope",
  BILLING_FEATURE_REQUIRED: "the pack lacks the feature",
  BILLING_CREDITS_EXHAUSTED: "the credits are used up"
}
