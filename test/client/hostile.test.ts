import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { calls, flavours, json, key, meta, success } from "./flavours.ts"
import type { Outcome, RespondTo } from "./flavours.ts"

const health = calls("health")
const seconds = ({ seen }: Outcome) => seen.map(({ second }) => second)
const codeOf = ({ ended }: Outcome) => (ended._tag === "Failure" ? ended.failure.code : "it succeeded")

/** A body that gives these pieces, and then never ends or fails. */
const body = (
  pieces: ReadonlyArray<string>,
  end: "fails" | "never" | "repeats"
): ReadableStream<Uint8Array> => {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
  let index = 0
  return new ReadableStream({
    pull: (controller) => {
      const next = bytes[end === "repeats" ? index % bytes.length : index]
      index += 1
      if (next !== undefined) controller.enqueue(next)
      else if (end === "fails") controller.error(new TypeError(`terminated, with Bearer ${key}`))
      else return new Promise<void>(() => {})
      return undefined
    }
  })
}

const whole = JSON.stringify({ success: true, data: {}, meta })

/** What a server or what stands before it may do, how often it is asked for it, and what it is called. */
const lost: ReadonlyArray<readonly [string, RespondTo, string]> = [
  [
    "refuses the connection",
    () => Promise.reject(new TypeError(`fetch failed for Bearer ${key}`)),
    "CONNECTION_LOST"
  ],
  ["throws what is no error", () => Promise.reject(key), "CONNECTION_LOST"],
  [
    "resets in the middle of the body",
    () => new Response(body([whole.slice(0, 9)], "fails")),
    "CONNECTION_LOST"
  ],
  [
    "answers 502 in HTML",
    () => new Response(`<h1>Bad gateway ${key}</h1>`, { status: 502 }),
    "GATEWAY_FAILED"
  ],
  ["answers 503 with nothing", () => new Response(null, { status: 503 }), "GATEWAY_FAILED"],
  [
    "answers 504 in JSON of its own",
    () => json({ message: "no upstream" }, { status: 504 }),
    "GATEWAY_FAILED"
  ]
]

const wrong: ReadonlyArray<readonly [string, RespondTo, string]> = [
  ["cuts the JSON short", () => new Response(whole.slice(0, -9)), "ANSWER_UNREADABLE"],
  ["answers nothing", () => new Response(null), "ANSWER_UNREADABLE"],
  ["answers 200 in HTML", () => new Response("<h1>Welcome</h1>"), "ANSWER_UNREADABLE"],
  ["answers 403 in HTML", () => new Response("<h1>Firewall</h1>", { status: 403 }), "ANSWER_UNREADABLE"],
  ["answers 304 unasked", () => new Response(null, { status: 304 }), "ANSWER_UNREADABLE"],
  ["answers 200 with success: false", () => json({ success: false, error: {}, meta }), "ANSWER_UNEXPECTED"],
  ["answers 201", () => json({ success: true, data: {}, meta }, { status: 201 }), "ANSWER_UNEXPECTED"],
  [
    "answers 500 with success: true",
    () => json({ success: true, data: {}, meta }, { status: 500 }),
    "ANSWER_UNEXPECTED"
  ],
  ["answers without data", () => json({ success: true, meta }), "ANSWER_UNEXPECTED"],
  ["answers without meta", () => json({ success: true, data: {} }), "ANSWER_UNEXPECTED"],
  ["answers null", () => json(null), "ANSWER_UNEXPECTED"],
  [
    "answers an error without a code",
    () => json({ success: false, error: {}, meta }, { status: 400 }),
    "ANSWER_UNEXPECTED"
  ],
  ["never ends its body", () => new Response(body(["x".repeat(65_536)], "repeats")), "ANSWER_TOO_LARGE"],
  ["redirects to another host", () => redirect(302), "REDIRECTED"],
  ["redirects for good", () => redirect(308), "REDIRECTED"],
  ["shows nothing of its redirect, as in a browser", () => Response.error(), "REDIRECTED"]
]

