import { describe, expect, it } from "vitest"
import { calls, flavours, success, walks } from "./flavours.ts"
import type { RespondTo } from "./flavours.ts"

/** Pages of one row each; `next` says which cursor follows, by the number of the page. */
const pages =
  (next: (index: number) => string | null): RespondTo =>
  (_seen, index) => {
    const cursor = next(index)
    return success([{ row: index }], { pagination: { cursor, has_more: cursor !== null, limit: 1 } })
  }
const cursors = (seen: ReadonlyArray<{ readonly url: string }>) =>
  seen.map(({ url }) => new URL(url).searchParams.get("cursor"))

describe.each(flavours)("lists of the %s flavour", (_, run) => {
  const list = (id: "pages" | "items", options: object = {}) =>
    walks(id, "listPolicies", { q: "a b", limit: 1, include: ["codes", "summary"] }, options)

  it("contract §1 Lists: every page by the cursor of the one before, with the same filters", async () => {
    const { ended, seen } = await run(
      list("items"),
      pages((index) => (index < 2 ? `c${index}` : null))
    )
    expect(ended).toMatchObject({ success: [{ row: 0 }, { row: 1 }, { row: 2 }] })
    expect(cursors(seen)).toEqual([null, "c0", "c1"])
    for (const { url } of seen)
      expect(new URL(url).search).toMatch(/^\?q=a\+b&limit=1&include=codes%2Csummary(&|$)/)
    const whole = await run(
      list("pages"),
      pages((index) => (index < 1 ? `c${index}` : null))
    )
    expect(whole.ended).toMatchObject({ success: [{ data: [{ row: 0 }], meta: { pagination: {} } }, {}] })
  })

  it.each([
    ["one cursor again and again", () => "same", 2],
    ["a circle of cursors", (index: number) => `c${index % 3}`, 4]
  ])("a server that gives %s is found out", async (_what, next, asked) => {
    const { ended, seen } = await run(list("items"), pages(next))
    expect([seen.length, ended]).toMatchObject([
      asked,
      { failure: { code: "PAGES_ENDLESS", retryable: false } }
    ])
  })

  it("a server whose cursors never end is left at pagesMax", async () => {
    const { ended, seen } = await run(
      list("items", { pagesMax: 5 }),
      pages((index) => `c${index}`)
    )
    expect([seen.length, ended]).toMatchObject([5, { failure: { code: "PAGES_ENDLESS" } }])
  })

  it("a page that promises more without a cursor, or says nothing of pages, is told", async () => {
    for (const pagination of [
      { cursor: null, has_more: true, limit: 1 },
      { cursor: "", has_more: true },
      undefined
    ]) {
      const { ended } = await run(list("items"), () => success([], { pagination }))
      expect(ended).toMatchObject({ failure: { code: "ANSWER_UNEXPECTED" } })
    }
  })

  it("an error within the walk ends it", async () => {
    const { ended } = await run(list("items"), (seen, index) =>
      index === 0 ? pages(() => "next")(seen, 0) : new Response("<p>")
    )
    expect(ended).toMatchObject({ failure: { code: "ANSWER_UNREADABLE" } })
  })

  it("format=csv answers the text and the cursor of its header", async () => {
    const headers = {
      "content-type": "text/csv; charset=utf-8",
      "x-next-cursor": "c1",
      "x-request-id": "req_1"
    }
    const { ended } = await run(
      calls("listPolicies", { format: "csv" }),
      () => new Response("a,b\n1,2\n", { headers })
    )
    expect(ended).toMatchObject({
      success: { data: "a,b\n1,2\n", meta: { request_id: "req_1", cursor: "c1" } }
    })
    const other = await run(calls("listPolicies", { format: "csv" }), () => success([]))
    expect(other.ended).toMatchObject({ failure: { code: "ANSWER_UNEXPECTED" } })
  })

  it("a step of a path is one step, whatever it holds", async () => {
    const { seen } = await run(calls("getPolicy", { id: "a/b?c#d é" }), () => success({}))
    expect(new URL(seen[0]?.url ?? "").pathname).toBe("/api/v1/policies/a%2Fb%3Fc%23d%20%C3%A9")
    for (const id of ["", ".", "..", undefined, null, {}, "\ud800"]) {
      const wrong = await run(calls("getPolicy", { id }), () => success({}))
      expect([id, wrong.seen.length, wrong.ended]).toMatchObject([
        id,
        0,
        { failure: { code: "INPUT_INVALID" } }
      ])
    }
  })
})
