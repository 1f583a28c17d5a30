import { describe, expect, it } from "vitest"
import { docUrl, errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { calls, flavours, json, meta, success } from "./flavours.ts"

const baseUrl = "https://api.coverage.example"

/** The error as the service writes it, with a Retry-After where one is given. */
const refusal = (code: ErrorCode, retryAfter?: string, more: object = {}): Response => {
  const { message, retryable, status } = errorRow(code)
  const headers = {
    "content-type": "application/json",
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter })
  }
  const error = { code, message, hint: "mend it", docUrl: docUrl(baseUrl, code), retryable, ...more }
  return json({ success: false, error, meta }, { status, headers })
}
const seconds = (seen: ReadonlyArray<{ readonly second: number }>) => seen.map(({ second }) => second)
const retryable = errorCodes.filter((code) => errorRow(code).retryable)
const final = errorCodes.filter((code) => !errorRow(code).retryable)
const limits = retryable.filter((code) => errorRow(code).status === 429)

describe.each(flavours)("§7.4 retries of the %s flavour", (_, run) => {
  it.each(final)("§7.4.1 %s is told at once, with all that the error says", async (code) => {
    const { ended, seen } = await run(calls("listPolicies"), () => refusal(code, "1"))
    expect(seconds(seen)).toEqual([0])
    expect(ended).toMatchObject({
      failure: {
        _tag: "CallRefused",
        code,
        status: errorRow(code).status,
        retryable: false,
        message: errorRow(code).message,
        hint: "mend it",
        requestId: meta.request_id,
        docUrl: docUrl(baseUrl, code),
        attempts: 1
      }
    })
  })

  it.each(retryable)(
    "§7.4.3 %s is sent again after 1, 2 and 4 s, and given up after 3 retries",
    async (code) => {
      const { ended, seen, second } = await run(calls("listPolicies"), () => refusal(code))
      expect(seconds(seen)).toEqual([0, 1, 3, 7])
      expect([second, ended]).toMatchObject([7, { failure: { code, retryable: true, attempts: 4 } }])
    }
  )

  it.each(retryable)("§7.4.3 %s that passes is not seen by the caller", async (code) => {
    const { ended, seen } = await run(calls("listPolicies"), (_seen, index) =>
      index < 3 ? refusal(code) : success([], { pagination: {} })
    )
    expect([seen.length, ended]).toMatchObject([4, { success: { data: [] } }])
  })

  it.each(limits)(
    "§7.4.2 on %s Retry-After is waited, each time, and 3 retries are the most",
    async (code) => {
      const waits = ["5", "1", "120"]
      const { seen } = await run(calls("listPolicies"), (_seen, index) => refusal(code, waits[index] ?? "9"))
      expect(seconds(seen)).toEqual([0, 5, 6, 126])
    }
  )

  it("§7.4.2 a Retry-After of 120 s is waited, of 121 s ends the call at once and says so", async () => {
    const waited = await run(calls("health"), (_seen, index) =>
      index === 0 ? refusal("RATE_QUOTA_EXCEEDED", "120") : success({})
    )
    expect(seconds(waited.seen)).toEqual([0, 120])
    const ended = await run(calls("health"), () => refusal("RATE_QUOTA_EXCEEDED", "121"))
    expect([ended.second, ended.seen.length]).toEqual([0, 1])
    expect(ended.ended).toMatchObject({ failure: { code: "RATE_QUOTA_EXCEEDED", retryAfterSeconds: 121 } })
    const impatient = await run(calls("health"), () => refusal("RATE_LIMIT_EXCEEDED", "5"), {
      maxWaitSeconds: 4
    })
    expect(impatient.seen).toHaveLength(1)
  })

  it.each([
    ["garbage", "soon", [0, 1, 3, 7]],
    ["a negative number", "-5", [0, 1, 3, 7]],
    ["a fraction", "1.5", [0, 1, 3, 7]],
    ["nothing", "", [0, 1, 3, 7]],
    ["an HTTP date", "Thu, 01 Jan 1970 00:00:30 GMT", [0, 30, 32, 36]],
    ["an HTTP date that is past, which is no wait", "Wed, 31 Dec 1969 23:59:00 GMT", [0, 1, 3, 7]],
    ["0, which is no wait", "0", [0, 1, 3, 7]],
    ["an HTTP date far away", "Fri, 02 Jan 1970 00:00:00 GMT", [0]],
    ["a date in another form", "1970-01-01T00:00:30Z", [0, 1, 3, 7]],
    ["a number without end", "9".repeat(400), [0]]
  ])("§7.4.2 Retry-After that is %s", async (_what, header, expected) => {
    const { seen } = await run(calls("health"), () => refusal("RATE_LIMIT_EXCEEDED", header))
    expect(seconds(seen)).toEqual(expected)
  })

  it("§7.4.2 without a header the body's number counts; off 429 no Retry-After does", async () => {
    const inBody = { details: { retry_after_seconds: 6 } }
    const body = await run(calls("health"), () => refusal("RATE_LIMIT_EXCEEDED", undefined, inBody))
    expect(seconds(body.seen)).toEqual([0, 6, 12, 18])
    const instant = { details: { retry_after_seconds: 0.01 } }
    const none = await run(calls("health"), () => refusal("RATE_LIMIT_EXCEEDED", undefined, instant))
    expect(seconds(none.seen)).toEqual([0, 1, 3, 7])
    const other = await run(calls("health"), () => refusal("SERVER_UNAVAILABLE", "60"))
    expect(seconds(other.seen)).toEqual([0, 1, 3, 7])
  })

  it("§7.4.1 what says that it is not retryable is believed, and so is the table", async () => {
    for (const [code, said] of [
      ["SERVER_TIMEOUT", false],
      ["AUTH_MISSING", true]
    ] as const) {
      const { seen } = await run(calls("health"), () => refusal(code, undefined, { retryable: said }))
      expect([code, seen.length]).toEqual([code, 1])
    }
  })

  it("§9 a code of a newer service is judged by what it says of itself", async () => {
    const newer = (status: number, said: boolean) => () =>
      json(
        { success: false, error: { code: "SERVER_ASLEEP", message: "m", retryable: said }, meta },
        { status }
      )
    const away = await run(calls("health"), newer(503, true))
    expect(seconds(away.seen)).toEqual([0, 1, 3, 7])
    expect(away.ended).toMatchObject({ failure: { _tag: "CallRefused", code: "SERVER_ASLEEP" } })
    expect((await run(calls("health"), newer(503, false))).seen).toHaveLength(1)
  })

  it("§7.4.4 a write is sent again with its X-Idempotency-Key; the next write has another", async () => {
    const input = { url: "https://ok.example.com/in", events: ["*"] }
    const keys: Array<ReadonlySet<string | null>> = []
    for (const code of retryable) {
      const { seen } = await run(calls("createWebhook", input), () => refusal(code))
      expect(seen).toHaveLength(4)
      expect(new Set(seen.map(({ init }) => init.body))).toEqual(new Set([JSON.stringify(input)]))
      keys.push(new Set(seen.map(({ headers }) => headers.get("x-idempotency-key"))))
    }
    expect(keys.map((each) => each.size)).toEqual(retryable.map(() => 1))
    expect(new Set(keys.flatMap((each) => [...each])).size).toBe(retryable.length)
    for (const [only] of keys) expect(only).toMatch(/^[0-9a-f]{32}$/)
  })

  it("§4.6.2 the caller's own X-Idempotency-Key is sent as it is; reads send none unasked", async () => {
    const sent = async (requested: Parameters<typeof run>[0]) =>
      (await run(requested, () => success({}))).seen.map(({ headers }) => headers.get("x-idempotency-key"))
    const options = { idempotencyKey: "my own ~" }
    expect(await sent(calls("acknowledgeChange", { diff_id: 1 }, options))).toEqual(["my own ~"])
    expect(await sent(calls("batchCodes", { codes: ["E0650"] }, options))).toEqual(["my own ~"])
    expect(await sent(calls("batchCodes", { codes: ["E0650"] }))).toEqual([null])
    expect(await sent(calls("getPolicy", { id: "L1" }, options))).toEqual([null])
    for (const idempotencyKey of ["", "é", "a\nb", "x".repeat(256)]) {
      const { ended, seen } = await run(calls("acknowledgeChange", { diff_id: 1 }, { idempotencyKey }), () =>
        success({})
      )
      expect([seen.length, ended]).toMatchObject([0, { failure: { code: "INPUT_INVALID" } }])
    }
  })

  it("fewer retries are made where fewer are requested", async () => {
    const { seen } = await run(calls("health"), () => refusal("SERVER_TIMEOUT"), { maxRetries: 1 })
    expect(seconds(seen)).toEqual([0, 1])
  })
})