const redirect = (status: number) =>
  new Response(null, { status, headers: { location: "https://evil.example/in" } })

describe.each(flavours)("a hostile server and the %s flavour", (_, run) => {
  it.each(lost)(
    "it %s: asked again like a service that is unavailable, then %s",
    async (_what, serves, code) => {
      const outcome = await run(health, serves)
      expect([codeOf(outcome), seconds(outcome)]).toEqual([code, [0, 1, 3, 7]])
      expect(outcome.ended).toMatchObject({ failure: { retryable: true, attempts: 4 } })
      const mended = await run(health, (seen, index) => (index === 0 ? serves(seen, 0) : success({})))
      expect(seconds(mended)).toEqual([0, 1])
    }
  )

  it.each(wrong)("it %s: told at once as %s", async (_what, serves, code) => {
    const outcome = await run(health, serves, { answerBytesMax: 1_048_576 })
    expect([codeOf(outcome), seconds(outcome)]).toEqual([code, [0]])
    expect(outcome.ended).toMatchObject({ failure: { _tag: "CallFailed", retryable: false } })
    for (const { init, url } of outcome.seen)
      expect([new URL(url).host, init.redirect]).toEqual(["api.coverage.example", "manual"])
  })

  it.each([
    ["never answers", () => new Promise<Response>(() => {})],
    ["drips its body", () => new Response(body([...whole.slice(0, 9)], "never"))]
  ])("it %s: each attempt ends after its time", async (_what, serves) => {
    const outcome = await run(health, serves, { attemptSeconds: 5 })
    expect([codeOf(outcome), seconds(outcome), outcome.second]).toEqual(["TIMED_OUT", [0, 6, 13, 22], 27])
    for (const { init } of outcome.seen) expect(init.signal?.aborted).toBe(true)
  })

  it("what does not fit the schema is told where requested, and taken as it is otherwise", async () => {
    const data = { status: "healthy", version: "v1", checks: {}, timestamp: "now", more: 1 }
    const checked = await run(health, () => success(data), { answers: "checked" })
    expect(codeOf(checked)).toBe("ANSWER_UNEXPECTED")
    expect((await run(health, () => success(data))).ended).toMatchObject({ success: { data } })
    const up = { status: "up", latency_ms: 1 }
    const sound = { ...data, checks: { database: up, cache: up } }
    expect((await run(health, () => success(sound), { answers: "checked" })).ended).toMatchObject({
      success: { data: sound }
    })
  })

  it("§2.5 the key is in no error, whatever the server says", async () => {
    const echo = {
      code: "AUTH_KEY_NOT_FOUND",
      message: `no ${key}`,
      hint: key,
      docUrl: key,
      retryable: false,
      details: { key }
    }
    const echoes: ReadonlyArray<RespondTo> = [
      ...[...lost, ...wrong].map(([, serves]) => serves),
      () => json({ success: false, error: echo, meta: { request_id: key } }, { status: 401 }),
      () => json({ success: true, data: { key } }, { status: 401, headers: { "x-request-id": key } })
    ]
    for (const serves of echoes) {
      const { ended, seen } = await run(calls("listPayers"), serves, {
        answerBytesMax: 100_000,
        maxRetries: 0
      })
      const { failure } = ended as { readonly failure: Error }
      expect(seen[0]?.headers.get("authorization")).toBe(`Bearer ${key}`)
      const said = [
        String(failure),
        JSON.stringify(failure),
        inspect(failure, { depth: 9, showHidden: true }),
        failure.stack
      ]
      expect(said.join()).not.toContain(key)
    }
  })

  it("§4.1 what needs no key is not told it", async () => {
    const { seen } = await run(health, () => success({}))
    expect(seen[0]?.headers.has("authorization")).toBe(false)
  })
})
