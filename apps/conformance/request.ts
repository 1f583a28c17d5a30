import { setTimeout as sleep } from "node:timers/promises"
import type { Method } from "../../core/operation/Operation.ts"

/** A request as a check wants it; `key` becomes its Authorization. */
export interface CheckRequest {
  readonly method: Method | "HEAD" | "OPTIONS" | "PUT"
  /** From the root, with its query. */
  readonly path: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What was answered; `json` is undefined where the body is none. */
export interface CheckResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export type Ask = (asked: CheckRequest) => Promise<CheckResponse>

/** The service's own deadline is 10 s. */
const answerMs = 15_000
/**
 * Limits that are met on the way are waited for, for as long as a minute's limit can last, and no more
 * often.
 */
const waits = { secondsMax: 61, most: 3 } as const

/** Sends requests to the server under check, by no client of ours: a fault there must not hide one here. */
export const makeAsk =
  (baseUrl: string): Ask =>
  async ({ body, headers = {}, key, method, path }) => {
    const response = await fetch(baseUrl + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(answerMs),
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

/** The same request until no limit refuses it. */
export const patiently =
  (ask: Ask, say: (sentence: string) => void): Ask =>
  async (asked) => {
    for (let waited = 0; ; waited++) {
      const response = await ask(asked)
      const seconds = Number(response.headers.get("retry-after"))
      if (response.status !== 429 || waited === waits.most || !(seconds <= waits.secondsMax)) return response
      say(`a limit refuses; waiting ${seconds} s`)
      await sleep(seconds * 1_000)
    }
  }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A fault where the condition does not hold. */
export const unless = (holds: boolean, fault: string): ReadonlyArray<string> => (holds ? [] : [fault])

/** A member of a JSON value, by its names; undefined where there is none. */
export const at = (value: unknown, ...names: ReadonlyArray<string | number>): unknown => {
  const [name, ...rest] = names
  if (name === undefined) return value
  if (typeof value !== "object" || value === null) return undefined
  const members: Readonly<Record<string, unknown>> = { ...value }
  return at(members[name], ...rest)
}
