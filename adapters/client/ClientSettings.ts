import * as Redacted from "effect/Redacted"
import type { Surface } from "../../core/operation/Operation.ts"
import { callFailure } from "./CallError.ts"

/** How a client is made; all but the address may be left out. */
export interface ClientSettings {
  /** Where the service is, such as `https://api.example.com`; http is for this machine alone. */
  readonly baseUrl: string
  /** The API key; without one only public operations answer. It is shown by nothing of the client. */
  readonly key?: string | Redacted.Redacted<string>
  /** `sandbox` takes test keys only (§5.2). Absent: `live`. */
  readonly surface?: Surface
  /** Retries of one call, at most 3, which is also what is done when nothing is said (§7.4.3). */
  readonly maxRetries?: 0 | 1 | 2 | 3
  /** A Retry-After above this ends the call at once. Absent: 120. */
  readonly maxWaitSeconds?: number
  /** One attempt, its body included, takes no longer. Absent: 30; the service's own deadline is 10. */
  readonly attemptSeconds?: number
  /** A larger answer is not read to its end. Absent: 32 MiB. */
  readonly answerBytesMax?: number
  /**
   * `checked`: what does not fit the catalogue's schema is ANSWER_UNEXPECTED. Absent: `as_sent`, so that an
   * old client reads a newer service, whose answers may have grown (§9).
   */
  readonly answers?: "as_sent" | "checked"
  /** So many answers with an ETag are kept and asked for with If-None-Match. Absent: 0, none. */
  readonly keptAnswers?: number
  /** Instead of the platform's. */
  readonly fetch?: Fetch
}

/** What the client asks of `fetch`; the platform's own fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Settings that were judged, each with its value. */
export interface ValidSettings {
  readonly baseUrl: string
  readonly key: Redacted.Redacted<string> | undefined
  readonly surface: Surface
  readonly maxRetries: number
  readonly maxWaitSeconds: number
  readonly attemptSeconds: number
  readonly answerBytesMax: number
  readonly answers: "as_sent" | "checked"
  readonly keptAnswers: number
  readonly fetch: Fetch
}

/** Judges settings once; throws CallFailed SETTINGS_INVALID, since a program cannot go on without them. */
export const settle = (settings: ClientSettings): ValidSettings => ({
  baseUrl: baseUrlOf(settings.baseUrl),
  key: keyOf(settings.key),
  surface: settings.surface ?? "live",
  maxRetries: numberOf("maxRetries", settings.maxRetries ?? 3, 3),
  maxWaitSeconds: numberOf("maxWaitSeconds", settings.maxWaitSeconds ?? 120, secondsMax),
  attemptSeconds: numberOf("attemptSeconds", settings.attemptSeconds ?? 30, secondsMax),
  answerBytesMax: numberOf("answerBytesMax", settings.answerBytesMax ?? 32 * 1_048_576, bytesMax),
  answers: settings.answers ?? "as_sent",
  keptAnswers: numberOf("keptAnswers", settings.keptAnswers ?? 0, 100_000),
  // Bound late, so that what a program puts in the platform's place is used.
  fetch: settings.fetch ?? ((url, init) => fetch(url, init))
})

/** A day: nobody waits longer for one answer. */
const secondsMax = 86_400
/** One text cannot be longer. */
const bytesMax = 512 * 1_048_576

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

const baseUrlOf = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw invalid("baseUrl is no URL")
  const isPrivate = url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname))
  if (!isPrivate) throw invalid("baseUrl must be https, or http on this machine")
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw invalid("baseUrl holds more than scheme, host and path")
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
}

/** Judged here: a platform's error about a header repeats its value. */
const keyOf = (key: ClientSettings["key"]): ValidSettings["key"] => {
  if (key === undefined) return undefined
  const redacted = Redacted.isRedacted(key) ? key : Redacted.make(key)
  if (!/^[\x21-\x7e]+$/.test(Redacted.value(redacted))) throw invalid("key is not of printable characters")
  return redacted
}

const numberOf = (name: string, value: number, max: number): number => {
  if (!(value >= 0 && value <= max)) throw invalid(`${name} is not between 0 and ${max}`)
  return value
}

const invalid = (hint: string) => callFailure("SETTINGS_INVALID", { hint })
