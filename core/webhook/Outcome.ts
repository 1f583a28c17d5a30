import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/**
 * Why no whole answer came, each with what the owner is told. The words are fixed: an error's own text may
 * name the resolved address.
 */
export const failureCauses = {
  blocked: "The URL is not allowed, or its host resolves to an address that is not public.",
  unresolved: "The host name does not resolve to an address.",
  resolver_down: "The host name could not be looked up.",
  timeout: "No complete answer came within the time allowed.",
  tls: "A secure connection could not be made: the handshake or the certificate failed.",
  network: "The connection could not be made, or was closed before the answer was complete.",
  not_http: "What came back is not an HTTP answer within the limits of size."
} as const satisfies Readonly<Record<string, string>>
export type FailureCause = keyof typeof failureCauses

/** What came of one request to a receiver. */
export type Outcome =
  | {
      readonly _tag: "Answered"
      /** 200..599. */
      readonly status: number
      /**
       * What Retry-After asked for, from the answer's instant; null: nothing, or nothing that can be read.
       */
      readonly retryAfterMs: number | null
      /** The first KiB of the body as text, for the owner's log; empty where it is none. */
      readonly excerpt: string
    }
  | {
      readonly _tag: "Failed"
      readonly cause: FailureCause
      /** The status where the failure came after it: a body that drips, or is cut off. */
      readonly status: number | null
    }

/** 2xx alone is a delivery (contract §2, Webhooks). */
export const isDelivered = (outcome: Outcome): boolean =>
  outcome._tag === "Answered" && outcome.status >= 200 && outcome.status < 300

/** `http_status` of a delivery and of a test (§2.3). */
export const httpStatusOf = (outcome: Outcome): number | null => outcome.status

/** `error` of a delivery and of a test; null when it was delivered. */
export const errorOf = (outcome: Outcome): string | null => {
  if (isDelivered(outcome)) return null
  if (outcome._tag === "Failed") return failureCauses[outcome.cause]
  return outcome.status >= 300 && outcome.status < 400
    ? `The receiver answered ${outcome.status}, and redirects are not followed.`
    : `The receiver answered ${outcome.status}.`
}

/** A Retry-After header, seconds or an HTTP date, as milliseconds from now; null where it says neither. */
export const readRetryAfter = (text: string | undefined, nowMs: number): number | null => {
  const written = text?.trim() ?? ""
  if (/^\d{1,9}$/.test(written)) return Number(written) * 1_000
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(written)) return null
  return Option.match(DateTime.make(written), {
    onNone: () => null,
    onSome: (time) => Math.max(0, time.epochMilliseconds - nowMs)
  })
}
