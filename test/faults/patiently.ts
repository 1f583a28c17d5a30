import { retryDecision } from "../../core/error/retry.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import type { CallResult } from "./calling.ts"
import { pause } from "./calling.ts"

/**
 * Calls as `onceThrough`, and begins again when its client met no server at all: how long a machine needs to
 * start one is not what is asked here. `absent`: the statuses that count as that, as a 503 does where it is
 * the database that is unavailable.
 */
export const patiently = async (
  ask: () => Promise<CallResult>,
  absent: ReadonlyArray<number> = [0]
): Promise<ReadonlyArray<CallResult>> => {
  const answers: Array<CallResult> = []
  do answers.push(...(await onceThrough(ask)))
  while (absent.includes(answers.at(-1)?.status ?? 200))
  return answers
}

/**
 * Calls and calls again as §7.4 tells a client to, always with the same X-Idempotency-Key; gives every answer
 * it got. A connection that fails is waited for like a server that says it is unavailable.
 */
const onceThrough = async (ask: () => Promise<CallResult>): Promise<ReadonlyArray<CallResult>> => {
  const answers: Array<CallResult> = []
  for (;;) {
    const called = await ask()
    answers.push(called)
    if (called.status === 200) return answers
    const retryAfter = called.headers.get("retry-after")
    const decision = retryDecision({
      code: (called.code || "SERVER_UNAVAILABLE") as ErrorCode,
      retriesDone: answers.length - 1,
      retryAfterSeconds: retryAfter === null ? null : Number(retryAfter)
    })
    if (decision._tag === "GiveUp") return answers
    await pause(decision.waitSeconds * 1_000)
  }
}

/** What it was answered, one after the other, for who must know why it ended as it did. */
export const storyOf = (answers: ReadonlyArray<CallResult>): string =>
  answers.map(({ status, code, tookMs }) => `${status} ${code} after ${tookMs.toFixed(0)} ms`).join(", ")
