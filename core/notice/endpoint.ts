import * as DateTime from "effect/DateTime"
import type { Endpoint } from "../webhook/Endpoint.ts"
import { givingUp } from "../webhook/transitions.ts"
import type { Notice } from "./Notice.ts"
import { withThousands, minute, oneLine } from "./template.ts"

/** An endpoint, and how its last attempt was answered. */
export interface EndpointFacts {
  readonly endpoint: Pick<
    Endpoint,
    "endpointId" | "url" | "status" | "failureCount" | "failingSinceMs" | "updatedAtMs"
  >
  /** Null: no HTTP answer came. */
  readonly lastStatus: number | null
  /** What the owner's log says of it. */
  readonly lastError: string | null
}

/** A disabling is told once: one that follows another has a time of its own. */
export const reachedByEndpoint = (facts: EndpointFacts): ReadonlyArray<Notice> => {
  const { endpointId, url, status, failureCount, updatedAtMs } = facts.endpoint
  if (status !== "disabled") return []
  const at = DateTime.formatIso(DateTime.makeUnsafe(updatedAtMs))
  const values = {
    endpoint: String(endpointId),
    host: hostOf(url),
    disabled: minute(updatedAtMs),
    why: isGoneForGood(facts) ? "its receiver answered 410 Gone" : failedForDays(failureCount),
    status: facts.lastStatus === null ? "none, no answer came" : String(facts.lastStatus),
    error: oneLine(facts.lastError ?? "")
  }
  return [{ kind: "endpoint_disabled", period: `${endpointId}:${at}`, values }]
}

/** Attempts under way at the time may have ended otherwise since. */
const isGoneForGood = ({ endpoint, lastStatus }: EndpointFacts): boolean => {
  const { failingSinceMs, failureCount, updatedAtMs } = endpoint
  const forDays = failingSinceMs !== null && updatedAtMs - failingSinceMs >= givingUp.failingMs
  return lastStatus === 410 || !forDays || failureCount < givingUp.failures
}

const failedForDays = (failureCount: number): string => {
  const days = givingUp.failingMs / 86_400_000
  return `every attempt failed for ${days} days, the last ${withThousands(failureCount)} in a row`
}

/** The path and query of a receiver may hold a secret, and an email is read by many machines. */
const hostOf = (url: string): string => oneLine(/^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "")
