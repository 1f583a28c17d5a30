import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { FailureCause, Outcome } from "../webhook/Outcome.ts"
import { judgeUrl } from "../webhook/target.ts"
import type { RefusedTarget, TargetPolicy } from "../webhook/target.ts"

/** What of a message a receiver that only pretends looks at; `forged`: signed with nobody's secret. */
interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly forged?: true
}

/** What a look-up of a host comes to. */
type LookedUp = { readonly _tag: "Allowed" } | RefusedTarget | { readonly _tag: "ResolverDown" }

/** A receiver of the sandbox: its host's name says what it does, and nothing is looked up or sent. */
interface Simulated {
  /** For the documentation. */
  readonly says: string
  readonly lookUp: LookedUp
  readonly answer: (request: Message) => Outcome
}

/** The reserved hosts lie under this domain, which RFC 2606 keeps for examples. */
export const reservedDomain = "example.com"

const allowed: LookedUp = { _tag: "Allowed" }

const answered = (status: number, retryAfterMs: number | null = null): Outcome => ({
  _tag: "Answered",
  status,
  retryAfterMs,
  excerpt: `The sandbox answered ${status}.`
})

const failed = (cause: FailureCause): Outcome => ({ _tag: "Failed", cause, status: null })

const always = (says: string, outcome: Outcome): Simulated => ({
  says,
  lookUp: allowed,
  answer: () => outcome
})

const nowhere = (says: string, lookUp: LookedUp, cause: FailureCause): Simulated => ({
  says,
  lookUp,
  answer: () => failed(cause)
})

/** Checks signatures, as a receiver should. */
const honest: Simulated = {
  says: "answers 200, and 401 to what is wrongly signed",
  lookUp: allowed,
  answer: ({ forged }) => answered(forged === true ? 401 : 200)
}

/** The flaky receiver answers an event younger than this with 500: its first attempt, and no later one. */
const flakyMs = 3_000

const flaky: Simulated = {
  says: `answers 500 in an event's first ${flakyMs / 1_000} seconds and like ok later, so that a retry succeeds`,
  lookUp: allowed,
  answer: (request) => (ageMs(request) < flakyMs ? answered(500) : honest.answer(request))
}

const retryAfterMs = 8_000

/** By the first label of the host under the reserved domain; every other host is like `ok`. */
export const reservedReceivers = {
  ok: honest,
  "not-verifying": always("answers 200 to whatever comes, wrongly signed or not", answered(200)),
  flaky,
  "500": always("answers 500", answered(500)),
  "429": always(
    `answers 429 with Retry-After ${retryAfterMs / 1_000}, which the next attempt waits for`,
    answered(429, retryAfterMs)
  ),
  "410": always("answers 410, which disables the endpoint", answered(410)),
  redirect: always("answers 302, and redirects are not followed", answered(302)),
  timeout: always("does not answer in time", failed("timeout")),
  tls: always("has a certificate that does not hold", failed("tls")),
  closed: always("closes the connection", failed("network")),
  private: nowhere(
    "resolves to a private address, and so is refused with `VALIDATION_ERROR`",
    { _tag: "Refused", reason: "address" },
    "blocked"
  ),
  unresolved: nowhere(
    "does not resolve, and so is refused with `VALIDATION_ERROR`",
    { _tag: "Refused", reason: "unresolved" },
    "unresolved"
  ),
  "resolver-down": nowhere(
    "cannot be looked up, which is `SERVER_UPSTREAM_UNAVAILABLE`",
    { _tag: "ResolverDown" },
    "resolver_down"
  )
} as const satisfies Readonly<Record<string, Simulated>>

const reserved: ReadonlyMap<string, Simulated> = new Map(
  Object.entries(reservedReceivers).map(([label, receiver]) => [`${label}.${reservedDomain}`, receiver])
)

const receiverOf = (url: string, policy: TargetPolicy): Simulated => {
  const judged = judgeUrl(url, policy)
  return (judged._tag === "Public" ? reserved.get(judged.target.host) : undefined) ?? honest
}

/** The receivers of the sandbox, under a policy for URLs. */
export const simulatedReceivers = (policy: TargetPolicy) => ({
  /** Returns what the host of an allowed URL resolves to. */
  lookUp: (url: string): LookedUp => receiverOf(url, policy).lookUp,
  /** Returns the outcome of a request. */
  answer: (request: Message): Outcome => receiverOf(request.url, policy).answer(request)
})

/** How old the event of a message is when it is sent. */
const ageMs = ({ headers, body }: Message): number => {
  const [, written = ""] = /"timestamp":"([^"]+)"/.exec(body) ?? []
  const sentMs = Number(headers["webhook-timestamp"]) * 1_000
  return Option.match(DateTime.make(written), {
    onNone: () => 0,
    onSome: (happened) => sentMs - happened.epochMilliseconds
  })
}
