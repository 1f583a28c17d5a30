import { describe, expect, it } from "vitest"
import { retryDecision } from "../../core/error/retry.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"

const giveUp = { _tag: "GiveUp" }

describe("§7.4 what a client does with an error", () => {
  it.each(errorCodes)("%s is tried again after 1, 2 and 4 s, or never", (code) => {
    const waits = [0, 1, 2, 3].map((retriesDone) => {
      const decision = retryDecision({ code, retriesDone, retryAfterSeconds: null })
      return decision._tag === "GiveUp" ? undefined : decision.waitSeconds
    })
    expect(waits).toEqual(errorRow(code).retryable ? [1, 2, 4, undefined] : Array(4).fill(undefined))
  })

  it("§7.4 waits on 429 as long as Retry-After says, and on nothing else", () => {
    const at = (code: (typeof errorCodes)[number], retriesDone = 0) =>
      retryDecision({ code, retriesDone, retryAfterSeconds: 37 })
    expect(at("RATE_LIMIT_EXCEEDED")).toMatchObject({ waitSeconds: 37 })
    expect(at("SERVER_UNAVAILABLE")).toMatchObject({ waitSeconds: 1 })
    expect(at("RATE_LIMIT_EXCEEDED", 3)).toEqual(giveUp)
    expect(at("AUTH_MISSING")).toEqual(giveUp)
  })

  it("§7.4.4 keeps the idempotency key where the first request may still be running", () => {
    const kept = errorCodes.filter((code) => {
      const decision = retryDecision({ code, retriesDone: 0, retryAfterSeconds: null })
      return decision._tag === "RetryAfter" && decision.sameIdempotencyKey
    })
    expect(kept.toSorted()).toEqual(["REQUEST_IDEMPOTENCY_IN_PROGRESS", "SERVER_IDEMPOTENCY_UNAVAILABLE"])
  })
})
